#include "core/history/recording/joined_names.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace leasescope {
namespace {

bool in_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '@'; }

std::vector<std::string> items(const std::string& list, std::string_view between) {
  std::vector<std::string> out;
  for (std::size_t at = 0;;) {
    const std::size_t next = list.find(between, at);
    out.push_back(list.substr(at, next == std::string::npos ? next : next - at));
    if (next == std::string::npos) return out;
    at = next + between.size();
  }
}

}  // namespace

std::string_view without_number(std::string_view name) {
  if (name.empty() || name.back() != ')') return name;
  const std::size_t open = name.rfind(" (");
  if (open == std::string_view::npos || open + 3 > name.size() - 1) return name;
  const std::string_view number = name.substr(open + 2, name.size() - open - 3);
  const bool digits = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? name.substr(0, open) : name;
}

std::map<std::string, std::string> JoinedNames::add(const std::vector<std::string>& names) {
  std::map<std::string, std::string> out;
  for (const std::string& name : names) {
    if (out.count(name) > 0) continue;
    std::string called = name;
    for (int number = 2; taken_.count(called) > 0; ++number)
      called = fmt::format("{} ({})", without_number(name), number);
    taken_.insert(called);
    out.emplace(name, std::move(called));
  }
  return out;
}

std::string renamed(std::string_view text, const std::map<std::string, std::string>& names) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::pair<const std::string, std::string>* longest = nullptr;
    if (at == 0 || !in_a_word(text[at - 1]) || !in_a_word(text[at]))
      for (const auto& each : names) {
        const std::size_t end = at + each.first.size();
        const bool here = !each.first.empty() && text.substr(at, each.first.size()) == each.first;
        const bool whole = here && (end == text.size() || !in_a_word(text[end]) || !in_a_word(text[end - 1]));
        if (whole && (longest == nullptr || each.first.size() > longest->first.size())) longest = &each;
      }
    if (longest == nullptr) {
      out += text[at++];
    } else {
      out += longest->second;
      at += longest->first.size();
    }
  }
  return out;
}

std::string joined_list(const std::string& a, const std::string& b, std::string_view between) {
  std::string out = a;
  std::vector<std::string> known = items(a, between);
  for (std::string& item : items(b, between)) {
    if (std::find(known.begin(), known.end(), item) != known.end()) continue;
    out.append(between).append(item);
    known.push_back(std::move(item));
  }
  return out;
}

bool lists_meet(const std::string& a, const std::string& b, std::string_view between) {
  const std::vector<std::string> of_a = items(a, between), of_b = items(b, between);
  return std::find_first_of(of_a.begin(), of_a.end(), of_b.begin(), of_b.end()) != of_a.end();
}

}  // namespace leasescope
