// An incident told: what happened in one paragraph, and how it came about, line by line, from the chain of events.
#pragma once
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/models/cast.h"

namespace leasescope {

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
// Rejected and accepted stale writes within the incident, by its contenders.
struct StaleWrites {
  int rejected = 0;
  int accepted = 0;
  int doubleGrants = 0;
};
StaleWrites staleWritesIn(const History& history, const Incident& incident);

}  // namespace leasescope
