// What a fork may change: a run that goes on from one of its moments under another scenario.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "simulator/scenario/scenario.h"

namespace leasescope {

class BareRun;

// Faults, the links (store.latency, store.tells_after, store.loss, resource.latency), what the resource checks, the
// duration and what is expected may be otherwise from the fork on. The error names what may not.
tl::expected<void, std::string> check_fork(const Scenario& of, const Scenario& changed);

// The run from this moment on as `changed` says; `at` is what it has covered, its last input or later. Everything
// before stays as it was, and with nothing changed it goes on as it would have.
tl::expected<BareRun, std::string> fork(const BareRun& run, const Scenario& of, const Scenario& changed, TrueTime at);

}  // namespace leasescope
