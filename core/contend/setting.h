// What a contender of whichever system is given beside its system's own terms.
#pragma once
#include "core/base/random_stream.h"
#include "core/simba/generation.h"
#include "core/simba/lease_terms.h"

namespace leasescope {

struct ContenderSetting {
  Name id;
  Name mutex;
  LeaseTerms lease;                              // of systems without a transition it is the ttl alone
  Duration timeout = std::chrono::seconds(1);    // of each request
  Duration initial_delay{};                      // before the first attempt
  Behaviour behaviour = Behaviour::kLeasescope;  // of Simba's
  WakeUp wake_up = WakeUp::kBroadcast;           // likewise
  bool reports_callbacks = false;                // the host hands in CallbackDone after on_acquired
  std::uint32_t place = 0;                       // among all contenders, from 0
  RandomStream draws;                            // its own stream, keyed by (seed, its name, purpose)
};

}  // namespace leasescope
