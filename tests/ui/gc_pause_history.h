// gc-pause by hand, for tests that must not depend on the simulator: A pauses, B is granted, A goes on believing.
#pragma once
#include "core/history/history.h"
#include "core/store/port.h"
#include "simulator/fault/kind.h"
#include "ui/models/run_facts.h"

namespace leasescope::tests {

inline TrueTime at_ms(std::int64_t ms) { return TrueTime(std::chrono::milliseconds(ms)); }
inline std::int64_t ms(std::int64_t n) { return n * 1'000'000; }

inline RunFacts gc_pause_facts() {
  RunFacts facts;
  facts.scenario = "gc-pause";
  facts.title = "A pause outlives the lease";
  facts.seed = 7;
  facts.terms.ttl = std::chrono::seconds(5);
  facts.terms.transition = std::chrono::seconds(2);
  facts.length = std::chrono::seconds(60);
  facts.legend.faults = fault_legend();
  facts.legend.mutexes.emplace_back().name = "orders";
  facts.legend.contenders = {"411@api-1", "873@api-2", "209@api-3"};
  facts.legend.resources = {{"ledger", true}};
  return facts;
}

// Appends events one after the other, in exact time or within bounds.
class HistoryWriter {
 public:
  HistoryWriter()
      : a(history.names.intern("411@api-1")),
        b(history.names.intern("873@api-2")),
        c(history.names.intern("209@api-3")),
        mutex(history.names.intern("orders")),
        ledger(history.names.intern("ledger")),
        store(history.names.intern("redis (model)")) {
    history.legend = gc_pause_facts().legend;
  }

  Event& add(std::int64_t at, Name node, EventKind kind, Token token = kNoToken, std::int64_t first = 0,
             std::int64_t second = 0, std::uint8_t detail = 0) {
    Event event;
    event.lo = event.hi = at_ms(at);
    event.node = node;
    event.mutex = mutex;
    event.kind = kind;
    event.token = token;
    event.a = first;
    event.b = second;
    event.detail = detail;
    history.events.push_back(event);
    history.now = std::max(history.now, event.hi);
    return history.events.back();
  }
  void won(std::int64_t at, Name node, Token token, RequestKind kind) {
    add(at, node, EventKind::kAttempt, token, ms(7000), static_cast<std::int64_t>(kind), 0);
  }
  void lost(std::int64_t at, Name node, Token token, std::int64_t remaining, std::int64_t jitter) {
    add(at, node, EventKind::kAttempt, token, ms(remaining), static_cast<std::int64_t>(RequestKind::kAcquire), 1);
    add(at, node, EventKind::kWakeupPlanned, token, ms(remaining + jitter), ms(jitter));
  }
  void acquire(std::int64_t at, Name node, Token token) {
    add(at, node, EventKind::kGranted, token, ms(7000));
    won(at, node, token, RequestKind::kAcquire);
    add(at, node, EventKind::kBelieved, token, ms(6990), ms(5000));
  }
  void renew(std::int64_t at, Name node, Token token) {
    add(at, node, EventKind::kRenewed, token, ms(7000));
    won(at, node, token, RequestKind::kGuard);
  }
  void writes(std::int64_t from, std::int64_t to, Name node, Token token) {
    for (std::int64_t at = from; at < to; at += 100)
      add(at, node, EventKind::kWriteAccepted, token, ledger.handle, static_cast<std::int64_t>(token));
  }
  void incident(IncidentKind kind, std::int64_t start, std::int64_t end, std::vector<Name> who,
                std::vector<Token> tokens) {
    Incident incident;
    incident.kind = kind;
    incident.mutex = mutex;
    incident.start = at_ms(start);
    incident.end = at_ms(end);
    incident.contenders = std::move(who);
    incident.tokens = std::move(tokens);
    incident.cause = "A's pause outlived its lease";
    history.incidents.push_back(incident);
  }

  History history;
  Name a, b, c, mutex, ledger, store;
};

// One pause that outlives a lease, to the millisecond.
inline HistoryWriter gc_pause_history() {
  HistoryWriter w;
  const auto pause = static_cast<std::uint8_t>(index_of(*find_fault_kind("pause")));
  for (const Name name : {w.a, w.b, w.c}) w.add(0, name, EventKind::kStarted);
  w.acquire(1, w.a, 33);
  w.lost(1, w.b, 33, 6999, 268);
  w.lost(1, w.c, 33, 6999, 929);
  w.renew(5000, w.a, 33);
  w.lost(7268, w.b, 33, 4732, 321);
  w.lost(7929, w.c, 33, 4071, -65);
  w.renew(10000, w.a, 33);
  w.lost(11935, w.c, 33, 5065, 813);
  w.writes(101, 12001, w.a, 33);
  w.add(12000, w.a, EventKind::kFaultBegan, kNoToken, ms(9000), 0, pause);
  w.lost(12321, w.b, 33, 4679, -175);
  w.lost(16826, w.b, 33, 174, 188);
  w.add(17000, w.a, EventKind::kExpired, 33);
  w.acquire(17189, w.b, 34);
  w.lost(17814, w.c, 34, 6375, 50);
  w.writes(17289, 21000, w.b, 34);
  w.add(21000, w.a, EventKind::kFaultEnded, kNoToken, ms(9000), 0, pause);
  w.add(21000, w.a, EventKind::kWriteRejected, 33, w.ledger.handle, 34);
  w.add(21000, w.a, EventKind::kDisbelieved, 33, 0, 0, static_cast<std::uint8_t>(DisbeliefReason::kWatchdog));
  w.lost(21001, w.a, 34, 3188, -5);
  w.renew(22189, w.b, 34);
  w.lost(24184, w.a, 34, 5005, 148);
  w.lost(24239, w.c, 34, 4950, 639);
  w.renew(27189, w.b, 34);
  w.writes(21100, 29000, w.b, 34);
  w.add(29000, w.b, EventKind::kDisbelieved, 34, 0, 0, static_cast<std::uint8_t>(DisbeliefReason::kStop));
  w.add(29000, w.b, EventKind::kReleased, 34);
  for (const Name name : {w.a, w.c})
    w.add(29001, name, EventKind::kNotification, kNoToken, static_cast<std::int64_t>(StoreEventKind::kReleased),
          w.b.handle, static_cast<std::uint8_t>(NotificationStep::kReceived));
  w.acquire(29002, w.c, 35);
  w.lost(29002, w.a, 35, 6999, 205);
  for (std::int64_t at = 34000; at < 60000; at += 5000) w.renew(at, w.c, 35);
  w.writes(29100, 60000, w.c, 35);
  w.incident(IncidentKind::kBeliefOverlap, 17189, 21000, {w.a, w.b}, {33, 34});
  w.incident(IncidentKind::kStaleWriteRejected, 21000, 21000, {w.a}, {33});
  w.history.now = at_ms(60000);
  return w;
}

}  // namespace leasescope::tests
