#include "ui/report/reported_part.h"

#include <algorithm>

#include "core/alerts/alert_kinds.h"

namespace leasescope {
namespace {

HistoryHeader header_of(const std::string& world) {
  HistoryHeader header;
  header.world = world;
  return header;
}

}  // namespace

ReportedPart::ReportedPart(WantedPart wanted, const std::string& world, const Scenario& scenario, const History& frame)
    : wanted_(std::move(wanted)),
      chosen_(wanted_.mutexes),
      from_(wanted_.stretch ? wanted_.stretch->first : TrueTime{}),
      to_(wanted_.stretch ? wanted_.stretch->second : TrueTime::max()),
      first_(frame.forgotten + 1),
      stretch_(header_of(world), scenario, frame, from_) {}

void ReportedPart::take(History& history, std::size_t from) {
  std::vector<Event>& events = history.events;
  const auto first = events.begin() + static_cast<std::ptrdiff_t>(from);
  events.erase(std::find_if(first, events.end(), [this](const Event& event) { return event.at() > to_; }),
               events.end());
  chosen_.filter(events, from, history.names, first_);
  stretch_.append(history);
}

void ReportedPart::finish(History& history, Outcome& outcome) {
  history.now = std::max(from_, std::min(to_, history.now));
  stretch_.finish(history.now);
  history.incidents = stretch_.incidents();
  history.summary = outcome.summary = stretch_.summary();
  outcome.simulated = history.now - from_;
  outcome.wall = Duration::zero();
  outcome.measured = false;
  outcome.not_judged = part_words(wanted_.mutexes.empty(), from_, history.now);
}

void ReportedPart::choose(WatchAccount& account, const NameTable& names) const {
  if (!account.fired || chosen_.all()) return;
  std::vector<AlertNote>& all = *account.fired;
  const auto is_left = [&](const AlertNote& each) {
    return !is_about_stores(each.kind) && !chosen_.picks(names.text(each.subject));
  };
  all.erase(std::remove_if(all.begin(), all.end(), is_left), all.end());
}

}  // namespace leasescope
