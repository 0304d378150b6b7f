// The calls of a register as PostgreSQL is asked and answers: a function (resources/sql/postgres/register_session.sql).
#pragma once
#include <string>
#include <vector>

#include "core/store/store.h"

typedef struct pg_result PGresult;

namespace leasescope::postgres {

inline constexpr const char* kCellSql =
    "select done, version, owner, mode, token, stamp, is_over "
    "from pg_temp.leasescope_cell($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
std::vector<std::string> cell_parameters(const Request& request, const WireNames& names, const Loop& loop);

// Adds to an empty answer what is said there; false when it makes no sense.
bool read_cell(const PGresult* result, const Request& request, WireNames& names, const Loop& loop, Reply& reply);

}  // namespace leasescope::postgres
