#include "config/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace craton::config {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest_word = 64;  // a longer one is no misspelt name; keeps hostile input cheap
  if (word.empty() || word.size() > longest_word) return {};
  std::string best;
  int fewest = std::max(2, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool completes = word.size() >= 3 && candidate.starts_with(word);
    const int edits = completes ? 0 : edit_distance(word, candidate);
    const bool nothing_left = edits >= static_cast<int>(std::max(word.size(), candidate.size()));
    if (edits >= fewest || nothing_left) continue;
    fewest = edits;
    best = candidate;
  }
  return best;
}

}  // namespace craton::config
