#include "ui/report/told_stories.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace leasescope {
namespace {

constexpr std::size_t kPiece = 1 << 12;  // events that are looked at in one go

TrueTime before(TrueTime at) { return at < TrueTime::min() + kStoryReach ? TrueTime::min() : at - kStoryReach; }
TrueTime after(TrueTime at) { return at > TrueTime::max() - kStoryReach ? TrueTime::max() : at + kStoryReach; }

}  // namespace

std::vector<std::size_t> worst_incidents(const IncidentList& incidents) {
  std::vector<std::size_t> order(incidents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto earlier = [&](std::size_t a, std::size_t b) { return incidents[a].start < incidents[b].start; };
  std::stable_sort(order.begin(), order.end(), earlier);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return severity(incidents[a].kind) < severity(incidents[b].kind);
  });
  order.resize(std::min(order.size(), kMostStories));
  std::stable_sort(order.begin(), order.end(), earlier);
  return order;
}

ToldStory tell_story(const History& history, const Cast& cast, const Incident& incident) {
  return {accountOf(history, cast, incident), storyOf(history, cast, incident), marginOf(history, incident)};
}

StoryTeller::StoryTeller(History frame, const Cast& cast, std::function<bool()> wanted)
    : around_(std::move(frame)), cast_(cast), wanted_(std::move(wanted)) {
  for (const std::size_t place : worst_incidents(around_.incidents)) {
    const Incident& incident = around_.incidents[place];
    windows_.push_back({place, before(incident.start), after(incident.end)});
  }
}

void StoryTeller::append(const History& history) {
  if (open_.empty() && begun_ == windows_.size()) return;  // all is told
  for (read_ = std::max(read_, history.forgotten); read_ < history.last();) {
    const std::size_t count = std::min<std::size_t>(kPiece, history.last() - read_);
    take(&history.event(read_ + 1), count);
  }
}

void StoryTeller::take(const Event* events, std::size_t count) {
  const auto [first, last] =
      std::minmax_element(events, events + count, [](const Event& a, const Event& b) { return a.at() < b.at(); });
  tell(first->at());
  while (begun_ < windows_.size() && windows_[begun_].from <= last->at()) open_.push_back(windows_[begun_++]);
  if (around_.events.empty()) around_.forgotten = read_;
  read_ += static_cast<Sequence>(count);
  if (open_.empty()) {
    around_.forgotten = read_;
    return;
  }
  forget();
  around_.events.insert(around_.events.end(), events, events + count);
}

// In the order in which they began; what lasts longer is told later.
void StoryTeller::tell(TrueTime now) {
  const auto over = [&](const Window& window) {
    if (window.to >= now) return false;
    if (!wanted_ || wanted_()) told_[window.incident] = tell_story(around_, cast_, around_.incidents[window.incident]);
    return true;
  };
  open_.erase(std::remove_if(open_.begin(), open_.end(), over), open_.end());
  if (open_.empty()) around_.forget_all_but(0);
}

// What lies before all windows that are open, once it is as much as all else: what is left is moved.
void StoryTeller::forget() {
  TrueTime from = TrueTime::max();
  for (const Window& window : open_) from = std::min(from, window.from);
  const auto needed = std::lower_bound(around_.events.begin(), around_.events.end(), from,
                                       [](const Event& event, TrueTime at) { return event.at() < at; });
  const auto left = static_cast<std::size_t>(around_.events.end() - needed);
  if (left <= around_.events.size() / 2) around_.forget_all_but(left);
}

void StoryTeller::finish() {
  open_.insert(open_.end(), windows_.begin() + static_cast<std::ptrdiff_t>(begun_), windows_.end());
  begun_ = windows_.size();
  for (Window& window : open_) window.to = TrueTime::min();
  tell(TrueTime::max());
}

}  // namespace leasescope
