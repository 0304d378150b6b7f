#include "ui/models/cast.h"

#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {

void Cast::reset(std::vector<std::string> names) {
  names_ = std::move(names);
  ours_ = static_cast<int>(names_.size());
  byHandle_.clear();
  read_ = 0;
}

bool Cast::sync(const History& history) {
  bool grown = false;
  for (; read_ < history.events.size(); ++read_) {
    const Event& event = history.events[read_];
    const bool owns = event.kind == EventKind::kGranted || event.kind == EventKind::kStarted;
    if (!owns || event.node.empty() || indexOf(history, event.node) >= 0) continue;
    names_.emplace_back(history.names.text(event.node));
    byHandle_.clear();
    grown = true;
  }
  return grown;
}

int Cast::indexOfText(std::string_view text) const {
  const auto found = std::find(names_.begin(), names_.end(), text);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

int Cast::indexOf(const History& history, Name name) const {
  if (name.empty()) return -1;
  if (byHandle_.size() <= name.handle) byHandle_.resize(history.names.size(), -2);
  int& place = byHandle_[name.handle];
  if (place == -2) place = indexOfText(history.names.text(name));
  return place;
}

QString Cast::letter(int index) {
  if (index < 10) return QString(QChar(u'A' + index));
  const int pair = index - 10;
  return QString(QChar(u'A' + (pair / 26) % 26)) + QChar(u'A' + pair % 26);
}

QString Cast::shortName(const History& history, Name name) const {
  if (name.empty()) return QStringLiteral("Store");
  const int index = indexOf(history, name);
  return index >= 0 ? letter(index) : fromText(history.names.text(name));
}

}  // namespace leasescope
