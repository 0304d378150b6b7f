// How long a recording is kept, as a command line says it.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/history/recording/retention.h"

namespace leasescope::ctl {

// "30d", as of a team's database, and "2GB" (kB, MB, GB; of 1000); empty: not so limited.
tl::expected<Retention, std::string> read_retention(const std::string& keep, const std::string& keep_size);

// recording retain FILE: the exit code; all has been said.
int retain_file(const std::string& path, const Retention& retention);

}  // namespace leasescope::ctl
