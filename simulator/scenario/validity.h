// For which settings what a scenario expects holds. Of others nothing is known, so that they are not judged by it.
#pragma once
#include <string>
#include <string_view>

#include "simulator/scenario/scenario.h"

namespace leasescope {

// What `valid_for` may name: mutex.ttl, mutex.transition and duration, contender.N.count, contender.N.behaviour.
enum class ValidKey : std::uint8_t { kNone, kTime, kNumber, kWord };
ValidKey valid_key_of(std::string_view key);
// Why no run of the scenario could be within it, and what to write: its ends are reversed, nobody behaves so, there is
// no such contender. Empty where one could.
std::string never_within(const ValidFor& valid, const Scenario& scenario);

// What the scenario expects as it is: with fencing, or without.
Expectations wanted_of(const Scenario& scenario);
// Why that cannot be asked of it: "contender.0.count below 3", "edited (store.loss)"; empty where it can.
std::string outside_of_expectations(const Scenario& scenario);
// Whether what `original` expects may be asked of `changed` as well: they differ at most in the seed, in names, in
// fencing and in what the expectations give a range for, be it in it or not.
bool judged_alike(Scenario changed, const Scenario& original);

}  // namespace leasescope
