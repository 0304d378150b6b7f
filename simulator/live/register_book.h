// The book of registers: who has written himself into one, and until when that lasts.
#pragma once
#include <map>
#include <vector>

#include "simulator/live/live_book.h"
#include "simulator/live/silence.h"

namespace leasescope {

// One mutex. Each answer tells the version that a register had at some moment between question and answer, and versions
// follow each other; so of our own and of foreign clients alike is known:
// * what a write did lies between its question and its answer, and after the last question that was still answered with
//   an earlier version; one whose answer never came lies before the first sight of its version;
// * a promise ends as the model says (core/cas): by the store's clock, a lease after the write, or at its writer's
//   deadline where that is sooner. While a renewal may have been executed, or may be yet, it is not known to be over;
//   whoever still meets the version that was known, or takes by it, has proven that it was not;
// * who is taken from before that moment is told no end: the grant is a double one;
// * a version that goes back is a store that has forgotten;
// * a store that has answered nobody for two thirds of a lease is unobserved until it does.
// A foreign client's renewals and releases are met, not known: time alone ends nothing of its, and what is over before
// its time it has released. A claim is no grant. Of several writes of foreign clients between two answers the last
// alone is known.
class RegisterBook final : public LiveBook {
 public:
  RegisterBook(const Facts& facts, Record record, IsOurs is_ours)
      : facts_(facts), record_(std::move(record)), is_ours_(std::move(is_ours)) {}

  void sending(Name node, const Request& request, TrueTime now, Sequence cause) override;
  Sequence replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) override;
  void abandoned(Name node) override;
  void tick(TrueTime now) override;
  TrueTime due() const override;
  Name owner() const override;

 private:
  struct Call {
    std::uint64_t id = 0;
    Name node;
    bool sets = false;
    CellCall asked{};
    TrueTime sent{};
    Sequence cause = 0;
    bool given_up = false;  // nobody waits for its answer any more, but it may still be executed
  };
  // Of one answer.
  struct Sight {
    const Call* call = nullptr;  // what was asked
    const Reply* reply = nullptr;
    TrueTime sent{};
    TrueTime received{};

    CellMode mode() const { return static_cast<CellMode>(reply->answer & ~kLeaseOver); }
    bool held() const { return mode() == CellMode::kHeld || mode() == CellMode::kShared; }
  };
  struct Span {
    TrueTime lo{};
    TrueTime hi{};
  };
  // Of what is seen: a call of ours, null where none is known; of several that may have done it, the earliest went
  // then.
  struct Writer {
    const Call* call = nullptr;
    TrueTime sent = TrueTime::max();
  };
  struct Register {
    std::uint64_t version = 0;
    CellMode mode = CellMode::kFree;
    Name owner;
    Token token = kNoToken;
    bool promised = false;  // it is held, and nobody was told that it is over
    Span written;
    Span ends;            // that promise, if nothing comes in between
    TrueTime asked{};     // it had this version after that moment
    TrueTime received{};  // and before that
    Sequence fact = 0;    // what its last write was told as
  };

  Register& at(std::uint8_t cell);
  Sequence see(const Sight& sight);
  Sequence begin(Register& of, const Sight& sight);
  void end_former(Register& of, const Sight& sight, const Call* writer, Span when);
  const Call* gave_up(std::uint8_t cell, const Register& of) const;
  void forget(Register& of, const Sight& sight);
  static bool differs(const Register& of, const Sight& sight);
  Writer writer_of(const Sight& sight) const;
  Span promise_of(const Sight& sight, Span written) const;
  // Of a promise of which no more is heard; never for certain while a renewal of it may come, unseen or late.
  Span runs_out(std::uint8_t cell, const Register& of) const;
  void run_out(Register& of, Span when);
  void unobserved_no_more(TrueTime sent, TrueTime received);
  Duration longest_silence() const { return facts_.lease * 2 / 3; }
  Sequence record(EventKind kind, Name node, Span when, Token token, Duration lease, Sequence cause,
                  std::uint8_t detail = 0);

  Facts facts_;
  Record record_;
  IsOurs is_ours_;
  std::vector<Call> calls_;  // on their way, and given up
  std::vector<Register> registers_;
  Silence silence_;
};

}  // namespace leasescope
