// A call of a quorum lock to one of its servers as Redis carries it (resources/lua/quorum.lua), and what victims and
// thieves tell each other there.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/loop/loop.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/store.h"

namespace leasescope::redis {

bool is_of_quorum(RequestKind kind);
// It goes to a contender, not to the lock.
bool is_told(RequestKind kind);
// Behind the script: how many keys, these, then its arguments.
std::vector<std::string> quorum_words(const Request& request, const WireNames& names);
// The whole command of what is told.
std::vector<std::string> told_words(const Request& request, const WireNames& names, const Loop& loop);
// Errors are for people. To kGiveBack and kAbort owner, `number`, token and `remaining` say to whom the lock went back
// on this server.
tl::expected<void, std::string> read_quorum(const RespValue& value, const Request& request, WireNames& names,
                                            Reply& reply);
// None: it is not of our making.
std::optional<StoreEvent> read_told(std::string_view message, WireNames& names, const Loop& loop);

}  // namespace leasescope::redis
