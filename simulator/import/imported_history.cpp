#include "simulator/import/imported_history.h"

#include <algorithm>

#include <fmt/format.h>

#include "simulator/run/recorded_run.h"
#include "simulator/scenario/scenario_legend.h"

namespace leasescope {

std::string ImportedHistory::begin(std::optional<Legend> legend) {
  HistoryHeader unforked = header_;
  unforked.fork.reset();
  auto scenario = scenario_of(unforked, path_);
  if (!scenario) return scenario.error();
  scenario_ = std::move(*scenario);
  if (header_.fork) {
    auto forked = scenario_of(header_, path_);
    if (!forked) return forked.error();
    forked_ = std::move(*forked);
  }
  frame_.legend = legend ? std::move(*legend) : legend_of(scenario_);
  // Which store tells of a release its first message shows; the scenario says it of the model alone.
  hears_ = header_.world == "virtual";
  if (!hears_) frame_.legend.store.tells = false;
  checkers_.emplace(scenario_.terms(), frame_.names, frame_.legend);
  if (header_.world == "live") checkers_->known_within(scenario_.store.timeout);
  return {};
}

void ImportedHistory::fail(std::size_t line, std::size_t column, const std::string& why) {
  error_ = fmt::format("{}:{}:{}: {}", path_, line, column, why);
}

bool ImportedHistory::read_page(std::vector<Event>& events) {
  if (outcome_ || !error_.empty()) return false;
  const std::size_t old = events.size();
  const bool more = next_page(events);
  for (std::size_t i = old; i < events.size(); ++i) judge(events[i]);
  if (!more && error_.empty()) finish();
  return more || events.size() > old;
}

void ImportedHistory::judge(const Event& event) {
  frame_.now = std::max(frame_.now, event.hi);
  if (!hears_ && event.kind == EventKind::kNotification) {
    hears_ = frame_.legend.store.tells = true;
    checkers_->change_store(frame_.legend.store);
  }
  if (forked_ && event.at() >= TrueTime(Duration(header_.fork->at_ns))) {
    checkers_->change_store(legend_of(*forked_).store);
    forked_.reset();
  }
  checkers_->append(event);
}

void ImportedHistory::finish() {
  checkers_->finish(frame_.now);
  frame_.incidents = checkers_->incidents();
  frame_.summary = checkers_->summary();
  RecordedOutcome out;
  out.simulated_ns = frame_.now.time_since_epoch().count();
  if (header_.fork) out.forked_at_ns = header_.fork->at_ns;
  out.not_judged = "a history in words keeps no verdict";
  outcome_ = std::move(out);
}

}  // namespace leasescope
