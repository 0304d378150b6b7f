// An incident told: what happened in one paragraph, and how it came about, line by line, from the chain of events.
#pragma once
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/models/cast.h"
#include "ui/models/words.h"

namespace leasescope {

// What lies farther from an incident's start and its end than this changes nothing of what is told here, nor of its
// margin: five minutes, and what events may lie out of order.
inline constexpr Duration kStoryReach = std::chrono::minutes(6);

struct StoryLine {
  TrueTime at{};
  QString text;
  bool key = false;  // where the incident begins or ends
  Sequence sequence = 0;
};

// One paragraph; <b> marks the mutex and the length.
QString accountOf(const History& history, const Cast& cast, const Incident& incident);
// The steps that led to it and ended it, in order of time.
std::vector<StoryLine> storyOf(const History& history, const Cast& cast, const Incident& incident);
// By how much it came to be, or which fact of the history is missing: a sentence, nothing in it escaped.
QString marginOf(const History& history, const Incident& incident);
// What became of the writes of an incident's contenders while it lasted, and the double grants of that time.
struct WriteCounts {
  std::uint64_t rejected = 0;   // their token was too old
  std::uint64_t tokenless = 0;  // refused: they bore none
  std::uint64_t accepted = 0;   // though stale
  std::uint64_t doubleGrants = 0;

  void add(WriteFate fate) {
    rejected += fate == WriteFate::kStale;
    tokenless += fate == WriteFate::kTokenless;
    accepted += fate == WriteFate::kStaleAccepted;
  }
};
WriteCounts writesOf(const History& history, const Incident& incident);

}  // namespace leasescope
