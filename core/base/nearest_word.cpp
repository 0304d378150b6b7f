#include "core/base/nearest_word.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

// Damerau 1964, in the form that never edits a stretch twice.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view written, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;  // nobody mistypes more
  std::string found;
  std::size_t least = std::min<std::size_t>(3, written.size() / 3) + 1;
  for (const std::string& word : known) {
    if (written.size() > kLongest || word.size() > kLongest) continue;
    const std::size_t far = distance(written, word);
    if (far < least) {
      least = far;
      found = word;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(written, known);
  return nearest.empty() ? std::string() : " (did you mean " + nearest + "?)";
}

}  // namespace leasescope
