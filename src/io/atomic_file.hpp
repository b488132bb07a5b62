#pragma once
// Files on disk for certain: synced writes, free space, locks. All Local; Errors: Error(io) with path and reason.
#include <cstdint>
#include <string>
#include <vector>

namespace craton::io {

void sync_file(const std::string& path);
void sync_directory(const std::string& path);
void make_directories(const std::string& path);
void rename_path(const std::string& from, const std::string& to);
void remove_tree(const std::string& path);
/// First of path, path + ".old-1", ... with the given word that does not exist: where old data is moved to.
std::string free_name(const std::string& path, const std::string& word);
/// Error(io) unless `bytes` more fit in the directory: asks the file system for its free space and then for the blocks
/// themselves (where it can), so that quotas and file size limits count too.
void check_space(const std::string& directory, std::int64_t bytes);
std::int64_t file_size(const std::string& path);
void append_line(const std::string& path, const std::string& line);

/// Numbers N of the entries "<prefix><N><suffix>" of a directory, ascending; empty if the directory does not exist.
std::vector<std::int64_t> numbered_entries(const std::string& directory, const std::string& prefix,
                                           const std::string& suffix = "");

}  // namespace craton::io
