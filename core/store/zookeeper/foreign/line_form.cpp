#include "core/store/zookeeper/foreign/line_form.h"

#include <algorithm>
#include <charconv>

namespace leasescope::zookeeper {
namespace {

constexpr std::size_t kDigits = 10;  // of a number, as the server writes it
constexpr std::size_t kUuid = 36, kHexUuid = 32;
constexpr std::string_view kProtected = "_c_";

bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

bool is_uuid(std::string_view text) {
  if (text.size() != kUuid) return false;
  for (const std::size_t dash : {8U, 13U, 18U, 23U})
    if (text[dash] != '-') return false;
  return is_hex(text.substr(0, 8)) && is_hex(text.substr(9, 4)) && is_hex(text.substr(14, 4)) &&
         is_hex(text.substr(19, 4)) && is_hex(text.substr(24));
}

std::optional<std::uint32_t> place_of(const LineForm& form, const std::vector<std::string_view>& marks,
                                      std::string_view node) {
  if (node.size() <= kDigits) return std::nullopt;
  const std::string_view digits = node.substr(node.size() - kDigits), head = node.substr(0, node.size() - kDigits);
  std::uint32_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
  for (const std::string_view mark : marks) {
    const bool marked = head.size() > mark.size() && head.substr(head.size() - mark.size()) == mark;
    if (marked && form.begins(head.substr(0, head.size() - mark.size()))) return number;
  }
  return std::nullopt;
}

// By the trailing number: what comes before it is drawn by lot.
NodeLine in_line(const LineForm& form, const std::vector<std::string_view>& marks,
                 const std::vector<std::string>& nodes) {
  std::vector<std::pair<std::uint32_t, std::string>> placed;
  for (const std::string& node : nodes)
    if (const auto place = place_of(form, marks, node)) placed.emplace_back(*place, node);
  std::sort(placed.begin(), placed.end());
  NodeLine out;
  for (auto& [place, node] : placed) out.push_back(std::move(node));
  return out;
}

}  // namespace

std::optional<std::uint32_t> place_of(const LineForm& form, std::string_view node) {
  return place_of(form, form.marks, node);
}

NodeLine line_of(const LineForm& form, const std::vector<std::string>& nodes) {
  return in_line(form, form.marks, nodes);
}

NodeLine queue_of(const LineForm& form, const std::vector<std::string>& nodes) {
  return in_line(form, {form.queue_mark}, nodes);
}

std::size_t first_alone(const NodeLine& line) { return std::min<std::size_t>(1, line.size()); }
bool leads(const NodeLine& line, std::string_view reads) {
  return !line.empty() && line.front().find(reads) != NodeLine::value_type::npos;
}

std::size_t readers_or_first(const NodeLine& line, std::string_view reads) {
  const auto writer = std::find_if(line.begin(), line.end(),
                                   [&](const std::string& node) { return node.find(reads) == std::string::npos; });
  return std::max(first_alone(line), static_cast<std::size_t>(writer - line.begin()));
}

bool is_protection(std::string_view beginning) {
  return beginning.substr(0, kProtected.size()) == kProtected && is_uuid(beginning.substr(kProtected.size()));
}

bool is_hex_uuid(std::string_view beginning) { return beginning.size() == kHexUuid && is_hex(beginning); }

}  // namespace leasescope::zookeeper
