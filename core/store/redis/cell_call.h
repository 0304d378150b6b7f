// The calls of a register as Redis is asked and answers: a script (resources/lua/cell.lua).
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/redis/resp_reader.h"
#include "core/store/store.h"

namespace leasescope::redis {

// What stands behind the script's text or name.
std::vector<std::string> cell_words(const Request& request, const WireNames& names, const Loop& loop);

// Adds to an empty answer what is said there; an error when it makes no sense.
tl::expected<void, std::string> read_cell(const RespValue& value, const Request& request, WireNames& names,
                                          const Loop& loop, Reply& reply);

}  // namespace leasescope::redis
