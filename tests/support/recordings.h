// Histories that are recorded, and whether what is read is the same.
#pragma once
#include <string>

#include <fmt/format.h>

#include "core/history/history.h"
#include "core/history/history_header.h"
#include "core/history/recording/event_words.h"
#include "core/history/summary_fields.h"

namespace leasescope::tests {

inline bool same(const Event& a, const Event& b) {
  return a.lo == b.lo && a.hi == b.hi && a.token == b.token && a.a == b.a && a.b == b.b && a.node == b.node &&
         a.mutex == b.mutex && a.cause == b.cause && a.kind == b.kind && a.detail == b.detail;
}

inline bool same(const Incident& a, const Incident& b) {
  return a.kind == b.kind && a.mutex == b.mutex && a.start == b.start && a.end == b.end && a.open == b.open &&
         a.contenders == b.contenders && a.tokens == b.tokens && a.cause == b.cause;
}

inline bool same(const Summary& a, const Summary& b) {
  for (const SummaryCount& field : kSummaryCounts)
    if (a.*field.of != b.*field.of) return false;
  for (const SummaryLength& field : kSummaryLengths)
    if (a.*field.of != b.*field.of) return false;
  return a.incidents == b.incidents;
}

inline bool same(const Legend& a, const Legend& b) {
  const auto each = [](const auto& x, const auto& y, auto equal) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
  };
  return each(a.faults, b.faults,
              [](const FaultLegend& x, const FaultLegend& y) {
                return x.name == y.name && x.spoken == y.spoken && x.began == y.began && x.ended == y.ended &&
                       x.disturbs == y.disturbs && x.band == y.band && x.lasts == y.lasts;
              }) &&
         each(a.mutexes, b.mutexes,
              [](const MutexLegend& x, const MutexLegend& y) {
                return x.name == y.name && x.capacity == y.capacity && x.system == y.system;
              }) &&
         a.contenders == b.contenders &&
         each(a.resources, b.resources,
              [](const ResourceLegend& x, const ResourceLegend& y) {
                return x.name == y.name && x.fencing == y.fencing;
              }) &&
         a.store.timeout == b.store.timeout && a.store.round_trip == b.store.round_trip &&
         a.store.tells == b.store.tells;
}

// What of them is not the same; empty: all is.
inline std::string difference(const History& a, const History& b) {
  if (a.names.size() != b.names.size()) return fmt::format("{} names and {}", a.names.size(), b.names.size());
  for (std::uint32_t handle = 0; handle < a.names.size(); ++handle)
    if (a.names.text({handle}) != b.names.text({handle})) return fmt::format("name {}", handle);
  if (!same(a.legend, b.legend)) return "the legend";
  if (a.forgotten != b.forgotten) return fmt::format("{} forgotten and {}", a.forgotten, b.forgotten);
  if (a.events.size() != b.events.size()) return fmt::format("{} events and {}", a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i)
    if (!same(a.events[i], b.events[i])) return fmt::format("event {}", a.number(i));
  if (a.incidents.size() != b.incidents.size())
    return fmt::format("{} incidents and {}", a.incidents.size(), b.incidents.size());
  for (std::size_t i = 0; i < a.incidents.size(); ++i)
    if (!same(a.incidents[i], b.incidents[i])) return fmt::format("incident {}", i);
  if (!same(a.summary, b.summary)) return "the summary";
  return a.now == b.now ? std::string() : "how far it is known";
}

// A history of no run, in which everything occurs that can be recorded.
class ToldHistory {
 public:
  ToldHistory() {
    for (const char* const name : {"orders", "c1", "c2", "ledger", "foreign\xff\"x\n", "READONLY You can't write"})
      history_.names.intern(name);
    history_.names.intern(std::string_view("a\0b", 3));
    history_.legend.faults = {
        {"pause", "pause", "{who} pauses", "{who} goes on", Disturbs::kPauses, BandKind::kPause, true},
        {"failover", "failover", "fails over", "", Disturbs::kFailsOver, BandKind::kServer, false}};
    history_.legend.mutexes = {{"orders", 3, "cas"}, {"bills", 1, "simba"}};
    history_.legend.contenders = {"c1", "c2"};
    history_.legend.resources = {{"ledger", true}, {"archive", false}};
    history_.legend.store = {Duration(1'000'000'000), Duration(2'345'678), false};
  }

  // The event of that number: of every kind and detail in turn.
  static Event event(std::uint64_t number) {
    Event out;
    out.kind = static_cast<EventKind>(number % kEventKinds);
    out.detail = static_cast<std::uint8_t>(number / kEventKinds % static_cast<std::uint64_t>(details_of(out.kind)));
    out.lo = TrueTime(Duration(static_cast<std::int64_t>(number * 20'000)));
    out.hi = out.lo + Duration(number % 3 == 0 ? 1'500 : 0);
    out.token = number / 100;
    out.cause = number > 7 && number % 2 == 0 ? static_cast<Sequence>(number - number % 7 - 1) : 0;
    out.node.handle = 2 + static_cast<std::uint32_t>(number % 2);
    out.mutex.handle = 1;
    out.a = names_in_a(out) ? 4 : static_cast<std::int64_t>(number % 7);
    out.b = names_in_b(out) ? 5 : -static_cast<std::int64_t>(number);
    return out;
  }

  void grow(std::size_t events) {
    for (std::size_t i = 0; i < events; ++i) history_.events.push_back(event(std::uint64_t{history_.last()} + 1));
    history_.now = history_.events.empty() ? TrueTime{} : history_.events.back().hi;
    history_.summary.renewals = history_.last();
    history_.summary.belief_overlap = Duration(history_.last() * 3);
  }
  void add_incident(IncidentKind kind, bool open) {
    history_.incidents.push_back({kind,
                                  Name{1},
                                  history_.now,
                                  history_.now + Duration(5),
                                  open,
                                  {Name{2}, Name{3}},
                                  {kNoToken, 7, UINT64_MAX},
                                  "c1 paused \xff for long."});
    ++history_.summary.incidents[static_cast<std::size_t>(kind)];
  }

  History& history() { return history_; }
  const History& history() const { return history_; }

 private:
  History history_;
};

inline HistoryHeader told_header() {
  HistoryHeader header;
  header.program = "9.8.7";
  header.scenario = "gc-pause";
  header.title = "A pause outlives the lease";
  header.toml = "schema = 1\n";
  header.seed = UINT64_MAX;
  header.world = "live";
  header.store = "redis://host:6379/0";
  header.epoch_ns = 1'700'000'000'000'000'000;
  header.until_ns = 5;
  header.fork = {6, "schema = 1 # after\n"};
  return header;
}

}  // namespace leasescope::tests
