// A team's database, as a command line names it.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/store/url.h"
#include "core/time/clock.h"

namespace leasescope::ctl {

// Rather than a file.
bool names_team(std::string_view text);
// With its password, from the URL or from where libpq finds one. `text` names one.
tl::expected<StoreUrl, std::string> team_url(const std::string& text);
// Of something that has the form of a URL and names no such database: what was expected; else empty.
std::string why_no_team(std::string_view text);

// What an observer is called where nobody says: the machine's name, without what cannot be in one.
std::string usual_observer();

// How long a history is kept: "30d", "720h"; a day at least.
tl::expected<Duration, std::string> parse_keep(const std::string& text);

}  // namespace leasescope::ctl
