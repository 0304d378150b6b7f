// The calls of a lease as Redis is asked and answers: the scripts of Simba's kind (resources/lua).
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/store/redis/command.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/store.h"

namespace leasescope::redis {

// Whether who is refused takes its place in the queue of contenders up to 3.1. `legacy`: they are among the others.
bool queues(const Request& request, bool legacy);

// By the script's name, or with its text.
Command lease_command(const Request& request, const Keys& keys, const std::string& contender, bool legacy,
                      bool by_name);

// Adds to an empty answer what is said there; an error when it makes no sense.
tl::expected<void, std::string> read_lease(const RespValue& value, const Request& request, WireNames& names,
                                           Reply& reply);

}  // namespace leasescope::redis
