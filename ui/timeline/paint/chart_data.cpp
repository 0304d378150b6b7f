#include "ui/timeline/paint/chart_data.h"

#include <algorithm>

#include "ui/timeline/lanes/lane.h"

namespace leasescope {
namespace {

int lookup(const std::vector<int>& index, Name name) {
  return name.handle < index.size() ? index[name.handle] : kNoContender;
}

void remember(std::vector<int>& index, Name name, int value) {
  if (name.handle >= index.size()) index.resize(name.handle + 1, kNoContender);
  index[name.handle] = value;
}

// Only of those that the legend names: all others are known by their handles, and there may be many.
template <class Rows>
int find_row(const Rows& rows, const std::string& name, std::size_t named) {
  for (std::size_t i = 0; i < std::min(named, rows.size()); ++i)
    if (rows[i].name == name) return static_cast<int>(i);
  return kNoContender;
}

}  // namespace

void IncidentTracks::put(std::size_t incident, const IncidentMark& mark) {
  const auto into = [&](Whose whose, int index) {
    tracks_[key(mark.kind, whose, index)].put(static_cast<std::uint32_t>(incident), mark.start, mark.end);
  };
  into(kAll, 0);
  into(kMutex, mark.mutex);
  for (const int who : mark.contenders)
    if (who != kNoContender) into(kContender, who);
}

const IntervalTrack& IncidentTracks::find(IncidentKind kind, Whose whose, int index) const {
  static const IntervalTrack none;
  const auto found = tracks_.find(key(kind, whose, index));
  return found == tracks_.end() ? none : found->second;
}

ChartData::ChartData() : lanes_(make_lanes()) {
  for (const std::unique_ptr<Lane>& lane : lanes_)
    for (const EventKind kind : lane->hears()) listeners_[static_cast<std::size_t>(kind)].push_back(lane.get());
}
ChartData::ChartData(ChartData&&) noexcept = default;
ChartData& ChartData::operator=(ChartData&&) noexcept = default;
ChartData::~ChartData() = default;

void ChartData::reset(const RunFacts& facts) {
  const std::uint64_t revision = revision_;
  *this = ChartData();
  revision_ = revision + 1;
  facts_ = facts;
  const Legend& legend = facts.legend;
  for (const MutexLegend& mutex : legend.mutexes) {
    rows_.mutexes.emplace_back();
    rows_.mutexes.back().name = mutex.name;
    rows_.mutexes.back().capacity = mutex.capacity;
    rows_.mutexes.back().announced = true;
  }
  cast_.reset(legend.contenders);
  rows_.contenders.reserve(legend.contenders.size());
  for (std::size_t i = 0; i < legend.contenders.size(); ++i) {
    rows_.contenders.emplace_back();
    rows_.contenders.back().name = legend.contenders[i];
    rows_.contenders.back().mutex = legend.mutexes.empty() ? 0 : static_cast<int>(i % legend.mutexes.size());
  }
  for (const ResourceLegend& resource : legend.resources) {
    rows_.resources.emplace_back();
    rows_.resources.back().name = resource.name;
    rows_.resources.back().fencing = resource.fencing;
  }
}

void ChartData::fold(const History& history) {
  if (history.last() <= folded_) return;
  history_ = &history;
  if (folded_ == 0) standing_ = Standing(history.legend);
  Folding folding(*this, history, standing_);
  for (folded_ = std::max(folded_, history.forgotten); folded_ < history.last(); ++folded_) {
    const Event& event = history.event(folded_ + 1);
    seat(event);
    now_ = std::max(now_, event.hi);
    folding.change = standing_.append(event, history.names);
    stop_at(event);
    for (Lane* const lane : listeners_[static_cast<std::size_t>(event.kind)]) lane->fold(folding, event);
  }
  history_ = nullptr;
  settled_ = false;
}

bool ChartData::append(const History& history) {
  fold(history);
  const bool news = !settled_ || history.now > now_ || history.incidents.size() != incidents().size();
  if (!news) return false;
  history_ = &history;
  if (folded_ == 0) standing_ = Standing(history.legend);
  Folding folding(*this, history, standing_);
  now_ = std::max(now_, history.now);
  for (const std::unique_ptr<Lane>& lane : lanes_) lane->settle(folding);
  history_ = nullptr;
  settled_ = true;
  ++revision_;
  return true;
}

void ChartData::set_now(TrueTime now) {
  if (now <= now_) return;
  now_ = now;
  ++revision_;
}

void ChartData::setAxis(const Axis& axis) {
  axis_ = axis;
  clock_.reset();
  if (axis_.shown == nullptr || axis_.shown->course.points.empty()) return;
  const Duration length = facts_.length > Duration::zero() ? facts_.length : now_ - TrueTime{};
  auto map = std::make_shared<const ClockMap>(axis_.shown->course, std::max(length, Duration(std::chrono::seconds(1))));
  if (!map->is_plain()) clock_ = std::move(map);
}

int ChartData::clock_owner() const {
  if (axis_.shown == nullptr) return kNoContender;
  for (int who = 0; who < static_cast<int>(rows_.contenders.size()); ++who)
    if (Cast::letter(who) == axis_.shown->letter) return who;
  return kNoContender;
}

void ChartData::set_store(const std::string& names) {
  facts_.store = names;
  ++revision_;
}

std::string ChartData::letter(int contender) const {
  return contender < 0 ? std::string("–") : Cast::letter(contender).toStdString();
}

std::uint64_t ChartData::relevance(int contender) const {
  const ContenderRow& row = rows_.contenders[static_cast<std::size_t>(contender)];
  constexpr std::uint64_t kIncident = 1'000'000;  // whatever else, its rows are drawn
  return row.incidents * kIncident + row.held.size() + row.believed.size() + row.bands.size() - row.given;
}

int ChartData::hue(int contender) const { return contender < 0 ? 0 : contender % kNamed; }

// ---- names

int ChartData::contender_of(Name name) const { return cast_.indexOf(*history_, name); }

// A row for whoever is new in this event.
void ChartData::seat(const Event& event) {
  if (!cast_.take(*history_, event)) return;
  rows_.contenders.emplace_back();
  rows_.contenders.back().name = cast_.name(cast_.size() - 1);
  rows_.contenders.back().foreign = !facts_.legend.contenders.empty();
}

int ChartData::mutex_of(Name name) {
  if (name.empty()) {
    if (rows_.mutexes.empty()) rows_.mutexes.emplace_back();
    return 0;
  }
  int found = lookup(mutex_index_, name);
  if (found != kNoContender) return found;
  const std::string text = name_of(name);
  found = find_row(rows_.mutexes, text, facts_.legend.mutexes.size());
  if (found == kNoContender) {
    found = static_cast<int>(rows_.mutexes.size());
    rows_.mutexes.emplace_back();
    rows_.mutexes.back().name = text;
  }
  remember(mutex_index_, name, found);
  return found;
}

int ChartData::resource_of(Name name) {
  int found = lookup(resource_index_, name);
  if (found != kNoContender) return found;
  const std::string text = name_of(name);
  found = find_row(rows_.resources, text, facts_.legend.resources.size());
  if (found == kNoContender) {
    found = static_cast<int>(rows_.resources.size());
    rows_.resources.emplace_back();
    rows_.resources.back().name = text;
    const std::vector<ResourceLegend>& known = facts_.legend.resources;
    if (!known.empty()) rows_.resources.back().fencing = known.front().fencing;
  }
  remember(resource_index_, name, found);
  return found;
}

// A moment worth stopping at, unless it is one of very many.
void ChartData::stop_at(const Event& event) {
  if (event.kind == EventKind::kChecked || event.kind == EventKind::kWriteAccepted ||
      event.kind == EventKind::kConnected || event.kind == EventKind::kWakeupPlanned)
    return;
  if (moments_.empty() || moments_.back() < event.hi)
    moments_.push_back(event.hi);
  else if (moments_.back() != event.hi)
    moments_.insert(
        static_cast<std::size_t>(std::lower_bound(moments_.begin(), moments_.end(), event.hi) - moments_.begin()),
        event.hi);
}

}  // namespace leasescope
