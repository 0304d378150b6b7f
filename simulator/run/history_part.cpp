#include "simulator/run/history_part.h"

#include <algorithm>
#include <set>

#include "simulator/run/recorded_run.h"

namespace leasescope {

tl::expected<std::unique_ptr<HistorySource>, std::string> HistoryPart::of(std::unique_ptr<HistorySource> whole,
                                                                          TrueTime from, TrueTime to) {
  auto scenario = scenario_of(whole->header(), whole->path());
  if (!scenario) return tl::unexpected(scenario.error());
  return std::unique_ptr<HistorySource>(new HistoryPart(std::move(whole), std::move(*scenario), from, to));
}

HistoryPart::HistoryPart(std::unique_ptr<HistorySource> whole, Scenario scenario, TrueTime from, TrueTime to)
    : whole_(std::move(whole)),
      scenario_(std::move(scenario)),
      from_(from),
      to_(std::min(to, whole_->frame().now)),
      frame_(whole_->frame()),
      page_(whole_->frame()),
      stretch_(whole_->header(), scenario_, whole_->frame(), from) {
  frame_.forgotten = 0;
  frame_.now = to_;
  frame_.incidents = {};
  frame_.summary = {};
  page_.incidents = {};
  take_alerts();
  const bool to_its_end = to_ == whole_->frame().now;
  if (to_its_end && !whole_->outcome()) return;  // it goes on
  outcome_.emplace();
  outcome_->simulated_ns = outcome_->wall_ns = to_.time_since_epoch().count();
  outcome_->not_judged = "a part of what was watched";
}

void HistoryPart::take_alerts() {
  if (whole_->alerts() == nullptr) return;
  alerts_.emplace();
  std::set<std::uint64_t> over;
  for (const AlertNote& note : *whole_->alerts())
    if (note.deed == AlertDeed::kOver && note.at < from_) over.insert(note.alert);
  for (const AlertNote& note : *whole_->alerts())
    if (note.at <= to_ && over.count(note.alert) == 0) alerts_->push_back(note);
}

void HistoryPart::keep_in_force(Sequence number, const Event& event) {
  std::vector<Numbered>& of = in_force_[event.mutex.handle];
  const auto drop = [&](auto is) {
    of.erase(std::remove_if(of.begin(), of.end(), [&](const Numbered& each) { return is(each.second); }), of.end());
  };
  const auto is_dark = [](const Event& each) { return each.kind == EventKind::kUnobservedBegan; };
  const auto is_its_renewal = [&](const Event& each) {
    return each.kind == EventKind::kRenewed && each.node == event.node;
  };
  switch (event.kind) {
    case EventKind::kGranted:
      drop([&](const Event& each) { return !is_dark(each); });
      break;
    case EventKind::kRenewed:
      drop(is_its_renewal);
      break;
    case EventKind::kReleased:
    case EventKind::kExpired:
      return drop([&](const Event& each) { return !is_dark(each) && each.node == event.node; });
    case EventKind::kUnobservedBegan:
      drop(is_dark);
      break;
    case EventKind::kUnobservedEnded:
      return drop(is_dark);
    default:
      return;
  }
  of.emplace_back(number, event);
}

// What was in force, in the order in which it was told.
void HistoryPart::begin(Sequence before, std::vector<Event>& events) {
  before_ = before;
  std::vector<Numbered> all;
  for (const auto& [mutex, some] : in_force_) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end(), [](const Numbered& a, const Numbered& b) { return a.first < b.first; });
  in_force_.clear();
  for (const auto& [number, event] : all) {
    Event told = event;
    told.cause = number_now(event.cause);
    kept_.push_back(number);
    events.push_back(told);
  }
}

Sequence HistoryPart::number_now(Sequence number) const {
  if (number == 0) return 0;
  if (number > *before_) return number - *before_ + static_cast<Sequence>(kept_.size());
  const auto found = std::lower_bound(kept_.begin(), kept_.end(), number);
  return found != kept_.end() && *found == number ? static_cast<Sequence>(found - kept_.begin()) + 1 : 0;
}

bool HistoryPart::read_page(std::vector<Event>& events) {
  const std::size_t old = events.size();
  while (!over_ && events.size() == old) {
    page_.events.clear();
    if (!whole_->read_page(page_.events)) over_ = true;
    const auto beyond =
        std::find_if(page_.events.begin(), page_.events.end(), [&](const Event& event) { return event.at() > to_; });
    over_ = over_ || beyond != page_.events.end();
    page_.events.erase(beyond, page_.events.end());
    stretch_.append(page_);
    for (std::size_t i = 0; i < page_.events.size(); ++i) {
      Event event = page_.events[i];
      if (!before_ && event.at() < from_) {
        keep_in_force(page_.number(i), event);
        continue;
      }
      if (!before_) begin(page_.number(i) - 1, events);
      event.cause = number_now(event.cause);
      events.push_back(event);
    }
    page_.forgotten = page_.last();
    page_.events.clear();
    if (!over_) continue;
    if (!before_) begin(page_.last(), events);
    finish();
  }
  return events.size() > old;
}

void HistoryPart::finish() {
  stretch_.finish(to_);
  frame_.incidents = stretch_.incidents();
  frame_.summary = stretch_.summary();
}

}  // namespace leasescope
