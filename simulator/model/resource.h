// The protected resource: keeps the highest token it has seen and, with fencing, refuses a lower one.
#pragma once
#include "core/history/event.h"

namespace leasescope {

class Resource {
 public:
  Resource() = default;
  Resource(Name name, bool fencing, bool accepts_tokenless)
      : name_(name), fencing_(fencing), accepts_tokenless_(accepts_tokenless) {}

  // A write arrives; the answer is the kind of event it makes.
  EventKind write(Token token) {
    if (fencing_ && token == kNoToken) return write_tokenless();
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
  Token highest() const { return highest_; }

 private:
  EventKind write_tokenless() const {
    if (!accepts_tokenless_) return EventKind::kWriteRejected;
    return highest_ == kNoToken ? EventKind::kWriteAccepted : EventKind::kWriteStaleAccepted;
  }

  Name name_;
  Token highest_ = kNoToken;
  bool fencing_ = true;
  bool accepts_tokenless_ = false;
};

}  // namespace leasescope
