// Redisson's locks: a hash with a field "<uuid of the client>:<thread>" for whoever holds, whose value is how many
// times. What makes it fenced, fair or of readers and writers lies beside it or in a field.
#include <algorithm>

#include <fmt/format.h>

#include "core/store/number_text.h"
#include "core/store/redis/foreign/key_forms.h"

namespace leasescope::redis {
namespace {

constexpr std::string_view kWrites = ":write", kMode = "mode", kWrite = "write";
constexpr std::string_view kChannel = "redisson_lock__channel", kChannelOfReaders = "redisson_rwlock";
constexpr const char* kMostWaiters = "99";  // from 0
constexpr const char* kLastDigit = "31";    // of a token, likewise

// A lock's other keys; one that has braces of its own keeps them.
std::string beside(std::string_view what, const std::string& key) {
  return key.find('{') == std::string::npos ? fmt::format("{}:{{{}}}", what, key) : fmt::format("{}:{}", what, key);
}

// "<uuid>:<thread>"
bool is_thread(std::string_view who) {
  const std::size_t colon = who.rfind(':');
  return colon != std::string_view::npos && is_uuid(who.substr(0, colon)) && is_number(who.substr(colon + 1));
}

std::string_view without_writes(std::string_view field) {
  const bool writes = field.size() > kWrites.size() && field.substr(field.size() - kWrites.size()) == kWrites;
  return writes ? field.substr(0, field.size() - kWrites.size()) : field;
}

bool is_holder(std::string_view field) { return is_thread(without_writes(field)); }

bool may_be(const std::string& /*key*/, const std::vector<std::string>& fields) {
  return !fields.empty() && std::all_of(fields.begin(), fields.end(),
                                        [](const std::string& field) { return field == kMode || is_holder(field); });
}

std::string mode_of(const KeyContent& content) {
  for (const auto& [field, value] : content.pairs)
    if (field == kMode) return value;
  return {};
}

// It always has an end, and one who holds, where it is not of readers and writers.
bool is_one(const KeyContent& content) {
  const std::string mode = mode_of(content);
  if (!content.left || (!mode.empty() && mode != "read" && mode != kWrite)) return false;
  const auto holders = std::count_if(content.pairs.begin(), content.pairs.end(),
                                     [](const auto& pair) { return is_holder(pair.first) && is_number(pair.second); });
  const auto others = static_cast<std::ptrdiff_t>(content.pairs.size()) - holders;
  return mode.empty() ? holders == 1 && others == 0 : holders >= 1 && others == 1;
}

std::vector<Words> besides(const std::string& key) {
  return {{"GETRANGE", beside("redisson_lock_token", key), "0", kLastDigit},
          {"LRANGE", beside("redisson_lock_queue", key), "0", kMostWaiters},
          {"PUBSUB", "NUMSUB", beside(kChannel, key), beside(kChannelOfReaders, key)}};
}

// A fair lock's channel to the first who waits ends with him. Braces may be the name's own, or not.
std::vector<std::string> told_of(const std::string& channel) {
  for (const std::string_view what : {kChannel, kChannelOfReaders}) {
    if (channel.size() <= what.size() + 1 || channel.compare(0, what.size(), what) != 0 || channel[what.size()] != ':')
      continue;
    std::vector<std::string> out{channel.substr(what.size() + 1)};
    const std::string& name = out.front();
    const std::size_t thread = name.rfind(':'), client = thread == 0 ? std::string::npos : name.rfind(':', thread - 1);
    if (thread != std::string::npos && client != std::string::npos && is_thread(name.substr(client + 1)))
      out.push_back(name.substr(0, client));
    for (std::size_t i = 0, all = out.size(); i < all; ++i)
      if (out[i].size() > 2 && out[i].front() == '{' && out[i].back() == '}')
        out.push_back(out[i].substr(1, out[i].size() - 2));
    return out;
  }
  return {};
}

std::vector<std::string> holders(const KeyContent& content, bool writes) {
  std::vector<std::string> out;
  for (const auto& [field, count] : content.pairs) {
    const std::string_view who = without_writes(field);
    // Who writes may read besides, and is one.
    if (field != kMode && (!writes || who.size() < field.size())) out.emplace_back(who);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// A client listens once, however many of its threads wait.
std::uint32_t listeners(const RespValue& numbers) {
  std::int64_t out = 0;
  for (const RespValue& each : numbers.items)
    if (each.kind == RespValue::Kind::kInteger) out += each.integer;
  return static_cast<std::uint32_t>(std::max<std::int64_t>(0, out));
}

void tell(const KeyContent& content, const std::vector<RespValue>& besides, Sighting& seen) {
  const std::string mode = mode_of(content), token = text_of(besides[0]);
  for (const RespValue& who : besides[1].items) seen.queue.push_back(text_of(who));
  // Nobody listens for a lock that is tried again and again.
  const std::uint32_t waiting = std::max(listeners(besides[2]), static_cast<std::uint32_t>(seen.queue.size()));
  if (waiting > 0) seen.waiters = waiting;
  const std::vector<std::string> all = holders(content, mode == kWrite);
  if (mode.empty() || mode == kWrite)
    seen.owner = joined(all);
  else
    share(seen, all);
  seen.token = leading_number<Token>(token);
  seen.token_is_of_term = false;  // it rises when its owner enters once more
  seen.system = !mode.empty()         ? "read-write lock"
                : !token.empty()      ? "fenced lock"
                : !seen.queue.empty() ? "fair lock"
                                      : "lock";
  if (!token.empty()) seen.raw.emplace_back("redisson_lock_token", token);
}

}  // namespace

KeyForm redisson_lock() {
  return {"Redisson", false, "hash", may_be, is_one, besides, tell, {"redisson_lock__channel:*", "redisson_rwlock:*"},
          told_of};
}

}  // namespace leasescope::redis
