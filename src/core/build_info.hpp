#pragma once
// Which program this is.
namespace craton {

const char* build_version();   // semantic version, from the project
const char* build_git_hash();  // 12 digits, "+changes" behind it if the tree was not clean; "unknown" outside git

}  // namespace craton
