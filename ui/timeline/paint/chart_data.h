// What the timeline draws: rows and spans, folded from a history, one event after the other. int64 nanoseconds only.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/history/history.h"
#include "core/history/standing.h"
#include "ui/models/cast.h"
#include "ui/models/words.h"
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
  bool renewal = false;  // begins by one

  bool open() const { return end.hi == kOpenEnd; }
};

enum class AttemptCause : std::uint8_t { kStart, kTimer, kNotified, kRenewal };

struct AttemptMark {
  TrueTime at{};
  Duration jitter{};        // kTimer: what was drawn
  std::uint32_t words = 0;  // of the store that refused it (ChartData::words), 0 = none
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

struct RequestMark {
  TrueTime at{};
  int contender = kNoContender;
  enum class Kind : std::uint8_t { kGranted, kRefused, kFailed, kReleased, kReleaseRefused } kind = Kind::kGranted;
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

  // While folding.
  Duration margin{};
  Duration last_remaining{};
  TrueTime notified{TrueTime::min()};
};

struct MutexRow {
  std::string name;
  std::vector<LeaseSpan> held;
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

class ChartData {
 public:
  ChartData() = default;

  // Starts over with another run; facts may be empty, names are then taken as they come.
  void reset(const RunFacts& facts);
  // Folds what was appended since the last call; true when there was anything new. The same history every time.
  bool append(const History& history);
  void set_now(TrueTime now);

  const RunFacts& facts() const { return facts_; }
  const std::vector<MutexRow>& mutexes() const { return mutexes_; }
  const std::vector<ContenderRow>& contenders() const { return contenders_; }
  const std::vector<ResourceRow>& resources() const { return resources_; }
  const std::vector<RequestMark>& requests() const { return requests_; }
  const std::vector<BandSpan>& store_bands() const { return store_bands_; }
  // Time in which the store did not tell anything, in order: nobody held it for all we know, and nobody did not.
  const std::vector<BandSpan>& unobserved() const { return unobserved_; }
  const std::vector<NotificationMark>& notifications() const { return notifications_; }
  const std::vector<IncidentMark>& incidents() const { return incidents_; }
  // Moments worth stopping at, ascending.
  const std::vector<TrueTime>& moments() const { return moments_; }

  // How much there is to be seen in a contender's row: 0 = it only waits.
  std::uint64_t relevance(int contender) const;
  // Goes up when somebody is no longer idle.
  std::uint64_t busy() const { return busy_; }

  // What a store said when it refused a call.
  std::string words(std::uint32_t handle) const;

  TrueTime now() const { return now_; }  // known up to here
  TrueTime end() const { return TrueTime(facts_.length); }
  std::uint64_t revision() const { return revision_; }

  // As in the tables (ui/models/cast.h); the hue repeats from the eleventh on.
  std::string letter(int contender) const;
  int hue(int contender) const;

 private:
  int contender_of(Name name) const;
  int mutex_of(Name name);
  int resource_of(Name name);
  std::string name_of(Name name) const { return std::string(names_->text(name)); }

  void fold(const Event& event);
  void on_granted(const Event& event);
  void on_renewed(const Event& event, Change::Hold hold);
  void on_freed(const Event& event, Change::Hold hold, SpanEnd ending);
  void on_attempt(const Event& event);
  void on_believed(const Event& event);
  void on_disbelieved(const Event& event);
  void on_wakeup(const Event& event);
  void on_notification(const Event& event);
  void on_write(const Event& event);
  void on_fault(const Event& event);
  void on_life(const Event& event, LifeKind kind);
  void on_connection(const Event& event);
  void on_unobserved(const Event& event);
  void on_refused(const Event& event);
  void seat(const Event& event);
  void begin_held(const Event& event, bool renewal);
  void close_held(int mutex, Moment end, SpanEnd ending);
  LeaseSpan* own_held(int mutex);
  void see_again(int mutex);
  void fold_incidents(const IncidentList& incidents);
  std::vector<BandSpan>& bands_of(Name node);

  RunFacts facts_;
  std::vector<MutexRow> mutexes_;
  std::vector<ContenderRow> contenders_;
  std::vector<ResourceRow> resources_;
  std::vector<RequestMark> requests_;
  std::vector<BandSpan> store_bands_, unobserved_;
  std::vector<NotificationMark> notifications_;
  std::vector<IncidentMark> incidents_;
  std::vector<TrueTime> moments_;
  std::vector<int> mutex_index_, resource_index_;  // by name handle, -1 = not met yet
  Cast cast_;
  Standing standing_;
  const NameTable* names_ = nullptr;  // only during append
  const History* history_ = nullptr;  // only during append
  Sequence folded_ = 0;
  std::size_t settled_ = 0;  // incidents before it have ended and are taken over for good
  TrueTime now_{};
  std::uint64_t revision_ = 0;
  std::uint64_t busy_ = 0;
  std::map<std::uint32_t, std::string> words_;
};

// Until when a span lasted as far as is known: to its end, or, without one, to now. What was promised ends nothing.
inline TrueTime held_until(const ChartData& data, const LeaseSpan& span) {
  return span.open() ? std::max(data.now(), span.start.hi) : span.end.hi;
}

}  // namespace leasescope
