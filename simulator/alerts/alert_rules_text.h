// Rules of alerts as the TOML that read_alert_rules reads back to equal ones.
#pragma once
#include <string>
#include <vector>

#include "core/alerts/alert_rule.h"

namespace leasescope {

// Empty where there are none: a file of no rules is not one.
std::string alert_rules_text(const std::vector<AlertRule>& rules);

}  // namespace leasescope
