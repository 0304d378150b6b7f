// The calls of contenders up to 3.1 (Wire::kTokenless) as Redis is asked and answers: scripts whose answer is a text
// (resources/lua/*_31.lua), and a queue in which who is refused waits.
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/redis/keys.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/redis/scripts.h"
#include "core/store/store.h"

namespace leasescope::redis {

// Of an acquire, a guard or a release.
const Script& tokenless_script(RequestKind kind);
// What stands behind its text or name.
std::vector<std::string> tokenless_words(const Request& request, const Keys& keys, const std::string& contender);

// Adds to an empty answer to acquire or guard what is said there, which is no token; an error when it makes no sense.
tl::expected<void, std::string> read_tokenless(const RespValue& value, WireNames& names, Reply& reply);

}  // namespace leasescope::redis
