// Rules of alerts from a TOML file: [[rule]] with name, kind, mutex or store, and the keys of its kind (core/alerts).
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/alerts/alert_rule.h"
#include "simulator/scenario/reader.h"

namespace leasescope {

tl::expected<std::vector<AlertRule>, InputError> read_alert_rules(std::string_view toml, const std::string& file);
// The error names the file, and the place where it has one.
tl::expected<std::vector<AlertRule>, std::string> read_alert_rules_file(const std::string& path);

}  // namespace leasescope
