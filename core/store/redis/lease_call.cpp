#include "core/store/redis/lease_call.h"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/base/escaped.h"
#include "core/store/redis/reply.h"
#include "core/store/redis/scripts.h"

namespace leasescope::redis {
namespace {

using std::chrono::milliseconds;
using Kind = RespValue::Kind;

Element element(const RespValue& value) {
  switch (value.kind) {
    case Kind::kInteger:
      return value.integer;
    case Kind::kText:
      return value.text;
    default:
      return Nil{};
  }
}

}  // namespace

// 4.x calls as it does.
bool queues(const Request& request, bool legacy) {
  return request.lease.wake_up == WakeUp::kQueue || (legacy && request.lease.wire == Wire::kTerm);
}

Command lease_command(const Request& request, const Keys& keys, const std::string& contender, bool legacy,
                      bool by_name) {
  const auto words = [by_name](const Script& script, std::initializer_list<std::string_view> behind) {
    return spoken(script, by_name, behind);
  };
  const Scripts& script = scripts(request.lease.wire);
  const std::string& id = contender;
  const std::string length = std::to_string(request.lease.length / milliseconds(1)),
                    term = std::to_string(request.lease.term);
  const bool by_term = request.lease.wire == Wire::kTerm;
  const bool in_line = request.lease.wake_up == WakeUp::kHandOver;
  const bool in_queue = queues(request, legacy);
  switch (request.kind) {
    case RequestKind::kAcquire:
      return in_line
                 ? words(script.acquire, {"5", keys.lease, keys.fence, keys.token, keys.line, keys.place, id, length})
             : in_queue ? words(script.acquire, {"4", keys.lease, keys.fence, keys.token, keys.queue, id, length})
                        : words(script.acquire, {"3", keys.lease, keys.fence, keys.token, id, length});
    case RequestKind::kGuard:
      return in_line   ? words(script.guard,
                               {"5", keys.lease, keys.token, keys.fence, keys.line, keys.place, id, length, term})
             : by_term ? words(script.guard, {"3", keys.lease, keys.token, keys.fence, id, length, term})
                       : words(script.guard, {"2", keys.lease, keys.token, id, length});
    default:
      return in_line ? words(script.release, {"5", keys.lease, keys.token, keys.line, keys.place, keys.fence, id, term})
             : in_queue ? words(script.release, {"3", keys.lease, keys.token, keys.queue, id, term,
                                                 request.lease.wake_up == WakeUp::kQueue ? "first" : "all"})
             : by_term  ? words(script.release, {"2", keys.lease, keys.token, id, term})
                        : words(script.release, {"2", keys.lease, keys.token, id});
  }
}

tl::expected<void, std::string> read_lease(const RespValue& value, const Request& request, WireNames& names,
                                           Reply& reply) {
  std::vector<Element> elements;
  for (const RespValue& item : value.items) elements.push_back(element(item));
  if (request.lease.wire == Wire::kTerm && (elements.size() == 4 || elements.size() == 6)) {
    const auto number = [&](std::size_t place) {
      const auto* said = place < elements.size() ? std::get_if<std::int64_t>(&elements[place]) : nullptr;
      return said != nullptr ? *said : 0;
    };
    reply.done = number(3) == 1;
    reply.answer = number(4) == 1 ? kComesFirst : 0;
    reply.number = static_cast<std::uint64_t>(std::max<std::int64_t>(number(5), 0));
    elements.resize(3);
  } else if (request.lease.wire == Wire::kTerm) {
    elements.clear();  // not what our scripts say
  }
  const auto parsed = parse_lease_reply(elements);
  if (!parsed) return tl::unexpected(escaped(parsed.error(), kLongestError));
  reply.owner = parsed->owner.empty() ? Name{} : names.intern(parsed->owner);
  reply.remaining = remaining_from(parsed->remaining_ms);
  reply.token = parsed->token;
  return {};
}

}  // namespace leasescope::redis
