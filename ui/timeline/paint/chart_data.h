// What the timeline draws: rows and spans, folded from a history, one event after the other. int64 nanoseconds only.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/history/history.h"
#include "core/history/standing.h"
#include "ui/models/cast.h"
#include "ui/models/run_facts.h"
#include "ui/models/words.h"
#include "ui/timeline/lanes/z_order.h"
#include "ui/timeline/paint/axis.h"
#include "ui/timeline/paint/clock_map.h"
#include "ui/timeline/tracks/band_track.h"
#include "ui/timeline/tracks/column.h"
#include "ui/timeline/tracks/interval_track.h"
#include "ui/timeline/tracks/lease_span.h"
#include "ui/timeline/tracks/span_track.h"
#include "ui/timeline/tracks/wrong_writes.h"

namespace leasescope {

// Of the events that are folded lanes look back at so many: the cause of what comes is not far behind it.
inline constexpr std::size_t kLookedBackAt = std::size_t{1} << 18;

inline constexpr int kNamed = 10;  // contenders with a hue of their own

enum class AttemptCause : std::uint8_t { kStart, kTimer, kNotified, kRenewal };

struct AttemptMark {
  TrueTime at{};
  Duration jitter{};        // kTimer: what was drawn
  std::uint32_t words = 0;  // of the store that refused it, a handle; 0 = none
  AttemptResult result = AttemptResult::kWon;
  AttemptCause cause = AttemptCause::kStart;
};

struct WakeWindow {
  TrueTime planned{};
  TrueTime lease_end{};  // the jitter range lies around it
  TrueTime drawn{};
  bool overtaken = false;  // by a notification
  TrueTime from{}, to{};
};

struct NotificationMark {
  TrueTime sent{};
  TrueTime at{};
  int source = kNoContender;  // who released
  int target = kNoContender;
};

struct WriteMark {
  TrueTime at{};
  Token token = kNoToken;
  Token highest = kNoToken;  // the resource had seen before
  Token granted = kNoToken;  // the store had granted by then
  int writer = kNoContender;
  EventKind result = EventKind::kWriteAccepted;
  bool changes = false;  // accepted, and of another term than the one before it
  WriteFate fate() const { return writeFate(result, token); }
  // Refused, or taken though it is stale: never dropped from a picture.
  bool wrong() const { return fate() != WriteFate::kNone && fate() != WriteFate::kAccepted; }
  // Taken by a resource that could not know of the later term.
  bool overtaken() const { return fate() == WriteFate::kAccepted && token != kNoToken && token < granted; }
};

enum class LifeKind : std::uint8_t { kStarted, kStopped, kCrashed, kRestarted, kStartRefused, kStopRefused };
struct LifeMark {
  TrueTime at{};
  LifeKind kind = LifeKind::kStarted;
  std::int64_t status = 0;  // in which it was, when it was refused
  bool refused() const { return kind >= LifeKind::kStartRefused; }
};

struct GapSpan {
  Moment begin;
  Moment end{kOpenEnd, kOpenEnd};
};

struct ContenderRow {
  std::string name;
  bool foreign = false;
  int mutex = 0;
  SpanTrack held, believed;
  Column<AttemptMark> attempts;
  Column<WakeWindow> windows;
  BandTrack bands;
  std::size_t given = 0;  // of the bands: how it was from the beginning, which has not happened
  std::vector<LifeMark> life;

  std::uint32_t incidents = 0;  // that it is part of
};

struct MutexRow {
  std::string name;
  std::uint32_t capacity = 1;  // so many may hold at once
  bool readers = false;        // some held beside others who read
  bool announced = false;      // the legend says what it allows; else it was watched from outside
  bool votes = false;          // of several stores: the majority holds
  SpanTrack held;              // in the order they were granted
  // The same by place, once several have held at the same time or may: in one place they follow each other.
  std::vector<SpanTrack> places;
  std::vector<GapSpan> gaps;
  IntervalTrack gaps_in_time;  // by their places in `gaps`
  BandTrack unobserved;        // when nobody could tell who held it, in order
  Token highest = kNoToken;
};

struct ResourceRow {
  std::string name;
  bool fencing = true;
  std::vector<WriteMark> writes;
  std::vector<std::uint32_t> wrong;               // the places of those that are
  std::array<WrongWrites, kWriteFates> wrong_of;  // the same by fate
};

struct IncidentMark {
  IncidentKind kind = IncidentKind::kBeliefOverlap;
  TrueTime start{}, end{};
  bool open = false;
  int mutex = 0;
  std::vector<int> contenders;
  std::vector<Token> tokens;
  std::string cause;
  bool instant() const { return start == end; }
};

// Which incidents meet a stretch of time, by their places in the list: of a kind all, or those about one mutex or one
// contender.
class IncidentTracks {
 public:
  void put(std::size_t incident, const IncidentMark& mark);

  const IntervalTrack& of(IncidentKind kind) const { return find(kind, kAll, 0); }
  const IntervalTrack& of_mutex(IncidentKind kind, int mutex) const { return find(kind, kMutex, mutex); }
  const IntervalTrack& of_contender(IncidentKind kind, int who) const { return find(kind, kContender, who); }

 private:
  enum Whose : std::uint8_t { kAll, kMutex, kContender };
  static std::uint64_t key(IncidentKind kind, Whose whose, int index) {
    return static_cast<std::uint64_t>(kind) << 40 | static_cast<std::uint64_t>(whose) << 32 |
           static_cast<std::uint32_t>(index);
  }
  const IntervalTrack& find(IncidentKind kind, Whose whose, int index) const;

  std::unordered_map<std::uint64_t, IntervalTrack> tracks_;
};

// What the lanes (ui/timeline/lanes/) have folded, as far as others than its own lane read it.
struct ChartRows {
  std::vector<MutexRow> mutexes;
  std::vector<ContenderRow> contenders;
  std::vector<ResourceRow> resources;
  BandTrack store_bands;
  BandTrack unobserved;  // of a store, from the first mutex that is not observed to the last that is again
  std::vector<NotificationMark> notifications;
  std::vector<IncidentMark> incidents;
  IncidentTracks incidents_in_time;
  bool sessions = false;  // contenders' rows have a lane for them
};

class ChartData {
 public:
  ChartData();
  ChartData(ChartData&&) noexcept;
  ChartData& operator=(ChartData&&) noexcept;
  ~ChartData();

  // Starts over with another run; facts may be empty, names are then taken as they come.
  void reset(const RunFacts& facts);
  // Folds what was appended since the last call; true when there was anything new. The same history every time.
  bool append(const History& history);
  // The events alone, of a history of which what was found and how far it is known are told at the end, by append().
  // Those it has had may be forgotten but for the last kLookedBackAt.
  void fold(const History& history);
  void set_now(TrueTime now);
  // What the row of requests is called, when stores come or go.
  void set_store(const std::string& names);

  const RunFacts& facts() const { return facts_; }
  // What times are counted by, on the ruler and in words; it lasts through a reset.
  const Axis& axis() const { return axis_; }
  void setAxis(const Axis& axis);
  // By a contender's clock that was not as the run's all along: where it has the moments. Null otherwise.
  const std::shared_ptr<const ClockMap>& clock() const { return clock_; }
  TrueTime place(TrueTime at) const { return clock_ == nullptr ? at : clock_->to_clock(at); }
  // Whose clock that is, also where it was right; kNoContender: nobody's.
  int clock_owner() const;
  const std::vector<MutexRow>& mutexes() const { return rows_.mutexes; }
  const std::vector<ContenderRow>& contenders() const { return rows_.contenders; }
  const std::vector<ResourceRow>& resources() const { return rows_.resources; }
  const BandTrack& store_bands() const { return rows_.store_bands; }
  // Time in which a store did not tell of all its mutexes, in order; a mutex has its own.
  const BandTrack& unobserved() const { return rows_.unobserved; }
  const std::vector<NotificationMark>& notifications() const { return rows_.notifications; }
  const std::vector<IncidentMark>& incidents() const { return rows_.incidents; }
  const IncidentTracks& incidents_in_time() const { return rows_.incidents_in_time; }
  bool sessions() const { return rows_.sessions; }
  // Moments worth stopping at, ascending.
  const Column<TrueTime>& moments() const { return moments_; }

  const Lanes& lanes() const { return lanes_; }
  const Lane& lane(LaneKind kind) const { return *lanes_[static_cast<std::size_t>(kind)]; }

  // How much there is to be seen in a contender's row: 0 = it only waits.
  std::uint64_t relevance(int contender) const;
  // Goes up when somebody is no longer idle, or rows come or go.
  std::uint64_t busy() const { return busy_; }

  TrueTime now() const { return now_; }  // known up to here
  TrueTime end() const { return TrueTime(facts_.length); }
  std::uint64_t revision() const { return revision_; }

  // As in the tables (ui/models/cast.h); the hue repeats from the eleventh on.
  std::string letter(int contender) const;
  int hue(int contender) const;

 private:
  friend class Folding;

  int contender_of(Name name) const;
  int mutex_of(Name name);
  int resource_of(Name name);
  std::string name_of(Name name) const { return std::string(history_->names.text(name)); }

  void seat(const Event& event);
  void stop_at(const Event& event);

  RunFacts facts_;
  Axis axis_;
  std::shared_ptr<const ClockMap> clock_;
  ChartRows rows_;
  Lanes lanes_;
  std::array<std::vector<Lane*>, kEventKinds> listeners_;  // by kind of event
  Column<TrueTime> moments_;
  std::vector<int> mutex_index_, resource_index_;  // by name handle, -1 = not met yet
  Cast cast_;
  Standing standing_;
  const History* history_ = nullptr;  // only during append
  Sequence folded_ = 0;
  bool settled_ = true;  // nothing was folded since
  TrueTime now_{};
  std::uint64_t revision_ = 0;
  std::uint64_t busy_ = 0;
};

// Until when a span lasted as far as is known: to its end, or, without one, to now. What was promised ends nothing.
inline TrueTime held_until(const ChartData& data, const LeaseSpan& span) {
  return span.open() ? std::max(data.now(), span.start.hi) : span.end.hi;
}

}  // namespace leasescope
