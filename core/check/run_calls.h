// The calls that the history of a run tells of.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

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
    std::int64_t lease = 0;  // granted, renewed
    bool stolen = false;     // granted, disbelieved
  };

  // `grants`: what the store granted, renewed, released and let expire, as calls on a lease. Else what applications
  // invoked and were told, and what ended without a call of theirs: it expired, or with a session, or was stolen, or
  // was released though the application had been told that it had lost it.
  explicit RunCalls(bool grants) : grants_(grants) {}

  void add(const Told& told);
  void add(const History& history, Sequence number);
  void annotate(std::int64_t ns, std::string what) { calls_.annotations.push_back({ns, std::move(what)}); }
  // The calls so far, in the order of their beginnings. Who has not returned is of unknown outcome.
  Calls calls() const;
  // Whether an application has invoked anything.
  bool called() const { return called_; }

 private:
  Call& begin(const Told& told, Operation f);
  void momentary(const Told& told, Operation f);
  void grant(const Told& told);
  void application(const Told& told);
  void on_returned(const Told& told);
  void on_granted(const Told& told);
  void on_disbelieved(const Told& told);
  void on_expired(const Told& told);
  void on_released(const Told& told);
  void on_crashed(const Told& told);
  void end(const Told& told, std::int64_t at, std::int64_t sequence);

  // What an application has by its calls.
  struct Term {
    Token token = kNoToken;
    int entries = 0;
    bool over = false;            // it was told of a theft: what the store does with it later is no end any more
    bool refused = false;         // its unlock was in vain
    bool crashed = false;         // nobody tells it any more
    std::int64_t stolen_at = -1;  // of which it may not know
    std::int64_t stolen_by = 0;   // the event
  };
  // What it was granted and had ended before its call had returned: it may never hear of either.
  struct Untold {
    Token token = kNoToken;
    bool stolen = false;
    std::int64_t at = 0;
    std::int64_t sequence = 0;
  };
  struct Granted {
    std::string node;
    Token token = kNoToken;
  };
  using Holder = std::pair<std::uint32_t, std::uint32_t>;  // its name, the mutex's
  Holder holder(std::string_view node, std::string_view mutex) {
    return {calls_.names.intern(node).handle, calls_.names.intern(mutex).handle};
  }

  void begin_term(const Told& told, const Holder& who);
  void end_untold(const Holder& who, std::string_view mutex);

  bool grants_;
  bool called_ = false;
  Calls calls_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> open_;  // by process and uid
  std::map<std::string, std::int64_t, std::less<>> session_ended_;       // when, by node
  std::map<Holder, Term> terms_;
  std::map<Holder, Untold> untold_;
  std::set<Holder> asking_;                   // whose call to take it has not returned
  std::map<std::uint32_t, Granted> granted_;  // last, by mutex
};

}  // namespace leasescope::check
