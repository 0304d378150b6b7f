// Histories of the other lock systems by hand: a fenced lock with sessions and a queue, a chain of thefts over five
// stores, a semaphore of three permits, a read-write lock. Times in ms.
#pragma once
#include "tests/ui/gc_pause_history.h"

namespace leasescope::tests {

template <class Detail>
std::uint8_t detail(Detail of) {
  return static_cast<std::uint8_t>(of);
}

inline RunFacts lane_facts(std::int64_t length_ms, std::vector<MutexLegend> mutexes, std::size_t contenders = 3) {
  RunFacts facts = gc_pause_facts();
  facts.scenario = "by hand";
  facts.length = std::chrono::milliseconds(length_ms);
  facts.terms.transition = {};
  facts.legend.mutexes = std::move(mutexes);
  facts.legend.contenders = {"411@api-1", "873@api-2", "209@api-3", "118@api-4", "560@api-5"};
  facts.legend.contenders.resize(contenders);
  return facts;
}

// A hand that writes in order of time whatever order it is told in.
class LaneWriter : public HistoryWriter {
 public:
  explicit LaneWriter(const RunFacts& facts)
      : d(history.names.intern("118@api-4")), e(history.names.intern("560@api-5")) {
    history.legend = facts.legend;
  }
  void on(const char* name) { mutex = history.names.intern(name); }
  void granted(std::int64_t at, Name who, Token token, std::int64_t lease, GrantKind how = GrantKind::kAsked,
               std::int64_t permits = 0) {
    add(at, who, EventKind::kGranted, token, ms(lease), permits, detail(how));
  }
  void attempted(std::int64_t at, Name who, AttemptResult result, Token token = kNoToken) {
    add(at, who, EventKind::kAttempt, token, 0, static_cast<std::int64_t>(RequestKind::kAcquire), detail(result));
  }
  void believed(std::int64_t at, Name who, Token token, std::int64_t lease) {
    add(at, who, EventKind::kBelieved, token, lease == 0 ? kNoDeadline : ms(lease), ms(lease));
  }
  void disbelieved(std::int64_t at, Name who, Token token, DisbeliefReason why) {
    add(at, who, EventKind::kDisbelieved, token, 0, 0, detail(why));
  }
  void session(std::int64_t at, Name who, EventKind kind, std::int64_t number, SessionEnd how = SessionEnd::kClosed) {
    add(at, who, kind, kNoToken, ms(10'000), number, detail(how));
  }
  void beats(std::int64_t from, std::int64_t to, Name who, std::int64_t number) {
    for (std::int64_t at = from; at < to; at += 1000) session(at, who, EventKind::kSessionRenewed, number);
  }
  void vote(std::int64_t at, Name who, const char* of, bool granted = true) {
    add(at, who, granted ? EventKind::kVoteGranted : EventKind::kVoteEnded, kNoToken, ms(1000),
        history.names.intern(of).handle);
  }
  void rejected(std::int64_t at, Name who, Token token, Token seen) {
    add(at, who, EventKind::kWriteRejected, token, ledger.handle, static_cast<std::int64_t>(seen));
  }
  const History& finish(std::int64_t at) {
    std::stable_sort(history.events.begin(), history.events.end(),
                     [](const Event& one, const Event& other) { return one.hi < other.hi; });
    history.now = at_ms(at);
    return history;
  }

  Name d, e;
};

inline RunFacts fenced_facts() { return lane_facts(34'000, {{"orders", 1, "fenced"}}); }

// A enters twice and pauses for longer than its session lasts; B and C wait in the queue.
inline LaneWriter fenced_history() {
  LaneWriter w(fenced_facts());
  const auto pause = static_cast<std::uint8_t>(index_of(*find_fault_kind("pause")));
  for (const Name name : {w.a, w.b, w.c}) w.add(0, name, EventKind::kStarted);
  w.session(600, w.a, EventKind::kSessionOpened, 1);
  w.granted(600, w.a, 97, 0);
  w.attempted(605, w.a, AttemptResult::kWon, 97);
  w.believed(605, w.a, 97, 0);
  w.beats(1600, 8200, w.a, 1);
  w.add(2950, w.a, EventKind::kReentered, 97, 0, 2);
  w.add(5650, w.a, EventKind::kReentered, 97, 0, 1);
  w.session(4200, w.b, EventKind::kSessionOpened, 2);
  w.add(4200, w.b, EventKind::kQueued, kNoToken, 1, 7);
  w.beats(5200, 28'200, w.b, 2);
  w.session(6500, w.c, EventKind::kSessionOpened, 3);
  w.add(6500, w.c, EventKind::kQueued, kNoToken, 2, 8);
  w.beats(7500, 34'000, w.c, 3);
  w.add(8450, w.a, EventKind::kFaultBegan, kNoToken, ms(13'700), 0, pause);
  w.session(18'100, w.a, EventKind::kSessionEnded, 1, SessionEnd::kExpired);
  w.add(18'100, w.a, EventKind::kExpired, 97);
  w.add(18'100, w.b, EventKind::kDequeued, kNoToken, 1, 7);
  w.granted(18'100, w.b, 103, 0);
  w.attempted(18'250, w.b, AttemptResult::kWon, 103);
  w.believed(18'250, w.b, 103, 0);
  w.add(22'150, w.a, EventKind::kFaultEnded, kNoToken, ms(13'700), 0, pause);
  for (const std::int64_t at : {22'160, 22'660, 23'160, 23'660, 24'100}) w.rejected(at, w.a, 97, 103);
  w.attempted(24'150, w.a, AttemptResult::kFailed);
  w.disbelieved(24'150, w.a, 97, DisbeliefReason::kSession);
  w.session(26'000, w.a, EventKind::kSessionOpened, 4);
  w.add(26'000, w.a, EventKind::kQueued, kNoToken, 2, 9);
  w.beats(27'000, 34'000, w.a, 4);
  w.disbelieved(28'100, w.b, 103, DisbeliefReason::kStop);
  w.add(28'150, w.b, EventKind::kReleased, 103);
  w.add(28'150, w.c, EventKind::kDequeued, kNoToken, 1, 8);
  w.granted(28'150, w.c, 110, 0);
  w.attempted(28'200, w.c, AttemptResult::kWon, 110);
  w.believed(28'200, w.c, 110, 0);
  w.session(31'000, w.b, EventKind::kSessionEnded, 2, SessionEnd::kForced);
  w.writes(1000, 8400, w.a, 97);
  w.writes(18'500, 22'100, w.b, 103);
  w.writes(24'500, 28'000, w.b, 103);
  w.writes(28'500, 33'500, w.c, 110);
  w.incident(IncidentKind::kBeliefOverlap, 18'250, 24'150, {w.a, w.b}, {97, 103});
  w.incident(IncidentKind::kStaleWriteRejected, 22'160, 24'100, {w.a}, {97, 103});
  w.incident(IncidentKind::kSteppedDown, 24'150, 24'150, {w.a}, {97});
  w.finish(34'000);
  return w;
}

inline RunFacts quorum_facts() { return lane_facts(5000, {{"orders", 1, "quorum"}}); }

// B steals from A, C from B, each waits for the one before; then C's victim is gone.
inline LaneWriter quorum_history() {
  LaneWriter w(quorum_facts());
  static constexpr std::array<const char*, 5> kStores{"redis-1", "redis-2", "redis-3", "redis-4", "redis-5"};
  const auto take = [&](std::int64_t at, Name who) {
    static constexpr std::array<int, 5> kLate{20, 0, 45, 8, 30};
    for (std::size_t i = 0; i < kStores.size(); ++i) w.vote(at + kLate[i], who, kStores[i]);
  };
  for (const Name name : {w.a, w.b, w.c}) w.add(0, name, EventKind::kStarted);
  take(60, w.a);
  w.granted(85, w.a, 1, 1000);
  w.attempted(110, w.a, AttemptResult::kWon, 1);
  w.believed(110, w.a, 1, 1000);
  take(720, w.b);
  w.granted(745, w.b, 2, 1000, GrantKind::kStolen);
  w.attempted(770, w.b, AttemptResult::kWon, 2);
  take(1010, w.c);
  w.granted(1035, w.c, 3, 1000, GrantKind::kStolen);
  w.attempted(1060, w.c, AttemptResult::kWon, 3);
  w.disbelieved(1250, w.a, 1, DisbeliefReason::kStolen);
  w.add(1290, w.a, EventKind::kAcknowledged, 1, 0, w.b.handle);
  w.believed(1310, w.b, 2, 900);
  w.disbelieved(1330, w.b, 2, DisbeliefReason::kStolen);
  w.add(1335, w.b, EventKind::kAcknowledged, 2, 0, w.c.handle);
  w.believed(1360, w.c, 3, 700);
  for (const int at : {1290, 1430, 1570, 1710}) w.attempted(at, w.a, AttemptResult::kLost);
  for (const char* store : kStores) w.vote(2150, w.c, store, false);
  w.disbelieved(2140, w.c, 3, DisbeliefReason::kStop);
  w.add(2150, w.c, EventKind::kReleased, 3);
  take(2200, w.a);
  w.granted(2225, w.a, 4, 2200);
  w.attempted(2240, w.a, AttemptResult::kWon, 4);
  w.believed(2240, w.a, 4, 2200);
  take(2800, w.b);
  w.granted(2825, w.b, 5, 700, GrantKind::kStolen);
  w.attempted(2840, w.b, AttemptResult::kWon, 5);
  w.add(3080, w.b, EventKind::kCrashed);
  for (const char* store : kStores) w.vote(3525, w.b, store, false);
  w.add(3525, w.b, EventKind::kExpired, 5);
  take(3600, w.c);
  w.granted(3625, w.c, 6, 1400);
  w.attempted(3640, w.c, AttemptResult::kWon, 6);
  w.believed(3700, w.c, 6, 1400);
  w.disbelieved(4480, w.a, 4, DisbeliefReason::kStolen);
  w.add(4490, w.a, EventKind::kAcknowledged, 4, 0, w.b.handle);
  w.writes(150, 1200, w.a, 1);
  w.writes(2300, 3500, w.a, 4);
  for (std::int64_t at = 3800; at < 4400; at += 100) w.rejected(at, w.a, 4, 6);
  w.writes(3750, 5000, w.c, 6);
  w.incident(IncidentKind::kBeliefOverlap, 3700, 4480, {w.a, w.c}, {4, 6});
  w.incident(IncidentKind::kStaleWriteRejected, 3800, 4300, {w.a}, {4, 6});
  w.finish(5000);
  return w;
}

inline RunFacts pool_facts() { return lane_facts(30'000, {{"pool", 3, "cas"}}, 5); }

// Three permits, of which a paused holder's is given to another.
inline LaneWriter pool_history() {
  LaneWriter w(pool_facts());
  const auto hold = [&](std::int64_t from, std::int64_t to, Name who, Token token, GrantKind how = GrantKind::kAsked) {
    w.granted(from, who, token, 6000, how);
    w.attempted(from, who, AttemptResult::kWon, token);
    w.believed(from, who, token, 6000);
    for (std::int64_t at = from + 2000; at < to; at += 2000) {
      w.add(at, who, EventKind::kRenewed, token, ms(6000));
      w.add(at, who, EventKind::kAttempt, token, ms(6000), static_cast<std::int64_t>(RequestKind::kGuard));
    }
  };
  const auto release = [&](std::int64_t at, Name who, Token token) {
    w.disbelieved(at, who, token, DisbeliefReason::kStop);
    w.add(at, who, EventKind::kReleased, token);
  };
  const auto pause = static_cast<std::uint8_t>(index_of(*find_fault_kind("pause")));
  w.on("pool");
  hold(500, 8500, w.a, 41);
  w.add(9000, w.a, EventKind::kFaultBegan, kNoToken, ms(9700), 0, pause);
  hold(1200, 7400, w.b, 42);
  release(7400, w.b, 42);
  hold(2700, 19'000, w.c, 43);
  release(19'000, w.c, 43);
  for (const int at : {4100, 5200, 6300}) w.attempted(at, w.d, AttemptResult::kLost);
  hold(7600, 26'300, w.d, 44);
  release(26'300, w.d, 44);
  w.add(14'500, w.a, EventKind::kExpired, 41);
  hold(14'550, 30'000, w.e, 45);
  w.add(18'700, w.a, EventKind::kFaultEnded, kNoToken, ms(9700), 0, pause);
  w.disbelieved(19'100, w.a, 41, DisbeliefReason::kLost);
  hold(21'900, 30'000, w.b, 46);
  w.incident(IncidentKind::kBeliefOverlap, 14'550, 19'100, {w.a, w.e}, {41, 45});
  w.finish(30'000);
  return w;
}

inline RunFacts catalogue_facts() { return lane_facts(30'000, {{"catalogue", 1, "cas"}}, 4); }

// Three read beside each other, one writes alone.
inline LaneWriter catalogue_history() {
  LaneWriter w(catalogue_facts());
  w.on("catalogue");
  const auto hold = [&](std::int64_t from, Name who, Token token, GrantKind how, std::int64_t lease = 6000) {
    w.granted(from, who, token, lease, how);
    w.attempted(from, who, AttemptResult::kWon, token);
    w.believed(from, who, token, lease);
  };
  const auto release = [&](std::int64_t at, Name who, Token token) {
    w.disbelieved(at, who, token, DisbeliefReason::kStop);
    w.add(at, who, EventKind::kReleased, token);
  };
  hold(700, w.a, 8, GrantKind::kShared, 14'000);
  hold(2000, w.b, 9, GrantKind::kShared, 7000);
  release(8900, w.b, 9);
  hold(5300, w.c, 10, GrantKind::kShared, 8000);
  release(12'900, w.c, 10);
  for (const int at : {6400, 8300, 11'000}) w.attempted(at, w.d, AttemptResult::kLost);
  w.add(14'700, w.a, EventKind::kExpired, 8);
  hold(15'200, w.d, 11, GrantKind::kAsked, 9000);
  w.disbelieved(19'100, w.a, 8, DisbeliefReason::kLost);
  release(23'000, w.d, 11);
  hold(23'600, w.b, 12, GrantKind::kShared);
  hold(24'900, w.c, 13, GrantKind::kShared);
  w.incident(IncidentKind::kBeliefOverlap, 15'200, 19'100, {w.a, w.d}, {8, 11});
  w.finish(30'000);
  return w;
}

inline RunFacts bank_facts() { return lane_facts(20'000, {{"transfers", 1, "cas"}}); }

// A is paused in a transfer that B then does again; A goes on, and one is lost.
inline LaneWriter bank_history() {
  LaneWriter w(bank_facts());
  w.on("transfers");
  const Name bank = w.history.names.intern("bank B");
  const auto step = [&](std::int64_t at, Name who, TransferStep what, std::int64_t transfer) {
    w.add(at, who, EventKind::kTransferred, kNoToken, transfer, bank.handle, detail(what));
  };
  const auto whole = [&](std::int64_t at, Name who, std::int64_t transfer) {
    step(at, who, TransferStep::kHeld, transfer);
    step(at + 400, who, TransferStep::kCredited, transfer);
    step(at + 900, who, TransferStep::kSettled, transfer);
  };
  w.granted(100, w.a, 21, 5000);
  w.believed(110, w.a, 21, 5000);
  whole(400, w.a, 1);
  whole(1600, w.a, 2);
  step(2900, w.a, TransferStep::kHeld, 3);
  w.add(5100, w.a, EventKind::kExpired, 21);
  w.granted(5600, w.b, 22, 14'000);
  w.believed(5610, w.b, 22, 14'000);
  step(6000, w.b, TransferStep::kHeld, 3);
  step(6800, w.b, TransferStep::kCredited, 3);
  step(8000, w.a, TransferStep::kCreditedAgain, 3);
  step(8300, w.b, TransferStep::kSettled, 3);
  step(8600, w.a, TransferStep::kSettled, 3);
  step(8600, w.a, TransferStep::kLost, 4);
  w.disbelieved(8700, w.a, 21, DisbeliefReason::kLost);
  for (int i = 0; i < 5; ++i) whole(9000 + 1500 * i, w.b, 5 + i);
  step(17'000, w.b, TransferStep::kHeld, 10);
  w.incident(IncidentKind::kBeliefOverlap, 5610, 8700, {w.a, w.b}, {21, 22});
  w.finish(20'000);
  return w;
}

}  // namespace leasescope::tests
