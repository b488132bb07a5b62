#pragma once
// "Did you mean": the known word nearest to a misspelt one.
#include <span>
#include <string>
#include <string_view>

namespace craton::config {

/// Edits (insert, delete, replace, swap of neighbours) that turn a into b: optimal string alignment distance. Local.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate with the fewest edits, the first of equals; a candidate that the word begins (a key without its unit)
/// wins. Empty if none is within max(2, a third of the word's length). Local.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace craton::config
