// Redisson's semaphore whose permits are leases: "{name}:timeout", a sorted set of the permits that are out. Until when
// each is, is written by its client's clock. How many are left lies in the string "name".
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/store/redis/foreign/key_forms.h"

namespace leasescope::redis {
namespace {

constexpr std::string_view kEnd = "}:timeout";
constexpr std::size_t kPermit = 16;                     // bytes of its id
constexpr double kEarliest = 1.2e12, kLatest = 4.1e12;  // ms since 1970: from 2008 to 2099

bool is_permit(const std::pair<std::string, std::string>& pair) {
  const double until = std::strtod(pair.second.c_str(), nullptr);
  return pair.first.size() == kPermit && until > kEarliest && until < kLatest;
}

bool may_be(const std::string& key, const std::vector<std::string>& /*fields*/) {
  return key.size() > kEnd.size() + 1 && key.front() == '{' && key.substr(key.size() - kEnd.size()) == kEnd;
}

bool is_one(const KeyContent& content) {
  return !content.pairs.empty() && std::all_of(content.pairs.begin(), content.pairs.end(), is_permit);
}

std::string hex(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

std::vector<Words> besides(const std::string& key) { return {{"GET", key.substr(1, key.size() - kEnd.size() - 1)}}; }

void tell(const KeyContent& content, const std::vector<RespValue>& besides, Sighting& seen) {
  std::vector<std::string> permits;
  for (const auto& [permit, until] : content.pairs) permits.push_back(hex(permit));
  std::sort(permits.begin(), permits.end());
  seen.system = "semaphore";
  share(seen, permits);
  const std::string left = text_of(besides[0]);
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), count);
  if (error != std::errc() || end != left.data() + left.size()) return;
  seen.permits = seen.held + count;
  seen.raw.emplace_back("permits left", left);
}

}  // namespace

KeyForm redisson_semaphore() { return {"Redisson", true, "zset", may_be, is_one, besides, tell}; }

}  // namespace leasescope::redis
