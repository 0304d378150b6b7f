#include "core/store/redis/tokenless_call.h"

#include <chrono>

#include "core/base/escaped.h"
#include "core/store/redis/reply.h"

namespace leasescope::redis {

const Script& tokenless_script(RequestKind kind) {
  const Scripts& all = scripts(Wire::kTokenless);
  if (kind == RequestKind::kAcquire) return all.acquire;
  return kind == RequestKind::kGuard ? all.guard : all.release;
}

std::vector<std::string> tokenless_words(const Request& request, const Keys& keys, const std::string& contender) {
  const std::string length = std::to_string(request.lease.length / std::chrono::milliseconds(1));
  if (request.kind == RequestKind::kAcquire) return {"2", keys.lease, keys.queue, contender, length};
  if (request.kind == RequestKind::kGuard) return {"1", keys.lease, contender, length};
  return {"2", keys.lease, keys.queue, contender};
}

tl::expected<void, std::string> read_tokenless(const RespValue& value, WireNames& names, Reply& reply) {
  if (value.kind != RespValue::Kind::kText)
    return tl::unexpected<std::string>("the server's answer to a lease call up to 3.1 is no text");
  const auto parsed = parse_lease_reply(std::string_view(value.text));
  if (!parsed) return tl::unexpected(escaped(parsed.error(), kLongestError));
  reply.owner = parsed->owner.empty() ? Name{} : names.intern(parsed->owner);
  reply.remaining = remaining_from(parsed->remaining_ms);
  return {};
}

}  // namespace leasescope::redis
