#include "simulator/run/stretch.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/history/summary_fields.h"
#include "core/time/duration_text.h"
#include "simulator/scenario/scenario_legend.h"

namespace leasescope {

std::string part_words(bool all_mutexes, TrueTime from, TrueTime to) {
  return fmt::format("{} of a run, from {} to {} s", all_mutexes ? "a part" : "some mutexes",
                     format_seconds(from.time_since_epoch()), format_seconds(to.time_since_epoch()));
}

Stretch::Stretch(const HistoryHeader& header, const Scenario& scenario, const History& frame, TrueTime from)
    : header_(header),
      scenario_(scenario),
      names_(frame.names),
      checkers_(scenario.terms(), names_, frame.legend),
      from_(from),
      seen_(frame.forgotten) {
  if (header.world == "live") checkers_.known_within(scenario.store.timeout);
  if (from <= TrueTime{}) before_.emplace();
}

void Stretch::append(const History& history) {
  for (; seen_ < history.last(); ++seen_) {
    const Event& event = history.event(seen_ + 1);
    if (!before_ && event.at() >= from_) {
      figures_.append(history, seen_);
      begin();
    }
    if (!forked_ && header_.fork && event.at() >= TrueTime(Duration(header_.fork->at_ns))) {
      forked_ = true;
      checkers_.change_store(legend_of(scenario_).store);
    }
    checkers_.append(event);
  }
  figures_.append(history);
}

void Stretch::begin() {
  checkers_.advance(from_);
  before_ = checkers_.summary();
  figures_.count_from(from_);
}

void Stretch::finish(TrueTime to) {
  if (!before_) begin();
  checkers_.finish(to);
  summary_ = checkers_.summary();
  for (const SummaryCount& field : kSummaryCounts)
    if (field.of != &Summary::contenders)  // what was lost may have been found since
      summary_.*field.of -= std::min(summary_.*field.of, before_.value().*field.of);
  for (const SummaryLength& field : kSummaryLengths) summary_.*field.of -= before_.value().*field.of;
  summary_.incidents.fill(0);
  for (const Incident& incident : checkers_.incidents()) {
    if (incident.end < from_) continue;
    ++summary_.incidents[static_cast<std::size_t>(incident.kind)];
    incidents_.push_back(incident);
  }
}

}  // namespace leasescope
