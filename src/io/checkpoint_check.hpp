#pragma once
// Checks of a checkpoint's parts, in the order in which a reader may trust them: marker, manifest, size, structure,
// data.
#include <string>

#include "io/manifest.hpp"
#include "par/comm.hpp"

namespace craton::io {

std::string checkpoints_dir(const std::string& run_dir);
std::string checkpoint_name(std::int64_t step);
/// Text of COMMITTED for a manifest: its length and CRC.
std::string marker_text(const std::string& manifest_json);

/// Error(bad_input) unless state.h5 has the size and exactly the datasets that the manifest says, each a plain
/// contiguous dataset behind hard links: no external link or storage, no virtual dataset, no filter. Opens it serially.
/// Local.
void check_structure(const std::string& file, const Manifest& manifest);

/// CRC of every dataset of the file. Collective.
std::vector<std::uint32_t> crcs_of_file(const par::Comm& comm, const std::string& file, const Manifest& manifest,
                                        std::size_t transfer_bytes);
/// Error(bad_input) naming the first dataset whose CRC differs. Local.
void check_crcs(const Manifest& manifest, const std::vector<std::uint32_t>& found);

}  // namespace craton::io
