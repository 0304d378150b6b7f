#include "core/history/figures.h"

#include <algorithm>

#include "core/history/measures/gap.h"

namespace leasescope {
namespace {

constexpr std::size_t kMostLengths = 200'000;  // what comes later changes a percentile no more

void add(std::vector<Duration>& to, Duration length) {
  if (to.size() < kMostLengths) to.push_back(length);
}

}  // namespace

Percentiles percentiles_of(std::vector<Duration> lengths) {
  Percentiles out;
  out.count = lengths.size();
  if (lengths.empty()) return out;
  // Whatever is before one that is in its place is not above it, so that the next is looked for behind it alone.
  auto placed = lengths.begin();
  const auto at = [&](std::size_t percent) {
    const auto place = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() * percent + 99) / 100 - 1);
    std::nth_element(placed, place, lengths.end());
    placed = place;
    return *place;
  };
  out.p50 = at(50);
  out.p95 = at(95);
  out.p99 = at(99);
  out.longest = *std::max_element(placed, lengths.end());
  return out;
}

void Figures::append(const History& history, Sequence last) {
  if (seen_ == 0) standing_ = Standing(history.legend);
  for (seen_ = std::max(seen_, history.forgotten); seen_ < last; ++seen_) take(history, history.event(seen_ + 1));
}

void Figures::count_from(TrueTime at) {
  contenders_.clear();
  handoffs_.clear();
  gaps_.clear();
  for (auto& [handle, since] : believes_since_) since = std::max(since, at);
  // Whoever goes on believing is among them, though nothing may be told of him any more.
  for (const auto& [handle, since] : believes_since_) contenders_[handle];
}

void Figures::take(const History& history, const Event& event) {
  count(event);
  facts_.append(event, history.names, history.legend);
  if (event.kind == EventKind::kGranted) count_gap(event);
  const Change change = standing_.append(event, history.names);
  if (change.belief == Change::Belief::kBegan) believes_since_[event.node.handle] = event.at();
  if (change.belief != Change::Belief::kEnded) return;
  contenders_[event.node.handle].believed += event.at() - believes_since_[event.node.handle];
  believes_since_.erase(event.node.handle);
}

void Figures::count(const Event& event) {
  ContenderFigures& of = contenders_[event.node.handle];
  switch (event.kind) {
    case EventKind::kAttempt:
      of.attempts_lost += static_cast<AttemptResult>(event.detail) == AttemptResult::kLost;
      of.calls_failed += static_cast<AttemptResult>(event.detail) >= AttemptResult::kFailed;
      break;
    case EventKind::kGranted:
      of.acquisitions += is_new(static_cast<GrantKind>(event.detail));
      break;
    case EventKind::kRenewed:
      ++of.renewals;
      break;
    case EventKind::kWriteAccepted:
      ++of.writes_accepted;
      break;
    case EventKind::kWriteRejected:
      ++of.writes_rejected;
      break;
    case EventKind::kWriteStaleAccepted:
      ++of.stale_writes_accepted;
      break;
    default:
      break;
  }
}

// What ended before this grant.
void Figures::count_gap(const Event& event) {
  const std::optional<Gap> gap = gap_before(event, standing_);
  if (!gap) return;
  add(gaps_, gap->length);
  if (gap->handed_off) add(handoffs_, gap->length);
}

std::map<std::string, ContenderFigures> Figures::contenders(const History& history) const {
  std::map<std::string, ContenderFigures> out;
  for (const auto& [handle, figures] : contenders_) {
    if (handle == 0) continue;
    ContenderFigures& of = out[std::string(history.names.text(Name{handle}))];
    of = figures;
    const auto since = believes_since_.find(handle);
    if (since != believes_since_.end()) of.believed += history.now - since->second;
  }
  return out;
}

}  // namespace leasescope
