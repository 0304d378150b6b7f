// What a locker is made of: a contender that runs while somebody waits for the mutex or holds it.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/contend/client/contender_parts.h"

namespace leasescope::client {

struct Locker::Parts : std::enable_shared_from_this<Locker::Parts> {
  Parts(std::shared_ptr<Client::Parts> client, const std::string& mutex, const Terms& terms);

  tl::expected<Lock, NotLocked> acquire(Nanoseconds within);
  bool in_callback() const { return contender_.in_callback(); }
  bool holds() const;
  bool release();
  void on_lost(std::function<void(const Term&)> callback);

 private:
  enum class State { kFree, kWaits, kGivesUp, kHeld, kLost };

  void acquired();
  void released(const Term& term, End end);
  std::string why_not() const;

  mutable std::mutex guard_;
  std::condition_variable changed_;
  State state_ = State::kFree;  // under the guard, as what follows
  bool refused_ = false;        // the store has answered, and it was somebody else's
  std::function<void(const Term&)> lost_;
  Contender::Parts contender_;
};

}  // namespace leasescope::client
