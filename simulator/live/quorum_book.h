// The book of a quorum lock: which servers are for whom, and what that comes to by majority.
#pragma once
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/engine/majority.h"
#include "simulator/live/lease_clock.h"
#include "simulator/live/live_book.h"
#include "simulator/live/silence.h"

namespace leasescope {

// One mutex, on several servers. It knows what our own clients were told:
// * a server is for an attempt from between question and answer of what obtained it there, and until it is given back,
//   stolen by another of ours, or run out: its ttl after the latest of those calls that was answered, whose clock may
//   have stood anywhere in between; sooner or later by what that server's clock is set by, which who sets it says
//   before and after;
// * whom a server names to a thief as its victim it was for until then; to whom it goes back when the thief gives up it
//   names too;
// * who finds a server free, or another there, has proven that whoever was there before is not: it gave back, if that
//   was on its way, or it ran out; else the server has forgotten;
// * a majority is granted no sooner than so many servers may have been for it, and not before the last term had begun
//   to end; no later than so many were known to be;
// * servers that have answered nobody for two thirds of a lease, all of them, are unobserved until one does.
// Of attempts that nobody answered, and of clients that are not ours, nothing is told.
class QuorumBook final : public LiveBook {
 public:
  QuorumBook(const Facts& facts, Record record);

  void sending(Name node, const Request& request, TrueTime now, Sequence cause) override;
  Sequence replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) override;
  void abandoned(Name node) override;
  void clock_asked(std::size_t store, Duration by, TrueTime asked) override;
  void clock_set(std::size_t store, TrueTime done) override;
  void tick(TrueTime now) override;
  TrueTime due() const override;
  Name owner() const override { return majority_.owner(0); }

 private:
  struct Call {
    Request asked;
    TrueTime sent{};
    Sequence cause = 0;
    std::optional<Reply> answer{};  // of a give-back, until those of the other servers have come
  };
  struct Span {
    TrueTime lo{};
    TrueTime hi{};
  };
  struct Vote {
    Name owner;
    std::uint64_t acquisition = 0;
    std::uint64_t stolen_from = 0;
    Token token = kNoToken;
    Span since;
    LeaseBounds until;
  };
  // Of one server: who it is for is last, before it those it was stolen from, where they are kept.
  using Chain = std::vector<Vote>;
  class Known;
  // One answer, and what was asked.
  struct Sight {
    const Call* call = nullptr;
    const Reply* reply = nullptr;
    Span when;

    const QuorumCall& asked() const { return call->asked.quorum; }
    std::uint8_t server() const { return call->asked.store; }
  };

  LeaseBounds end_after(Duration ttl, const Sight& sight) const;
  void on_obtained(const Sight& sight);
  void on_extended(const Sight& sight);
  void have_given_back(std::uint64_t acquisition, TrueTime now);
  void on_given_back(const Sight& sight);
  void has_given_back(std::uint8_t server, std::uint64_t acquisition);
  bool restore(const Sight& sight);  // true: it is his again
  // Whoever is known there is not any more, as that answer shows.
  void clear(const Sight& sight);
  // Somebody, by a call whose answer is awaited, or will never come.
  bool is_obtaining(std::uint8_t server, bool awaited) const;
  TrueTime runs_out(std::size_t server) const;  // who has its vote, at the latest; max() = it is not known
  std::size_t first_over() const;               // the server whose vote runs out before the others
  static bool gives_back(const Call& call);
  bool gives_back(std::uint8_t server, std::uint64_t acquisition) const;
  void granted(std::uint8_t server, GrantKind how, Span when, Sequence cause);
  void ended(std::uint8_t server, const Vote& vote, VoteEnd how, Span when, Sequence cause);
  TrueTime runs_out_from(const Vote& vote, TrueTime from);
  Sequence tell_vote(EventKind kind, const Vote& vote, std::uint8_t server, Span when, Sequence cause,
                     std::uint8_t detail);
  void settle(EventKind kind, std::uint8_t detail, std::uint64_t acquisition, Span when, Sequence cause);
  TrueTime earliest(const Majority::Change& grant) const;
  Duration longest_silence() const { return facts_.lease * 2 / 3; }
  Sequence record(EventKind kind, Name node, Span when, Token token, std::int64_t a, std::int64_t b, Sequence cause,
                  std::uint8_t detail = 0);

  Facts facts_;
  Record record_;
  std::vector<Call> calls_;  // on their way; with a number of 0: nobody heard what became of it
  std::vector<Chain> servers_;
  std::vector<LeaseClock> clocks_;                                // of the servers
  std::deque<std::pair<std::uint8_t, std::uint64_t>> gave_back_;  // server, attempt: the last that were answered
  Majority majority_;
  std::uint64_t running_out_ = 0;  // an attempt of which a vote has run out
  TrueTime runs_out_from_{};       // then, the first of them
  TrueTime free_from_{};           // the last term ended no earlier
  Sequence last_grant_ = 0;
  Sequence last_fact_ = 0;
  Silence silence_;
};

}  // namespace leasescope
