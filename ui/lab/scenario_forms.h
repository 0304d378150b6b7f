// The edited scenario in forms that other programs take; Qt Core only.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "ui/lab/scenario_document.h"

namespace leasescope {

// `leasescopectl run …` for a POSIX shell, that runs what is edited: by its name and settings where these say it all,
// else with the text itself on standard input. A store is named without its password.
tl::expected<std::string, std::string> commandLine(const ScenarioDocument& document);

// The lease as Simba's Spring Boot starter is told of it (`simba.redis.*`, `simba.jdbc.*`), with what it cannot be told
// in comments. The error says why Simba knows no such mutex.
tl::expected<std::string, std::string> springProperties(const Scenario& scenario);

}  // namespace leasescope
