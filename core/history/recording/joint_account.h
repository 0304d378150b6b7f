// What several observers saw of the same mutexes as one account: each stretch once, within the bounds that all of them
// leave; not observed only where none of them looked.
#pragma once
#include <vector>

#include "core/history/recording/observed_account.h"

namespace leasescope {

struct JointPart {
  const ObservedAccount* account = nullptr;
  std::vector<Name> stores;  // that it watches
};

// All by one clock, of names that they have in common. The events in the order of time, from moment 0 on.
//
// * Who is surely in force at one moment by two accounts is in the same term, and so is the same token of one owner.
// * It began, and ended, within the bounds of all who saw it do so; where these contradict each other, as the earlier
//   says.
// * Whoever is not there at another observer's first look after he was blind has ended by then, and so has whoever
// holds
//   alone when another holds.
// * Renewals of one term, and what a process says anew, that may be the same are told once.
// * No event has a cause.
std::vector<Event> joint_events(const std::vector<JointPart>& parts);

// Where all of them are blind.
std::vector<BlindStretch> blind_of_all(const std::vector<std::vector<BlindStretch>>& all);

}  // namespace leasescope
