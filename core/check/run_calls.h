// The calls that the history of a run tells of.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check/call.h"
#include "core/history/history.h"

namespace leasescope::check {

// Takes the events one by one, whether they come from a file or from a run that goes on.
class RunCalls {
 public:
  // What of an event matters here. Words as they are in the history file.
  struct Told {
    EventKind kind = EventKind::kStarted;
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    std::int64_t sequence = 0;
    std::string_view node;
    std::string_view mutex;
    Token token = kNoToken;
    Operation operation = Operation::kLock;  // invoked, returned
    Ending ending = Ending::kOk;             // returned
    std::uint64_t uid = 0;
    std::uint32_t permits = 0;
    std::int64_t lease = 0;  // granted, renewed; an attempt that was won: what is left of it, as its owner was told
    bool stolen = false;     // granted
    bool again = false;      // likewise: restored, or stolen by an attempt that had been granted it before
    Place written{};         // of a file
  };

  // `grants`: what the store granted, renewed, released and let expire, as calls on a lease. Else what applications
  // invoked and were told, and what ended without a call of theirs: it expired, or with a session, or was stolen, or
  // was released though the application had been told that it had lost it.
  explicit RunCalls(bool grants) : grants_(grants) {}
  // Of a history of calls that somebody else wrote: it tells of each end itself, also of those that nobody called for,
  // as a call (`expire`); nothing is concluded from what it does not tell. Before the first event.
  void take_as_told() { as_told_ = true; }

  // What tells of an application's calls and of what they came to, a store's grants among it; all else is passed over.
  static bool of_an_application(EventKind kind);

  void add(const Told& told);
  void add(const History& history, Sequence number);
  void add(const Event& event, Sequence number, const NameTable& names);
  void annotate(std::int64_t ns, std::string what) { calls_.annotations.push_back({ns, std::move(what)}); }
  // The calls so far, in the order of their beginnings. Who has not returned is of unknown outcome.
  Calls calls() const;
  // When the call began that this process has open under that number; nothing where it has none.
  std::optional<Moment> called_at(std::string_view node, std::uint64_t uid);
  std::size_t size() const { return calls_.calls.size(); }
  // Whether an application has invoked anything.
  bool called() const { return called_; }

 private:
  using Holder = std::pair<std::uint32_t, std::uint32_t>;  // handles of a client and a mutex

  // An end that nobody called for.
  struct Ended {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    std::int64_t sequence = 0;
    Token token = kNoToken;
    bool stolen = false;  // and else it would have run out then
    bool freed = false;   // by its holder
  };
  struct Open {
    std::size_t call = 0;
    std::optional<Ended> ended{};  // while it was open: what that means its own end decides
  };
  // By what an application was told, and what ended since; of several permits each has its own.
  struct Term {
    Token token = kNoToken;
    std::uint32_t entries = 0;
    bool let_go = false;     // it believes no more, or its unlock has failed: the store may have it held all the same
    std::int64_t since = 0;  // the event that told so
    // The store has it no more, and its holder does not know: it ends when he lets go, at that moment at the latest.
    std::optional<Ended> gone{};
  };
  struct Over {
    std::size_t call = 0;
    Term term;
  };
  struct Granted {
    Name node;
    Token token = kNoToken;
    std::int64_t until = 0;  // as it was promised last
  };
  struct To {
    Token token = kNoToken;
    std::int64_t sequence = 0;
  };

  Call& begin(const Told& told, Operation f);
  Call& expire(const Holder& who, const Ended& ended);
  void grant(const Told& told);
  void application(const Told& told);
  void as_told(const Told& told);
  void on_invoked(const Told& told);
  void on_returned(const Told& told);
  void on_granted(const Told& told);
  bool granted(const Holder& who, Token token, const Moment& since) const;
  void begin_anew(const Holder& who);
  void took_in_vain(const Holder& who, Token token);
  void on_left(const Told& told);
  void on_let_go(const Told& told, const Holder& who);
  void on_ended(const Ended& ended, const Holder& who);
  void on_held_on(const Told& told);
  void on_told_longer(const Told& told);
  void hold_on(const Holder& who);
  void free_after_the_end(const Holder& who);
  Term* term_of(const Holder& who, Token token);
  Term* entered_again(const Holder& who, Token token);
  void settle(const Open& open);
  Holder holder(const Told& told) {
    return {calls_.names.intern(told.node).handle, calls_.names.intern(told.mutex).handle};
  }

  bool grants_;
  bool as_told_ = false;
  bool called_ = false;
  std::int64_t now_ = 0;
  Calls calls_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Open> open_;  // by process and uid
  std::map<Holder, std::vector<Term>> terms_;
  std::map<Holder, Over> over_;               // what ended last without a call
  std::set<Holder> in_doubt_;                 // a call that takes has ended, and nobody knows whether it took
  std::map<std::uint32_t, Granted> granted_;  // last, by mutex
  std::map<Holder, To> granted_to_;           // last
};

}  // namespace leasescope::check
