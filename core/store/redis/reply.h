// What the acquire and guard scripts answer: {owner, remaining ms, token} from 3.3 on, up to 3.1.3 the text
// "owner@@remaining ms", with neither where nobody holds.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "core/contend/mutex_owner.h"

namespace leasescope::redis {

struct LeaseReply {
  std::string owner;           // empty = nobody
  bool has_remaining = false;  // false: there is no lease, the transition ended at 0
  std::int64_t remaining_ms = 0;
  Token token = kNoToken;
};

using Nil = std::monostate;
using Element = std::variant<Nil, std::int64_t, std::string>;

// Errors are worded as Simba's, without the exception's class.
tl::expected<LeaseReply, std::string> parse_lease_reply(const std::vector<Element>& reply);
tl::expected<LeaseReply, std::string> parse_lease_reply(std::string_view reply);

}  // namespace leasescope::redis
