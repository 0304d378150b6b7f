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
  };

  // `grants`: what the store granted, renewed, released and let expire, as calls on a lease. Else what applications
  // invoked and were told, and what expired or ended with a session.
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

  bool grants_;
  bool called_ = false;
  Calls calls_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> open_;  // by process and uid
  std::map<std::string, std::int64_t, std::less<>> session_ended_;       // when, by node
};

}  // namespace leasescope::check
