// The read-only look at the mutexes of one store, again and again: what there is, who holds it, and for how much
// longer.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/observe/clock_offset.h"
#include "core/observe/sighting.h"

namespace leasescope {

// Which locks of other makers are looked for: none, those whose form is theirs alone, or also what only looks like one.
enum class Foreign : std::uint8_t { kNone, kCertain, kLikely };

// What is looked at, and how often at most.
struct ObserverTerms {
  std::vector<std::string> mutexes;         // by name; empty: all that there are
  Duration poll = std::chrono::seconds(1);  // of a store that tells nobody of a change
  // However quiet it is, each is looked at so often, and new ones are looked for.
  Duration sweep = std::chrono::seconds(30);
  std::uint32_t looks = 2'000;  // at single mutexes, a second
  Foreign foreign = Foreign::kCertain;
  bool beliefs = false;  // what processes tell of them on the store's channel is listened for, where it has one
};

// A message that the store sent at some moment between the two: a look follows.
struct HeardChange {
  std::string mutex;
  std::string owner;
  bool released = false;  // else granted
  TrueTime earliest{}, received{};
};

// After so long at most without an answer it is said that nobody answers.
inline constexpr Duration kLongestSilence = std::chrono::seconds(3);

// Called from the loop, never from within a call of the observer.
class ObserverListener {
 public:
  virtual ~ObserverListener() = default;
  virtual void on_seen(const Sighting& seen) = 0;
  virtual void on_heard(const HeardChange& heard) = 0;
  // Once: all that there was has been seen, or refused.
  virtual void on_all_seen() = 0;
  // All that we may see has been seen; what else there is the store refuses to tell. It may still come to be known.
  virtual void on_rest_refused(const std::string& why) = 0;
  // Nobody answers since then, or nobody lets us look: what was seen may be over.
  virtual void on_blind(TrueTime since, const std::string& why) = 0;
  virtual void on_sighted() = 0;  // it answers
  // Of a store of several servers this one does not answer, since then, and why: what it keeps is hidden; what the
  // others do is told. Empty: it answers, or is none of them any more.
  virtual void on_part(const std::string& /*server*/, TrueTime /*since*/, const std::string& /*why*/) {}
  // Of this one alone it refuses to tell, since then.
  virtual void on_hidden(const std::string& mutex, std::string_view maker, TrueTime since) = 0;
  // What whoever watches should know: rights that are missing, a table that is not there.
  virtual void on_remark(const std::string& remark) = 0;
  // A message of a process that contends (belief.h), unread: anybody may have sent it who may write to that mutex's
  // channel; empty: to the channel of all.
  virtual void on_belief(std::string_view /*text*/, std::string_view /*mutex*/) {}
};

struct ObserverFigures {
  std::uint64_t commands = 0;                    // sent to the server
  std::uint64_t answers = 0;                     // of it, to its questions
  Duration latency{};                            // of the last answer
  std::optional<ClockOffset::Estimate> clock{};  // of the server, where its answers tell what it shows
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Connects, and comes back after a break, until it is destroyed.
  virtual void begin() = 0;
  virtual ObserverFigures figures() const = 0;
  // Which server it is, as that told without being asked for it, "PostgreSQL 15.8"; empty: it did not.
  virtual std::string server() const { return {}; }
  // While it is not blind, of one of our own mutexes: what changed before then it has told, or told that it heard of
  // it. min(): it knows only what it saw when it last looked.
  virtual TrueTime quiet_until(const std::string& mutex) const = 0;
};

}  // namespace leasescope
