// The book of leases.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "simulator/live/lease_clock.h"
#include "simulator/live/live_book.h"

namespace leasescope {

// One mutex. What is said here holds whatever became of the calls that were not answered:
// * a grant or a renewal lies between request and reply; one whose reply never came lies between the request and the
//   first sight of it;
// * a lease ends no earlier than it runs out, or than a release of it that may have arrived; no later than it runs out
//   after the last guard that may have arrived, or than the first proof: another's grant, or "free";
// * `released` is said of ours when the store did it, or when the lease is over before it can have run out and a
//   release was on its way; of a foreign owner, of whom only our own calls tell, when it is over before its time;
// * the token of an end is the last that was seen: a late acquire may have begun one more term unseen;
// * a foreign `expired` may have been a release too, and its bounds allow for that. Two terms of a foreign owner
//   without tokens look like one that was renewed, and so do two of ours where an answer was lost;
// * contenders up to 3.1 are told no token, neither of their own terms nor of another's: who of ours has one tells it
// by
//   its own answers, and of a foreign owner it is unknown until another contender is told;
// * a lease that is over, and that a clock set back makes last once more, is restored, and is no new grant.
// A lease runs by the store's clock; whoever sets that says so before and after.
// Replies of different contenders may be read in another order than the store acted in; those of one may not.
class HeldBook final : public LiveBook {
 public:
  HeldBook(const Facts& facts, Record record, IsOurs is_ours);

  void sending(Name node, const Request& request, TrueTime now, Sequence cause) override;
  Sequence replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) override;
  void handed_over(Name node, Token token, TrueTime received) override;
  void abandoned(Name node) override;
  void late_release(Name node, bool freed, TrueTime arrived, TrueTime answered) override;
  void may_have_forgotten(TrueTime at) override { forgot_at_ = at; }
  void clock_asked(std::size_t store, Duration by, TrueTime asked) override;
  void clock_set(std::size_t store, TrueTime done) override;
  void tick(TrueTime now) override;
  TrueTime due() const override;

  Name owner() const override { return owner_; }
  // When the lease has ended for certain unless it is renewed; TrueTime::max() when nothing is.
  TrueTime certain_end() const;

 private:
  struct Call {
    std::uint64_t id = 0;
    RequestKind kind = RequestKind::kAcquire;
    Wire wire = Wire::kFenced;
    Token term = kNoToken;  // that it names; none = whichever is its caller's
    TrueTime sent{};
    Sequence cause = 0;
    bool lost = false;  // nobody waits for its answer any more, but it may still arrive
    bool told = false;  // what it did is in the history, before its answer has come
  };
  using Calls = std::vector<Call>;  // of one contender, in the order of sending
  enum class Do { kAnything, kTake, kExtend, kFree };
  // What an answer says of the lease.
  struct Sight {
    Name owner;
    Token token = kNoToken;
    TrueTime sent{};
    TrueTime received{};
    Duration left{};
    bool exact = false;  // the store has just promised it
    bool tells_token = true;

    // By a clock that nobody sets.
    TrueTime end_lo() const;
    TrueTime end_hi() const;
  };

  LeaseBounds end_of(const Sight& sight) const;
  // As it was given or may be given from then on: at least so long, where the clock was set back, as a renewal by it
  // may bring the end nearer.
  TrueTime least_end(TrueTime from) const;
  bool may_be_renewed(Name owner) const;
  bool was_set_back() const { return clock_.last_set_back() > TrueTime::min(); }
  // What is left of a lease that was given just now. Of one's own the rest may be kept, which a clock set back makes
  // longer.
  bool is_whole(Duration left) const { return left >= facts_.lease && (left == facts_.lease || !was_set_back()); }
  TrueTime surely_until(const Sight& sight) const;
  void look_at_end(const Sight& sight);
  Duration promise_of(const Sight& sight, TrueTime lo) const;
  Call take(Name node, const Reply& reply, TrueTime sent);
  Sequence on_own(const Call& call, const Reply& reply, const Sight& sight);
  Sequence on_other(const Sight& sight);
  // The owner's own answer is awaited, and knows better when: until it is given up nothing is said.
  void withhold(const Sight& sight);
  void tell_withheld(Name owner);
  Sequence on_nobody(TrueTime sent, TrueTime received);
  Sequence on_release(Name node, const Call& call, const Reply& reply, TrueTime sent, TrueTime received);
  Sequence on_found(const Sight& sight);
  bool lasts_again(const Sight& sight) const;
  void restore(const Sight& sight);
  Sequence begin(const Sight& sight, TrueTime lo, TrueTime hi, Sequence cause, GrantKind how = GrantKind::kAsked);
  Sequence renew(const Sight& sight, TrueTime lo, TrueTime hi, Sequence cause);
  void look(const Sight& sight);
  // The lease of the owner is over: proven at `proof`.
  Sequence end_lease(TrueTime proof);
  bool over_before(const Sight& sight) const;
  bool same_term(const Sight& sight) const;
  // Of who calls as up to 3.1.
  bool is_tokenless(Name who) const;
  bool is_unclear(const Sight& sight) const;
  void learn_token(Sight& sight);
  Sequence taken_anew(const Sight& taken, Sequence cause);
  // Later than what is known: it may have been asked at the very moment of that. Terms without tokens tell nothing of
  // their order; but who is seen to hold since such a term was known, holds after it.
  bool news(const Sight& sight) const {
    const bool followed = owner_.empty() && !ran_out_.empty() && sight.owner != ran_out_ && sight.sent >= held_at_;
    return sight.sent >= known_at_ || followed || (token_ != kNoToken && sight.token > highest_);
  }
  bool lasts_since(const Sight& taken) const;
  bool held_throughout(const Call& call, TrueTime arrived, TrueTime answered) const;
  TrueTime latest_end() const;
  // Whether the call can begin a term, extend the one that is known, or free it.
  bool may(Do what, const Call& call) const;
  bool may(Do what, const Call& call, Token term) const;
  bool in_flight(Do what, Name node) const;
  // The earliest call that may have done it, or may do it yet; null = none.
  const Call* on_its_way(Do what, Name node) const;
  void arrived(Do what, Name node);
  void answered(TrueTime sent, TrueTime received);
  void silent(TrueTime sent);
  TrueTime unobserved_from() const;
  Sequence record(EventKind kind, Name node, TrueTime lo, TrueTime hi, Token token, Duration length, Sequence cause,
                  std::uint8_t detail = 0);

  Facts facts_;
  Record record_;
  IsOurs is_ours_;
  std::map<std::uint32_t, Calls> calls_;    // by name handle
  std::map<std::uint32_t, Wire> wires_;     // by name handle: of those who have called
  std::map<std::uint32_t, TrueTime> gone_;  // by name handle: when it was known last to have given back what it held
  Name owner_;
  Token token_ = kNoToken;
  bool token_untold_ = false;  // of a foreign owner that only contenders up to 3.1 have seen
  Token highest_ = kNoToken;
  Token unbroken_from_ = kNoToken;  // each term since then began in the one before
  TrueTime free_sent_{};            // when it was seen free last
  TrueTime free_received_{};
  TrueTime after_{};                     // the term that comes next began no earlier
  TrueTime promised_at_{};               // what was promised later is a renewal that was not told of yet
  TrueTime known_at_ = TrueTime::min();  // whatever was asked then or later tells of this state, or of a later one
  TrueTime held_at_ = TrueTime::max();   // likewise of the term that time alone has ended
  LeaseBounds end_;
  LeaseClock clock_;
  Name ran_out_;           // whose lease was the last, when that is over by itself,
  TrueTime ran_out_at_{};  // which was no earlier
  Sequence last_fact_ = 0;
  TrueTime forgot_at_ = TrueTime::min();
  TrueTime answered_at_ = TrueTime::min();
  TrueTime silent_since_ = TrueTime::max();  // nothing sent since was answered
  std::optional<Sight> withheld_;            // the latest
  bool unobserved_ = false;
  TrueTime unobserved_at_{};
};

}  // namespace leasescope
