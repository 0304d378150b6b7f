// The form of a team's history, its number, and how an older one becomes a newer one: resources/sql/team has a file for
// each form, README.md says what is in it.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/history/team/connection.h"

namespace leasescope::team {

using Done = tl::expected<void, SqlError>;

// What this program writes.
int current_form();

// Makes what is missing, all or nothing; several may begin at once. `program`: the version that does.
Done bring_up_to_date(Connection& database, const std::string& program);
// Whether there is a history, in a form that this program reads.
Done expect_readable(Connection& database);

// By which transactions that change tables wait for each other, until they end.
Done take_turn(Connection& database);

}  // namespace leasescope::team
