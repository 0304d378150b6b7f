#include "ui/timeline/timeline_accessible.h"

#include <map>

#include <QAccessible>
#include <QAccessibleWidget>

#include "ui/timeline/paint/heard.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

constexpr std::size_t kMostSegments = 400;  // of a row; who hears more zooms in

class HeardView;

// A row, or a segment of one; both are places of the view that is there now, and say nothing when they are gone.
class HeardPart : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  HeardPart(HeardView& view, int row, int segment) : view_(view), row_(row), segment_(segment) {}

  bool isValid() const override;
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* parent() const override;
  int childCount() const override;
  QAccessibleInterface* child(int index) const override;
  QAccessibleInterface* childAt(int x, int y) const override;
  int indexOfChild(const QAccessibleInterface* child) const override;
  QString text(QAccessible::Text what) const override;
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override;
  QAccessible::Role role() const override { return is_row() ? QAccessible::Row : QAccessible::ListItem; }
  QAccessible::State state() const override;
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }

  QStringList actionNames() const override { return {pressAction()}; }
  void doAction(const QString& action) override;
  QStringList keyBindingsForAction(const QString&) const override { return {}; }

  int row() const { return row_; }
  int segment() const { return segment_; }

 private:
  bool is_row() const { return segment_ < 0; }

  HeardView& view_;
  int row_, segment_;
};

class HeardView : public QAccessibleWidget {
 public:
  explicit HeardView(TimelineView& view) : QAccessibleWidget(&view), view_(view) {}
  ~HeardView() override {
    for (const auto& [place, id] : parts_) QAccessible::deleteAccessibleInterface(id);
  }

  TimelineView& view() const { return view_; }
  QAccessible::Role role() const override { return QAccessible::Chart; }
  int childCount() const override { return static_cast<int>(view_.heardRows()); }
  QAccessibleInterface* child(int index) const override {
    return index >= 0 && index < childCount() ? part(index, -1) : nullptr;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    for (int i = 0; i < childCount(); ++i)
      if (child(i)->rect().contains(x, y)) return child(i);
    return nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (const auto& [place, id] : parts_)
      if (place.second < 0 && QAccessible::accessibleInterface(id) == child) return place.first;
    return -1;
  }
  // Made when it is asked for the first time, and kept: whoever asks may keep it as well.
  QAccessibleInterface* part(int row, int segment) const {
    const auto [found, fresh] = parts_.try_emplace({row, segment}, QAccessible::Id{});
    if (fresh)
      found->second = QAccessible::registerAccessibleInterface(
          new HeardPart(const_cast<HeardView&>(*this), row, segment));  // Qt hands out what may be acted on
    return QAccessible::accessibleInterface(found->second);
  }
  // Of a row, as it is shown now.
  const std::vector<Hit>& segments(int row) const {
    const std::uint64_t picture = view_.heardPicture();
    if (picture != picture_) {
      segments_.clear();
      picture_ = picture;
    }
    const auto [found, fresh] = segments_.try_emplace(row);
    if (fresh) found->second = view_.heardSegments(static_cast<std::size_t>(row), kMostSegments);
    return found->second;
  }

 private:
  TimelineView& view_;
  mutable std::map<std::pair<int, int>, QAccessible::Id> parts_;  // by row and segment, -1: the row itself
  mutable std::map<int, std::vector<Hit>> segments_;
  mutable std::uint64_t picture_ = 0;
};

bool HeardPart::isValid() const {
  if (row_ >= view_.childCount()) return false;
  return is_row() || segment_ < static_cast<int>(view_.segments(row_).size());
}

QAccessibleInterface* HeardPart::parent() const {
  return is_row() ? static_cast<QAccessibleInterface*>(&view_) : view_.part(row_, -1);
}

int HeardPart::childCount() const { return is_row() && isValid() ? static_cast<int>(view_.segments(row_).size()) : 0; }

QAccessibleInterface* HeardPart::child(int index) const {
  return index >= 0 && index < childCount() ? view_.part(row_, index) : nullptr;
}

QAccessibleInterface* HeardPart::childAt(int x, int y) const {
  for (int i = 0; i < childCount(); ++i)
    if (child(i)->rect().contains(x, y)) return child(i);
  return nullptr;
}

int HeardPart::indexOfChild(const QAccessibleInterface* child) const {
  const auto* const part = dynamic_cast<const HeardPart*>(child);
  return is_row() && part != nullptr && part->row_ == row_ ? part->segment_ : -1;
}

QString HeardPart::text(QAccessible::Text what) const {
  if (what != QAccessible::Name || !isValid()) return {};
  if (is_row()) return view_.view().heardRow(static_cast<std::size_t>(row_));
  return heard_segment(view_.view().data(), view_.segments(row_)[static_cast<std::size_t>(segment_)]);
}

QRect HeardPart::rect() const {
  if (!isValid()) return {};
  const TimelineView& view = view_.view();
  const QRect there = is_row() ? view.heardRect(static_cast<std::size_t>(row_))
                               : view.heardRect(view_.segments(row_)[static_cast<std::size_t>(segment_)]);
  return {view.viewport()->mapToGlobal(there.topLeft()), there.size()};
}

QAccessible::State HeardPart::state() const {
  QAccessible::State state;
  state.invalid = !isValid();
  state.selectable = state.focusable = true;
  if (state.invalid) return state;
  if (is_row())
    state.focused = view_.view().isHeardCurrent(static_cast<std::size_t>(row_));
  else
    state.selected = view_.view().isHeardSelected(view_.segments(row_)[static_cast<std::size_t>(segment_)]);
  return state;
}

void HeardPart::doAction(const QString& action) {
  if (action != pressAction() || !isValid()) return;
  if (is_row()) return view_.view().chooseHeard(static_cast<std::size_t>(row_));
  view_.view().chooseHeard(view_.segments(row_)[static_cast<std::size_t>(segment_)]);
}

QAccessibleInterface* interface_of(const QString& /*className*/, QObject* object) {
  auto* const view = qobject_cast<TimelineView*>(object);
  return view != nullptr ? new HeardView(*view) : nullptr;
}

}  // namespace

void make_timelines_accessible() {
  static const bool once = [] {
    QAccessible::installFactory(interface_of);
    return true;
  }();
  (void)once;
}

}  // namespace leasescope
