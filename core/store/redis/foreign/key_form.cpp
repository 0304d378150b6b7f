#include "core/store/redis/foreign/key_form.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace leasescope::redis {
namespace {

constexpr std::size_t kUuid = 36;

bool is_dash(std::size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

}  // namespace

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_uuid(std::string_view text) {
  if (text.size() != kUuid) return false;
  for (std::size_t i = 0; i < kUuid; ++i)
    if (is_dash(i) ? text[i] != '-' : !is_hex(text.substr(i, 1))) return false;
  return true;
}

std::string text_of(const RespValue& value) {
  return value.kind == RespValue::Kind::kText ? value.text : std::string();
}

std::string joined(const std::vector<std::string>& owners) { return fmt::format("{}", fmt::join(owners, ", ")); }

bool any_key(const std::string& /*key*/, const std::vector<std::string>& /*fields*/) { return true; }

std::vector<Words> nothing_besides(const std::string& /*key*/) { return {}; }

void tell_text(const KeyContent& content, const std::vector<RespValue>& /*besides*/, Sighting& seen) {
  seen.system = "lock";
  seen.owner = content.text;
}

}  // namespace leasescope::redis
