// Redisson's semaphore whose permits are leases: "{name}:timeout", a sorted set of the permits that are out. Until when
// each is, is written by its client's clock. How many are left lies in the string "name". A name that has a brace of
// its own gets no others: "name{7}:timeout", so that of "{name}:timeout" it may be either.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "core/store/redis/foreign/key_forms.h"

namespace leasescope::redis {
namespace {

constexpr std::string_view kEnd = ":timeout";
constexpr const char* kLastDigit = "10";                // of the number of those that are left, from 0
constexpr std::size_t kPermit = 16;                     // bytes of its id
constexpr double kEarliest = 1.2e12, kLatest = 4.1e12;  // ms since 1970: from 2008 to 2099

bool is_permit(const std::pair<std::string, std::string>& pair) {
  const double until = std::strtod(pair.second.c_str(), nullptr);
  return pair.first.size() == kPermit && until > kEarliest && until < kLatest;
}

// The names that such a key may be of; none: it is of no semaphore.
std::vector<std::string> names_of(const std::string& key) {
  if (key.size() <= kEnd.size() || key.compare(key.size() - kEnd.size(), kEnd.size(), kEnd) != 0) return {};
  const std::string name = key.substr(0, key.size() - kEnd.size());
  if (name.find('{') == std::string::npos) return {};
  const bool is_wrapped = name.front() == '{' && name.back() == '}' && name.size() > 2;
  const std::string inner = is_wrapped ? name.substr(1, name.size() - 2) : std::string();
  if (inner.empty() || inner.find('{') != std::string::npos) return {name};
  return {inner, name};
}

bool may_be(const std::string& key, const std::vector<std::string>& /*fields*/) { return !names_of(key).empty(); }

bool is_one(const KeyContent& content) {
  return !content.pairs.empty() && std::all_of(content.pairs.begin(), content.pairs.end(), is_permit);
}

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::vector<Words> besides(const std::string& key) {
  std::vector<Words> out;
  for (const std::string& name : names_of(key)) out.push_back({"GETRANGE", name, "0", kLastDigit});
  return out;
}

// The one number among the answers; none: there is none, or it cannot be told which one it is.
std::optional<std::uint32_t> permits_left(const std::vector<RespValue>& answers) {
  std::optional<std::uint32_t> out;
  for (const RespValue& answer : answers) {
    const std::string text = text_of(answer);
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc() || end != text.data() + text.size()) continue;
    if (out) return std::nullopt;
    out = count;
  }
  return out;
}

void tell(const KeyContent& content, const std::vector<RespValue>& besides, Sighting& seen) {
  std::vector<std::string> permits;
  for (const auto& [permit, until] : content.pairs) permits.push_back(hex(permit));
  std::sort(permits.begin(), permits.end());
  seen.system = "semaphore";
  share(seen, permits);
  const std::optional<std::uint32_t> left = permits_left(besides);
  if (!left) return;
  seen.permits = seen.held + *left;
  seen.raw.emplace_back("permits left", std::to_string(*left));
}

}  // namespace

KeyForm redisson_semaphore() { return {"Redisson", true, "zset", may_be, is_one, besides, tell}; }

}  // namespace leasescope::redis
