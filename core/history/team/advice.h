// What somebody can do about an error of a team's database.
#pragma once
#include <string>

#include "core/history/team/connection.h"

namespace leasescope::team {

// "postgresql://user@host/db: what was wrong: what to do", without the password.
std::string told(const SqlError& error, const StoreUrl& url);

}  // namespace leasescope::team
