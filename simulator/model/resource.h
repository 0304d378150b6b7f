// The protected resource: keeps the highest token it has seen, of each permit, and with fencing refuses a lower one.
#pragma once
#include <vector>

#include "core/history/event.h"

namespace leasescope {

class Resource {
 public:
  Resource() = default;
  Resource(Name name, bool fencing, bool accepts_tokenless, std::uint32_t permits = 1)
      : name_(name), fencing_(fencing), accepts_tokenless_(accepts_tokenless), permits_(permits > 1 ? permits : 0) {}

  // A write arrives; the answer is the kind of event it makes.
  EventKind write(Token token) {
    if (fencing_ && token == kNoToken) return write_tokenless();
    if (!permits_.empty()) return write_with_permit(token);
    if (token >= highest_) {
      highest_ = token;
      return EventKind::kWriteAccepted;
    }
    return fencing_ ? EventKind::kWriteRejected : EventKind::kWriteStaleAccepted;
  }

  // Checks tokens otherwise from now on; what it has seen it remembers.
  void change_policy(bool fencing, bool accepts_tokenless) {
    fencing_ = fencing;
    accepts_tokenless_ = accepts_tokenless;
  }

  Name name() const { return name_; }
  // That it has seen, of the permit which that token is of.
  Token highest(Token of) const { return permits_.empty() ? highest_ : permits_[of % permits_.size()]; }

 private:
  EventKind write_with_permit(Token token) {
    Token& highest = permits_[token % permits_.size()];
    const bool stale = token < highest;
    if (!stale) highest = token;
    if (!stale) return EventKind::kWriteAccepted;
    return fencing_ ? EventKind::kWriteRejected : EventKind::kWriteStaleAccepted;
  }
  EventKind write_tokenless() const {
    if (!accepts_tokenless_) return EventKind::kWriteRejected;
    return highest_ == kNoToken ? EventKind::kWriteAccepted : EventKind::kWriteStaleAccepted;
  }

  Name name_;
  Token highest_ = kNoToken;
  bool fencing_ = true;
  bool accepts_tokenless_ = false;
  std::vector<Token> permits_;  // where there are several: the highest of each
};

}  // namespace leasescope
