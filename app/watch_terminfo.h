// What the terminal at standard output can do, as the data base of terminals says of $TERM.
#pragma once
#include <string>

namespace leasescope::ctl {

struct TerminalAbility {
  std::string why_not;  // it can show no picture; empty: it can
  std::string leave;    // what makes it show what it showed before, with its cursor
};
TerminalAbility terminal_ability();

}  // namespace leasescope::ctl
