#include "ui/models/cast.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Cast)
};

constexpr int kSingle = 10;  // contenders with one letter and a hue of their own

}  // namespace

void Cast::reset(std::vector<std::string> names) {
  names_ = std::move(names);
  ours_ = static_cast<int>(names_.size());
  places_.clear();
  places_.reserve(names_.size());
  for (int i = 0; i < ours_; ++i) places_.emplace(names_[static_cast<std::size_t>(i)], i);
  byHandle_.clear();
  clocks_.clear();
  read_ = 0;
}

bool Cast::take(const History& history, const Event& event) {
  if (event.kind == EventKind::kClockChanged) {
    Clocks& of = clocks_[event.node.handle];
    const auto which = static_cast<ClockOf>(event.detail);
    if (which != ClockOf::kSteady) of.wall.change(event.hi, Duration(event.a), event.b);
    if (which != ClockOf::kWall) of.steady.change(event.hi, {}, event.b);
  }
  // Of a watch somebody may say that he owns who was never seen to.
  const bool contends =
      event.kind == EventKind::kGranted || event.kind == EventKind::kStarted || event.kind == EventKind::kBelieved;
  if (!contends || event.node.empty() || indexOf(history, event.node) >= 0) return false;
  byHandle_[event.node.handle] = size();
  places_.emplace(history.names.text(event.node), size());
  names_.emplace_back(history.names.text(event.node));
  return true;
}

bool Cast::sync(const History& history) {
  bool grown = false;
  for (read_ = std::max(read_, history.forgotten); read_ < history.last(); ++read_)
    grown = take(history, history.event(read_ + 1)) || grown;
  return grown;
}

int Cast::indexOf(const History& history, Name name) const {
  if (name.empty()) return -1;
  if (byHandle_.size() <= name.handle)
    byHandle_.resize(std::max<std::size_t>(history.names.size(), name.handle + 1), -2);
  int& place = byHandle_[name.handle];
  if (place == -2) {
    const auto found = places_.find(std::string(history.names.text(name)));
    place = found == places_.end() ? -1 : found->second;
  }
  return place;
}

std::int64_t Cast::clockRate(const Event& change) const {
  const auto known = clocks_.find(change.node.handle);
  if (known == clocks_.end()) return change.b;
  const bool steady = static_cast<ClockOf>(change.detail) == ClockOf::kSteady;
  const std::vector<OffsetCourse::Point>& points = (steady ? known->second.steady : known->second.wall).points;
  const auto after = std::upper_bound(points.begin(), points.end(), change.hi,
                                      [](TrueTime at, const OffsetCourse::Point& point) { return at < point.at; });
  return after == points.begin() ? change.b : std::prev(after)->ppm;
}

const OffsetCourse* Cast::wallClock(const History& history, int index) const {
  for (const auto& [handle, clocks] : clocks_)
    if (indexOf(history, Name{handle}) == index) return &clocks.wall;
  return nullptr;
}

QString Cast::letter(int index) {
  if (index < kSingle) return QString(QChar(u'A' + index));
  std::int64_t rest = index - kSingle, of_this_length = 26 * 26;
  int length = 2;
  for (; rest >= of_this_length; ++length) {
    rest -= of_this_length;
    of_this_length *= 26;
  }
  QString text(length, u'A');
  for (qsizetype at = length - 1; at >= 0; --at, rest /= 26) text[at] = QChar(u'A' + static_cast<int>(rest % 26));
  return text;
}

QString Cast::shortName(const History& history, Name name) const {
  if (name.empty()) return Say::tr("Store");
  const int index = indexOf(history, name);
  return index >= 0 ? letter(index) : fromText(history.names.text(name));
}

}  // namespace leasescope
