// The SQL of resources/sql/postgres, and the channel a mutex's messages go to.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/store/port.h"

namespace leasescope::postgres {

// What calls of that family need: their tables, and of each connection its functions.
const std::string& table_sql(Family family);
// Their names: "simba_mutex".
const std::vector<std::string_view>& table_names(Family family);
// Likewise, of the sequence that fences are drawn from; empty where there is none.
std::string_view sequence_name(Family family);
// What a connection is told before it serves lease calls, a message each: the first opens it for writing.
const std::string& first_sql();
const std::string& session_sql(Family family);
// "leasescope_" and 16 hex digits of the name's hash: a channel is an identifier of at most 63 bytes.
std::string channel_of(std::string_view mutex);

}  // namespace leasescope::postgres
