// What a report tells of: a run in either world, a recording, or a part of one.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/alerts/alert_rule.h"
#include "core/history/event_filter.h"
#include "core/history/history.h"
#include "simulator/run/outcome.h"
#include "ui/look/tokens.h"
#include "ui/models/cast.h"
#include "ui/models/watch_account.h"
#include "ui/timeline/paint/chart_data.h"

namespace leasescope {

class RunAccount;

struct ReportSubject {
  const History& history;  // with all its events, or as many as are held
  const ChartData& data;   // all of them, folded
  const Scenario& scenario;
  const Outcome& outcome;
  // Of the run only this is reported; none: all of it.
  std::optional<std::pair<TrueTime, TrueTime>> part{};
  // What a chart shows of it; none: what lies around the worst incident, or all.
  std::optional<std::pair<TrueTime, TrueTime>> shown{};
  // Only these mutexes are reported; none: all of them.
  std::vector<std::string> mutexes{};
  // Rules of alerts that are looked for in it (core/alerts); none: nobody asked.
  std::vector<AlertRule> rules{};
  // Of a watch: how it looked, and what was told of alerts, of these mutexes.
  WatchAccount watch{};
  // Of a live run: scenario time 0, in ns since 1970 (UTC).
  std::optional<std::int64_t> epoch_ns{};
  // Where events are rows, those that pass it are.
  EventFilter events{};
  // Who everybody is that is met in it; null: it is read off the history.
  const Cast* cast = nullptr;
  // What a report in words has of the events, where the history does not hold them all; null: it does.
  const RunAccount* account = nullptr;
  // Where a report has pixels or one theme.
  Theme theme = Theme::kLight;
  double scale = 2;
  // Asked now and then before anything is written: whether it is wanted still. None: it always is.
  std::function<bool()> wanted{};

  bool is_wanted() const { return !wanted || wanted(); }
};

}  // namespace leasescope
