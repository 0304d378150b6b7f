// Gives a terminal back as it was when the program dies by a signal that nobody handles: of its own fault, of an
// exception that nobody caught, or sent by somebody.
#pragma once
#include <string>

#include "app/leasescopectl_kept_errors.h"

namespace leasescope::ctl {

class TerminalGuard {
 public:
  // Of the terminal at standard output, before anything is changed about it. `leave`: what makes it show what it showed
  // before, and its cursor. There is one at a time, and `errors` outlives it.
  TerminalGuard(const std::string& leave, const KeptErrors& errors);
  ~TerminalGuard();
  TerminalGuard(const TerminalGuard&) = delete;
  TerminalGuard& operator=(const TerminalGuard&) = delete;
};

}  // namespace leasescope::ctl
