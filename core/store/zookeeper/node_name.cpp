#include "core/store/zookeeper/node_name.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace leasescope::zookeeper {
namespace {

constexpr std::string_view kMark = "latch-";

}  // namespace

std::string folder_of(std::string_view mutex) { return fmt::format("/simba/{}", mutex); }

std::vector<std::string> folders_to(const std::string& folder) {
  std::vector<std::string> out;
  for (std::size_t at = folder.find('/', 1); at != std::string::npos; at = folder.find('/', at + 1))
    out.push_back(folder.substr(0, at));
  out.push_back(folder);
  return out;
}

// A UUID of version 4 to whoever reads it: the word, and half of it once more.
std::string beginning_of(std::uint64_t word) {
  if (word == 0) return std::string(kMark);
  return fmt::format("_c_{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}-{}", word >> 32, word >> 16 & 0xffff, word >> 4 & 0xfff,
                     word & 0xfff, word & 0xffff'ffff'ffff, kMark);
}

std::optional<std::uint32_t> number_of(std::string_view name) {
  const std::size_t mark = name.rfind(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view digits = name.substr(mark + kMark.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number + 1;
}

std::vector<std::string> in_order(std::vector<std::string> names) {
  names.erase(std::remove_if(names.begin(), names.end(), [](const std::string& name) { return !number_of(name); }),
              names.end());
  std::sort(names.begin(), names.end(),
            [](const std::string& a, const std::string& b) { return *number_of(a) < *number_of(b); });
  return names;
}

}  // namespace leasescope::zookeeper
