// The book of sessions: who holds a fenced lock, how often, and how long his session lasts.
#pragma once
#include <map>
#include <vector>

#include "simulator/live/live_book.h"
#include "simulator/live/silence.h"

namespace leasescope {

// One mutex. It knows what our own clients were told:
// * who is told a new fence was granted it between asking for it first (its retries ask for the same) and that answer,
//   and not before the term that is known had begun to end;
// * a term is given back between the unlock or the close that does it and the answer, or the next grant;
// * a session lasts for its length after each open, heartbeat, lock and unlock that was answered, at least. Who is
//   granted after that follows a session that ran out; who is granted sooner, and nothing had gone out that gives the
//   lock back, was granted it beside another: no end is told, and the grant is a double one;
// * a term that ran out is the end of its session, whether its holder asks again in that session or not;
// * a holder who is told so sooner was forgotten;
// * a store that has answered nobody for two thirds of a session, in which each asks more than once, is unobserved
// until
//   it does.
// Of clients that are not ours nothing is told, but that a term of ours is over.
class SessionBook final : public LiveBook {
 public:
  SessionBook(const Facts& facts, Record record) : facts_(facts), record_(std::move(record)) {}

  void sending(Name node, const Request& request, TrueTime now, Sequence cause) override;
  Sequence replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) override;
  void abandoned(Name node) override { clients_[node.handle].calls.clear(); }
  void tick(TrueTime now) override;
  TrueTime due() const override { return silence_.due(longest_silence()); }
  Name owner() const override { return owner_; }

 private:
  struct Call {
    std::uint64_t id = 0;
    RequestKind kind = RequestKind::kOpenSession;
    std::uint64_t session = 0;
    TrueTime sent{};
    TrueTime received{};
    Sequence cause = 0;
  };
  struct Client {
    std::vector<Call> calls;             // on their way
    std::uint64_t session = 0;           // 0: none that is known to last
    TrueTime touched = TrueTime::min();  // the last sign of life that was answered went out
    TrueTime wants = TrueTime::max();    // the first lock went out that may have been granted, and is not known to be
  };

  static Call take(Client& client, const Reply& reply, TrueTime sent, TrueTime received);
  Sequence on_opened(Name node, Client& client, const Call& call, const Reply& reply);
  Sequence on_alive(Name node, const Call& call);
  Sequence on_locked(Name node, Client& client, const Call& call, const Reply& reply);
  Sequence on_unlocked(Name node, const Call& call, const Reply& reply);
  Sequence on_closed(Name node, Client& client, const Call& call);
  void on_session_ended(Name node, Client& client, const Call& call);
  void on_told(const Call& call, const Reply& reply);
  Sequence grant(Name node, Client& client, const Call& call, Token token);
  bool holds(Name node, std::uint64_t session) const { return owner_ == node && session_ == session; }
  Sequence give_back(Name node, const Call& call);
  // What was on its way to give it back may have done so; else its session is over.
  Sequence end_term(TrueTime proof);
  void record_session_over(Name node, Client& client, TrueTime lo, TrueTime proof, Sequence cause);
  bool may_be_over(TrueTime by) const;
  Duration longest_silence() const { return facts_.lease * 2 / 3; }
  Sequence record(EventKind kind, Name node, const Call& call, std::int64_t a, std::int64_t b, std::uint8_t detail = 0);
  Sequence record(EventKind kind, Name node, TrueTime lo, TrueTime hi, std::int64_t a = 0, std::int64_t b = 0,
                  Sequence cause = 0, std::uint8_t detail = 0);

  Facts facts_;
  Record record_;
  std::map<std::uint32_t, Client> clients_;  // by name handle
  Name owner_;
  std::uint64_t session_ = 0;  // in which it holds
  std::uint64_t entered_ = 0;  // how often
  Token token_ = kNoToken;
  TrueTime granted_{};                 // no later
  TrueTime touched_{};                 // the last sign of life of that session that was answered went out
  TrueTime leaves_ = TrueTime::max();  // the first call went out that may have given it back
  TrueTime free_from_{};               // the last term ended no earlier
  Sequence last_fact_ = 0;
  Silence silence_;
};

}  // namespace leasescope
