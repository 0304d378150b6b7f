// The SQL of resources/sql/mysql, with what a call puts into it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/store/port.h"

namespace leasescope::mysql {

const std::string& table_sql();
// What a connection is told before it serves lease calls. Whoever waits for a row longer than `lock_wait` is refused;
// the server counts in whole seconds, from one on.
std::string session_sql(Duration lock_wait);

// "1" where the table has the column fencing_token, of 3.3 and later; else "0".
const std::string& has_token_sql();

// One lease call, as one message of several statements. Not `fenced`: the table has no column fencing_token, and a term
// is its owner alone.
std::string contend_sql(const Request& request, std::string_view mutex, std::string_view caller, bool fenced);
std::string release_sql(const Request& request, std::string_view mutex, std::string_view caller, bool fenced);

// A text as it stands in a statement of such a session.
std::string literal(std::string_view text);

}  // namespace leasescope::mysql
