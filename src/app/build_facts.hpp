#pragma once
// Which program this is and what it was built with, as text. Local.
#include <string>

namespace craton::app {

std::string version_text();
std::string build_info_text();

}  // namespace craton::app
