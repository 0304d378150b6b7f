// Two histories side by side: what each came to, and event by event when the same thing happened in either. They may be
// of two worlds, two seeds, two settings, a fork and its origin.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/history/history.h"
#include "core/history/side_figures.h"

namespace leasescope {

// Where something is to be seen in each of the two; none where it is not there.
struct ComparedPlaces {
  std::optional<TrueTime> a, b;
};
struct ComparedCount {
  std::string name;  // a field of the summary, or "incidents: belief_overlap"
  std::uint64_t a = 0, b = 0;
  ComparedPlaces at{};  // of incidents the first; else the first event of it that is not the same in both, or the first
};
struct ComparedLength {
  std::string_view name;  // "leaderless", "hand-off, median"
  Duration a{}, b{};
  ComparedPlaces at{};
};
struct ComparedRate {
  std::string_view name;       // "requests"
  std::uint64_t a = 0, b = 0;  // thousandths of one a second
  ComparedPlaces at{};         // where there were the most
};

// The moment at which something happened in one of them.
struct ComparedMoment {
  TrueTime lo{}, hi{};
  Sequence event = 0;  // its number there
};

// What is told of a run: who was granted what, gave it back, believed; faults, and writes that were refused or should
// have been. The same thing is the same kind of event of the same name, mutex and term, the n-th of its like.
struct ComparedEvent {
  EventKind kind = EventKind::kGranted;
  std::uint8_t detail = 0;
  std::string who, mutex;
  Token token = kNoToken;
  std::optional<ComparedMoment> a, b;  // none: it happened in the other only

  bool in_both() const { return a && b; }
  // How much later it happened in b, by the ends of the bounds. It must have happened in both.
  Duration later() const { return b->hi - a->hi; }
  // Whether it may have happened at one moment, as far as the bounds tell.
  bool at_once() const { return in_both() && a->lo <= b->hi && b->lo <= a->hi; }
  TrueTime at() const { return a ? a->hi : b->hi; }
};

struct ComparedHistories {
  std::vector<ComparedCount> counts;    // without those that are 0 in both
  std::vector<ComparedLength> lengths;  // likewise
  std::vector<ComparedRate> rates;      // likewise
  std::vector<ComparedEvent> events;    // by the moment in a, else in b
  std::size_t only_a = 0, only_b = 0;   // events
  std::size_t moved = 0;                // in both, and not at once

  bool same() const { return only_a + only_b + moved == 0; }
  // The first that is not the same in both; none when all are.
  const ComparedEvent* first_difference() const;
};

// Made in parts, so that whoever waits for it can do something else between them. Both histories must stay as they are.
class Comparing {
 public:
  // Up to `until`, which is the end of the shorter one when it is not given.
  Comparing(const History& a, const History& b, std::optional<TrueTime> until = {});

  // The next so many events; false when there are none any more.
  bool advance(std::size_t events);
  // Of all events of both how many are done, and how many there are.
  std::size_t done() const { return at_a_ + at_b_; }
  std::size_t events() const { return a_.events.size() + b_.events.size(); }
  // Once advance() has said that there are no more.
  ComparedHistories take();

 private:
  // The same thing in two histories, whatever number its event has there: kind, detail, name, mutex, term. The detail
  // of a fault is its kind, of a belief how it ended; of a grant it says how.
  using Like = std::tuple<EventKind, std::uint8_t, std::string_view, std::string_view, Token>;
  struct Alike {
    std::vector<std::size_t> in_a;  // places of those of a, in order
    std::size_t paired = 0;         // of them: with one of b
  };
  void take_a(const Event& event, Sequence number);
  void take_b(const Event& event, Sequence number);
  bool told(const Event& event) const;
  static ComparedEvent named(const Like& like);
  static Like likeness(const History& history, const Event& event);
  void count();
  void measure();
  ComparedPlaces places_of(std::string_view field) const;

  const History& a_;
  const History& b_;
  TrueTime end_;
  std::size_t at_a_ = 0, at_b_ = 0;  // events that are done
  std::map<Like, Alike> alike_;
  std::vector<ComparedEvent> of_a_, only_b_;
  SideFigures figures_a_, figures_b_;
  ComparedHistories out_;
};

// At once.
ComparedHistories compare(const History& a, const History& b, std::optional<TrueTime> until = {});

}  // namespace leasescope
