// How long a store has answered nobody: who holds there is then not known, and not said.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>

#include "core/time/clock.h"

namespace leasescope {

class Silence {
 public:
  // `longest`: so long after a question that nobody answered it is unobserved, if nothing was answered since.
  TrueTime due(Duration longest) const {
    const bool observed = since_ == TrueTime::max();
    return observed || unobserved_at_ != TrueTime::max() ? TrueTime::max() : since_ + longest;
  }
  // Since when it is unobserved, once.
  std::optional<TrueTime> begun(TrueTime now, Duration longest) {
    const TrueTime from = due(longest);
    if (now < from) return std::nullopt;
    unobserved_at_ = from;
    return from;
  }
  void unanswered(TrueTime sent) {
    if (sent > answered_at_) since_ = std::min(since_, sent);
  }
  // Where it was unobserved: since when it may be no more.
  std::optional<TrueTime> answered(TrueTime sent, TrueTime received) {
    answered_at_ = std::max(answered_at_, received);
    since_ = TrueTime::max();
    if (unobserved_at_ == TrueTime::max()) return std::nullopt;
    return std::max(sent, std::exchange(unobserved_at_, TrueTime::max()));
  }

 private:
  TrueTime answered_at_ = TrueTime::min();
  TrueTime since_ = TrueTime::max();  // nothing sent since was answered
  TrueTime unobserved_at_ = TrueTime::max();
};

}  // namespace leasescope
