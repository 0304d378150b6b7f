// What the timeline draws: rows and spans, folded from a history, one event after the other. int64 nanoseconds only.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/history/history.h"
#include "core/history/standing.h"
#include "ui/models/cast.h"
#include "ui/models/words.h"
#include "ui/timeline/lanes/z_order.h"
#include "ui/timeline/paint/run_facts.h"

namespace leasescope {

inline constexpr TrueTime kOpenEnd = TrueTime::max();  // has not ended yet
inline constexpr int kNoContender = -1;
inline constexpr int kNamed = 10;  // contenders with a hue of their own

// A moment known within bounds; equal but in the live world.
struct Moment {
  TrueTime lo{};
  TrueTime hi{};
  bool exact() const { return lo == hi; }
};

enum class SpanEnd : std::uint8_t {
  kOpen,
  kRenewed,
  kReleased,
  kExpired,
  kTakenOver,
  kLost,
  kWatchdog,
  kStop,
  kEvent,
  kFailure,
  kSession,
  kStolen,
  kUnconfirmed,
  kUnseen,  // the store does not answer: as far as is known
};

// One lease in force, as the store held it or as a contender believed it: from a grant or a renewal to the next.
struct LeaseSpan {
  Moment start;
  Moment end{kOpenEnd, kOpenEnd};
  TrueTime ttl_end{};    // then the transition
  TrueTime lease_end{};  // held: as promised; believed: the contender's own deadline
  Token token = kNoToken;
  int contender = kNoContender;
  int mutex = 0;
  SpanEnd ending = SpanEnd::kOpen;
  bool renewal = false;    // begins by one
  bool shared = false;     // beside others who read
  std::uint16_t slot = 0;  // the lowest free place of those that a mutex has

  bool open() const { return end.hi == kOpenEnd; }
};

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
  WriteFate fate() const { return writeFate(result, token); }
  // Taken by a resource that could not know of the later term.
  bool overtaken() const { return fate() == WriteFate::kAccepted && token != kNoToken && token < granted; }
};

// A fault, an outage or unobserved time over a whole row.
struct BandSpan {
  TrueTime begin{};
  TrueTime end = kOpenEnd;
  BandKind kind = BandKind::kPause;
  bool lasts = true;       // else a moment
  std::string label;       // "pause", "clock +2 s"
  std::uint32_t name = 0;  // handle of the node, to find its end
  int fault = -1;
  bool open() const { return end == kOpenEnd; }
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
  std::vector<LeaseSpan> held, believed;
  std::vector<AttemptMark> attempts;
  std::vector<WakeWindow> windows;
  std::vector<BandSpan> bands;
  std::vector<LifeMark> life;

  std::uint32_t incidents = 0;  // that it is part of
};

struct MutexRow {
  std::string name;
  std::uint32_t capacity = 1;   // so many may hold at once
  bool readers = false;         // some held beside others who read
  bool votes = false;           // of several stores: the majority holds
  std::vector<LeaseSpan> held;  // in the order they were granted
  // The same by place, once several have held at the same time or may: in one place they follow each other.
  std::vector<std::vector<LeaseSpan>> places;
  std::vector<GapSpan> gaps;
  Token highest = kNoToken;
};

struct ResourceRow {
  std::string name;
  bool fencing = true;
  std::vector<WriteMark> writes;
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

// What the lanes (ui/timeline/lanes/) have folded, as far as others than its own lane read it.
struct ChartRows {
  std::vector<MutexRow> mutexes;
  std::vector<ContenderRow> contenders;
  std::vector<ResourceRow> resources;
  std::vector<BandSpan> store_bands, unobserved;
  std::vector<NotificationMark> notifications;
  std::vector<IncidentMark> incidents;
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
  void set_now(TrueTime now);

  const RunFacts& facts() const { return facts_; }
  const std::vector<MutexRow>& mutexes() const { return rows_.mutexes; }
  const std::vector<ContenderRow>& contenders() const { return rows_.contenders; }
  const std::vector<ResourceRow>& resources() const { return rows_.resources; }
  const std::vector<BandSpan>& store_bands() const { return rows_.store_bands; }
  // Time in which the store did not tell anything, in order: nobody held it for all we know, and nobody did not.
  const std::vector<BandSpan>& unobserved() const { return rows_.unobserved; }
  const std::vector<NotificationMark>& notifications() const { return rows_.notifications; }
  const std::vector<IncidentMark>& incidents() const { return rows_.incidents; }
  bool sessions() const { return rows_.sessions; }
  // Moments worth stopping at, ascending.
  const std::vector<TrueTime>& moments() const { return moments_; }

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
  ChartRows rows_;
  Lanes lanes_;
  std::array<std::vector<Lane*>, kEventKinds> listeners_;  // by kind of event
  std::vector<TrueTime> moments_;
  std::vector<int> mutex_index_, resource_index_;  // by name handle, -1 = not met yet
  Cast cast_;
  Standing standing_;
  const History* history_ = nullptr;  // only during append
  Sequence folded_ = 0;
  TrueTime now_{};
  std::uint64_t revision_ = 0;
  std::uint64_t busy_ = 0;
};

// Until when a span lasted as far as is known: to its end, or, without one, to now. What was promised ends nothing.
inline TrueTime held_until(const ChartData& data, const LeaseSpan& span) {
  return span.open() ? std::max(data.now(), span.start.hi) : span.end.hi;
}

}  // namespace leasescope
