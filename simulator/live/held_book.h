// What the live store held, as far as our own requests and replies prove it: facts with bounds, each told once.
#pragma once
#include <functional>
#include <map>

#include "core/history/event.h"
#include "core/store/port.h"

namespace leasescope {

// One mutex. A grant lies between request and reply; what ends a lease unseen is bounded by its length and by the first
// proof. Replies may be read in another order than the store acted in.
class HeldBook {
 public:
  using Record = std::function<Sequence(const Event&)>;
  using IsOurs = std::function<bool(Name)>;

  HeldBook(Name mutex, Duration lease, Record record, IsOurs is_ours);

  // A lease call of ours goes out; then exactly one of the two.
  void sending(Name node, const Request& request, TrueTime now);
  // Returns the event the reply leads on from: the grant, the renewal, the release, or 0.
  Sequence replied(Name node, const Reply& reply, TrueTime sent, TrueTime received, Sequence cause);
  void abandoned(Name node);  // its process is gone
  // A message of the store; it can prove that a foreign owner let go.
  void heard(const StoreEvent& event, TrueTime received);
  // Time alone can end a lease: call at certain_end() or later.
  void tick(TrueTime now);

  // Who holds as far as is known; empty = nobody.
  Name owner() const { return owner_; }
  // When the lease has ended for certain unless it is renewed; TrueTime::max() when nothing is.
  TrueTime certain_end() const;

 private:
  struct OnItsWay {
    int calls = 0;
    TrueTime release_sent{};  // of a release not known to have failed
    bool releasing = false;
  };

  Sequence on_own(Name node, const Reply& reply, TrueTime sent, TrueTime received, Sequence cause);
  void on_others(const Reply& reply, TrueTime sent, TrueTime received);
  void on_nobody(TrueTime sent, TrueTime received);
  Sequence on_release(Name node, const Reply& reply, TrueTime sent, TrueTime received, Sequence cause);
  // The lease of the owner is over: proven at `proof`.
  Sequence end_lease(TrueTime proof, Sequence cause);
  bool news(const Reply& reply, TrueTime sent) const;
  Sequence record(EventKind kind, Name node, TrueTime lo, TrueTime hi, Token token, Duration length, Sequence cause);

  Name mutex_;
  Duration lease_;
  Record record_;
  IsOurs is_ours_;
  std::map<std::uint32_t, OnItsWay> ways_;  // by name handle
  Name owner_;
  Token token_ = kNoToken;
  TrueTime last_lo_{};  // of the last grant, renewal or sight
  TrueTime last_hi_{};
  TrueTime changed_lo_{};  // of the last change of owner, also to nobody
  TrueTime changed_hi_{};
  Duration left_{};        // from last_lo_ / last_hi_ on
  bool doubtful_ = false;  // a call ended unknown: it may have renewed
  Sequence last_fact_ = 0;
};

}  // namespace leasescope
