// A contender of the quorum lock with priority stealing: Redlock over several servers, whose locks a higher priority
// takes away. A state machine without clock, socket, thread or callback. The rules: README.md.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "core/base/prefetch.h"
#include "core/base/random_stream.h"
#include "core/contend/effect.h"
#include "core/contend/setting.h"
#include "core/history/operation.h"
#include "core/quorum/terms.h"

namespace leasescope {

struct QuorumTimer {
  static constexpr Timer kCycle{0};  // the next attempt, the end of the hold or of the rest
  static constexpr Timer kWatch{1};  // the lease ends, or the wait for an acknowledgement
  static constexpr Timer kAside{2};  // the next extension or re-entry, or the acknowledgement it owes
};

class QuorumContender {
 public:
  using Terms = QuorumTerms;
  using Plan = QuorumPlan;
  static QuorumContender make(const ContenderSetting& setting, const Terms& terms, const Plan& plan) {
    return {setting, terms, plan};
  }

  QuorumContender(const ContenderSetting& setting, const Terms& terms, const Plan& plan)
      : setting_(setting), terms_(terms), plan_(plan) {}

  // One input with the contender's own clocks at this moment; changes the state and says what is to be done.
  Effects step(const Input& input, Clocks now);

  // After its process was lost: nothing is remembered but its draws and how often it has called.
  QuorumContender reborn(Name id) const;

  Name id() const { return setting_.id; }
  Status status() const { return status_; }
  bool running() const { return status_ == Status::kStarting || status_ == Status::kRunning; }
  bool believes() const { return believes_; }
  Token token() const { return believes_ ? token_ : kNoToken; }
  // What a check of the work goes by. As it was published a lock is held until somebody says otherwise; corrected, its
  // clock is asked as well.
  bool owns(SteadyTime now) const { return believes_ && (!compares_clock() || now < deadline_); }
  const RandomStream& draws() const { return setting_.draws; }

  // It holds though its victim has not acknowledged.
  bool unconfirmed() const { return believes_ && unconfirmed_; }
  int handles() const { return handles_; }  // those it has not left
  std::uint64_t acquisition() const { return acquisition_; }

  // Hints for the processor.
  void fetch_for_timer() const { prefetch(this, this + 1); }
  void fetch_for_reply() const { prefetch(this, this + 1); }

 private:
  enum class Phase : std::uint8_t {
    kResting,    // until it asks again; while it stops too
    kObtaining,  // asks the servers
    kAwaiting,   // has a majority, and waits for those it took it from
    kHolding,
    kYielding,  // its lock is over; the work under the mutex is not, or it owes an acknowledgement
  };
  struct Victim {
    Name who;
    std::uint64_t acquisition = 0;
    std::uint8_t by = 0;  // the server that named it
    bool late = false;    // when it had its majority already, so that its victim had none
    bool acknowledged = false;
  };
  struct Thief {
    Name who;
    std::uint64_t acquisition = 0;
    std::uint8_t by = 0;  // the servers through which it told, as bits
  };
  // Calls to all servers at once: their numbers follow each other.
  struct Round {
    std::uint64_t first = 0;  // 0 = none
    SteadyTime sent{};
    std::uint8_t granted = 0;  // servers, as bits
    std::uint8_t answered = 0;
    bool failed = false;   // one could not be asked
    bool unknown = false;  // one did not answer in time

    bool has(std::uint64_t request, int servers) const {
      return first != 0 && request >= first && request < first + static_cast<std::uint64_t>(servers);
    }
    bool take(const Reply& reply, std::uint8_t server);  // false: that server has answered before
  };
  struct Attempt : Round {
    std::uint8_t maybe = 0;   // may hold for it: all but those that denied it
    std::uint8_t behind = 0;  // denied it for its fence alone
    Duration remaining{};     // of who was in the way
  };
  // What a holder asks beside it: for one more handle, or for an extension.
  struct Aside : Round {
    bool open = false;
    bool enters = false;
  };
  // What it gives back, and what the servers say to that.
  struct Release {
    std::uint64_t uid = 0;  // of the unlock that waits for the answers, 0 = none
    Token token = kNoToken;
    std::uint64_t first = 0;
    std::uint8_t asked = 0;     // so many servers
    std::uint8_t answered = 0;  // of those, as bits
    std::uint8_t freed = 0;     // so many held it for this contender until then
    bool unknown = false;

    bool has(std::uint64_t request) const { return uid != 0 && request >= first && request < first + asked; }
  };

  static constexpr std::size_t kMostThieves = QuorumTerms::kMostServers;  // each by another vote
  static constexpr std::size_t kMostCleared = 8;

  void on_start(Effects& out);
  void on_stop(Effects& out, Clocks now);
  void finish_stop(Effects& out);
  void on_timer(Timer timer, Effects& out, Clocks now);
  void on_cycle(Effects& out, Clocks now);
  void on_watch(Effects& out, Clocks now);
  void on_aside(Effects& out, Clocks now);
  void on_reply(const Reply& reply, Effects& out, Clocks now);
  void on_message(const StoreEvent& event, Effects& out, Clocks now);
  void on_settled(Effects& out, Clocks now);  // a callback or the work has come to its end

  // attempt.cpp
  void ask(Effects& out, Clocks now);
  void attempt(Effects& out, Clocks now);
  void send_round(RequestKind kind, const QuorumCall& call, Round& round, Effects& out, Clocks now);
  void on_obtained(const Reply& reply, std::uint8_t server, Effects& out, Clocks now);
  void on_majority(Effects& out, Clocks now);
  void fail_attempt(Effects& out, Clocks now);
  void try_again(Effects& out, Clocks now);
  void refused(Effects& out);
  void take_back(Effects& out);  // what the servers may hold for this attempt
  bool restores(std::uint8_t server) const;
  QuorumRules rules() const;
  void end_attempt();
  bool clean() const;

  // theft.cpp: as a thief, and as a victim.
  void await(Effects& out, Clocks now);
  void on_all_acknowledged(Effects& out, Clocks now);
  void abandon(Effects& out, Clocks now);
  void on_stolen_attempt(Effects& out, Clocks now);
  void on_stolen(const StoreEvent& event, Effects& out, Clocks now);
  Victim victim_of(const Reply& reply, std::uint8_t server) const;
  void tell_late(const Victim& victim, Effects& out);
  bool all_acknowledged() const;
  void go_on_yielding(Effects& out, Clocks now);
  void on_acknowledged(const StoreEvent& event, Effects& out, Clocks now);
  void remember(const StoreEvent& event);
  void acknowledge(const Thief& thief, Effects& out);
  void acknowledge_all(Effects& out);
  void tell(RequestKind kind, std::uint8_t server, Name whom, std::uint64_t theirs, std::uint64_t own, Effects& out);

  // hold.cpp
  void hold(bool confirmed, Effects& out, Clocks now);
  void plan_aside(Effects& out, Clocks now);
  void ask_aside(RequestKind kind, QuorumCall call, Effects& out, Clocks now);

  // reentry.cpp
  void re_enter(Effects& out, Clocks now);
  void on_reentered(const Reply& reply, std::uint8_t server, Effects& out, Clocks now);
  void end_reentry(bool entered, Effects& out);

  // extension.cpp
  void extend(Effects& out, Clocks now);
  void on_extended(const Reply& reply, std::uint8_t server, Effects& out, Clocks now);

  // loss.cpp: it is not told to give it back, and does not have it any more.
  void let_go(DisbeliefReason reason, Effects& out, Clocks now);
  void go_on_without_it(Effects& out);
  void disbelieve(DisbeliefReason reason, Effects& out);

  // release.cpp
  void leave(Effects& out, Clocks now);
  void yield(Effects& out, Clocks now);
  void give_back(std::uint64_t uid, Effects& out);
  void on_given_back(const Reply& reply, Effects& out);
  void end_release(Ending ending, Effects& out);
  void rest(Effects& out);

  std::uint8_t all_servers() const { return static_cast<std::uint8_t>((1U << terms_.servers) - 1); }
  static std::uint8_t bit(std::uint8_t server) { return static_cast<std::uint8_t>(1U << server); }
  bool past_limit(SteadyTime at) const { return plan_.limit > Duration::zero() && at >= limit_at_; }
  bool stopping() const { return status_ == Status::kStopping; }
  bool settled() const { return !works_ && !in_callback_; }
  bool compares_clock() const { return terms_.corrected() && terms_.extend != QuorumTerms::Extend::kSetMissing; }
  bool asks() const { return phase_ == Phase::kObtaining || phase_ == Phase::kAwaiting; }
  bool enough(std::uint8_t servers) const { return std::popcount(servers) >= terms_.majority(); }
  bool all_answered() const { return std::popcount(attempt_.answered) == terms_.servers; }
  bool hopeless() const {
    return std::popcount(aside_.granted) + terms_.servers - std::popcount(aside_.answered) < terms_.majority();
  }
  Duration ttl() const { return plan_.ttl > Duration::zero() ? plan_.ttl : setting_.lease.ttl; }
  std::uint64_t next_uid() { return std::uint64_t{setting_.place} << 32 | ++calls_; }
  Request& send(RequestKind kind, int server, Effects& out);
  static void note_returned(Operation operation, std::uint64_t uid, Ending ending, Token token, Effects& out);

  ContenderSetting setting_;
  QuorumTerms terms_;
  QuorumPlan plan_;

  Status status_ = Status::kInitial;
  Phase phase_ = Phase::kResting;
  bool believes_ = false;
  bool unconfirmed_ = false;
  bool void_ = false;          // it believes by a handle that was not told: there is no lock beneath
  bool works_ = false;         // the application under the mutex
  bool in_callback_ = false;   // the application's on_acquired
  bool had_majority_ = false;  // the attempt
  bool passes_on_ = false;     // kYielding: not a lock, but an attempt that was stolen from
  bool waits_ = false;         // kYielding: for its own victims to let go
  bool lost_ = false;          // kYielding: the lock was over before its application gave it back
  bool told_ = false;          // what the application was told last
  std::uint8_t handles_ = 0;
  std::uint8_t to_enter_ = 0;  // so often yet; none once it was refused one
  std::uint8_t victim_count_ = 0;
  std::uint8_t thief_count_ = 0;
  std::uint32_t failures_ = 0;  // in a row
  std::uint64_t requests_ = 0;
  std::uint32_t calls_ = 0;
  std::uint64_t uid_ = 0;          // of the lock or unlock that is under way
  std::uint64_t reentry_uid_ = 0;  // of the call for one more handle that is under way
  std::uint64_t acquisition_ = 0;
  Token token_ = kNoToken;
  Token seen_ = kNoToken;  // the highest fence that a server told
  SteadyTime deadline_{};  // of its lease, drift taken off
  SteadyTime wait_until_{};
  SteadyTime limit_at_{};
  WallTime claim_until_{};  // what the notice says: its claim is over then
  Attempt attempt_;
  Aside aside_;
  Release release_;
  std::array<Victim, QuorumTerms::kMostServers> victims_{};
  std::array<Thief, kMostThieves> thieves_{};
  // Attempts of before, the last ones, that nobody needs to wait for: they hold nothing, and those they stole from have
  // let go.
  std::array<std::uint64_t, kMostCleared> cleared_{};
  std::uint8_t next_cleared_ = 0;
};

}  // namespace leasescope
