// What a PostgreSQL does with advisory locks of sessions: each connection has a backend, a lock belongs to the
// connection and goes with it, and who waits for one stands in a queue. Whether a client is still there its kernel
// says.
#pragma once
#include <vector>

#include "core/base/prefetch.h"
#include "simulator/model/advisory/backend_terms.h"
#include "simulator/model/server_step.h"
#include "simulator/model/subscribers.h"

namespace leasescope {

class BackendModel {
 public:
  static constexpr bool kActs = true;
  using Terms = BackendTerms;
  static BackendModel make(const ModelSetting& setting, const Terms& terms) { return {setting.mutexes, terms}; }

  BackendModel(const std::vector<Name>& mutexes, const BackendTerms& terms);

  // The tag of a connection is its place: its number less one.
  bool take(const ServerCall& call, ServerNow now, ServerSteps& out);
  TrueTime deadline(std::uint32_t tag, const SkewedClock<ServerTime>& clock) const;
  void wake(std::uint32_t tag, ServerNow now, ServerSteps& out);
  void disturb(Disturbance what, ServerNow now, ServerSteps& out);
  bool listen(const ServerCall&) { return false; }
  const Subscribers& subscribers() const { return subscribers_; }

  // Whose connection holds.
  Name owner(std::uint32_t mutex) const;
  void fetch(std::uint32_t mutex) const { prefetch(&locks_[mutex]); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::uint32_t kProbes = 3;  // without an answer, and a quarter of the keep-alive after each

  struct Connection {
    Name client;
    NodeIndex node = 0;
    std::uint32_t life = 0;  // of its client's process
    std::uint32_t mutex = 0;
    std::uint64_t opened_by = 0;  // the request
    std::uint64_t last = 0;       // request that was taken: TCP drops what comes again, or after later ones
    bool open = true;
    std::uint32_t unanswered = 0;  // probes
    TrueTime next{};               // probe, or end
  };
  // A lock that cannot be granted yet, in the order in which they came.
  struct Wait {
    std::uint32_t place = 0;  // of its connection
    ServerCall call;
  };
  struct Lock {
    std::uint32_t holder = kNone;  // the place of its connection
    std::uint64_t count = 0;
    std::vector<Wait> queue;
  };

  static std::uint32_t place_of(std::uint64_t number) { return static_cast<std::uint32_t>(number - 1); }
  bool is_open(std::uint64_t number) const;
  Duration quarter() const { return terms_.keep_alive / (kProbes + 1); }
  Duration left(std::uint32_t place, TrueTime now) const;
  void hear(std::uint32_t place, TrueTime now);

  void take_from_kernel(const ServerCall& call, ServerNow now, ServerSteps& out);
  void open(const ServerCall& call, TrueTime now, ServerSteps& out);
  bool lock(const ServerCall& call, std::uint32_t place, TrueTime now, ServerSteps& out);
  void unlock(const ServerCall& call, std::uint32_t place, TrueTime now, ServerSteps& out);
  void look(const ServerCall& call, std::uint32_t place, TrueTime now, ServerSteps& out);
  void end(std::uint32_t place, SessionEnd how, ServerNow now, ServerSteps& out);
  void forget_all(ServerSteps& out);
  void hand_over(std::uint32_t mutex, TrueTime now, ServerSteps& out);
  void probe(std::uint32_t place, ServerSteps& out) const;

  std::vector<Wait>::iterator wait_of(std::uint32_t place);
  ServerStep& fact(std::uint32_t place, ServerSteps& out) const;
  ServerStep& free(std::uint32_t place, ServerStep::Fact how, ServerSteps& out);
  ServerStep& answer(const ServerCall& call, SessionAnswer said, ServerSteps& out) const;
  void grant(ServerStep& step, std::uint32_t place, TrueTime now);
  void renew(std::uint32_t place, TrueTime now, std::uint32_t cause, ServerSteps& out) const;

  BackendTerms terms_;
  std::vector<Lock> locks_;              // by mutex
  std::vector<Connection> connections_;  // all there ever were
  std::vector<std::uint32_t> latest_;    // by node: the place of its latest connection
  Subscribers subscribers_;
};

}  // namespace leasescope
