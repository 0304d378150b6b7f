// What one lane of the chart is made of, from events to pixels: a file in this folder, and its line in z_order.h.
// Beside its own file a lane touches nothing, unless others read what it folds: that stands in chart_data.h.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QCoreApplication>

#include "core/history/history.h"
#include "core/history/standing.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/scene.h"
#include "ui/timeline/tracks/mark_track.h"

namespace leasescope {

// One event that is folded: what it changed, and the rows it may change.
class Folding {
 public:
  Folding(ChartData& data, const History& history_, const Standing& standing_)
      : history(history_), standing(standing_), data_(data) {}

  const History& history;
  const Standing& standing;  // the event taken in
  Change change;

  const RunFacts& facts() const;
  const Cast& cast() const;
  ChartRows& rows() const;
  // Rows by their names, made as they are met; kNoContender of what is none.
  int contender(Name name) const;
  int mutex(Name name) const;
  int resource(Name name) const;
  std::string text(Name name) const { return std::string(history.names.text(name)); }
  ContenderRow* contender_row(Name name) const;  // null of what is none
  ContenderRow& contender_row(int index) const { return rows().contenders[static_cast<std::size_t>(index)]; }
  MutexRow& mutex_row(int index) const { return rows().mutexes[static_cast<std::size_t>(index)]; }
  // Before it gets the first of what is to be seen in its row.
  void wakes(int contender) const;
  // Rows come, go or have another height from now on.
  void moves_rows() const;

 private:
  ChartData& data_;
};

// Labels ask for their places in this order: the most telling first.
enum class Says : std::uint8_t {
  kReserved,
  kRefusals,
  kGaps,
  kFaults,
  kHolds,
  kLeases,
  kLives,
  kAttempts,
  kTokens,
  kNothing
};
inline constexpr int kSaysSteps = static_cast<int>(Says::kNothing);

// A mark and its meaning: beside the chart, and below a picture.
enum class LegendGroup : std::uint8_t { kIs, kHappens, kDisturbs, kWentWrong };
struct LegendMark {
  using Sample = std::function<void(Canvas&, const QRect& place)>;

  LegendGroup group = LegendGroup::kIs;
  QString name, note;  // beside the chart; without a name it is only below pictures
  Sample sample;
  QString brief;          // below a picture; empty: not there
  Sample brief_sample{};  // where it is another
};

// A row that a lane has for itself; `index` is the lane's to choose, a mutex's where it stands under one.
struct OwnRow {
  int index = 0;
  int height = 0;
  bool alternate = false;
};

// Its texts pass through tr. In a picture each is asked for once, not once a mark: a catalogue is slower than a brush.
class Lane {
  Q_DECLARE_TR_FUNCTIONS(Lane)

 public:
  virtual ~Lane() = default;

  // ---- fold
  virtual std::vector<EventKind> hears() const { return {}; }
  virtual void fold(Folding& /*at*/, const Event& /*event*/) {}
  // After all events of an append.
  virtual void settle(Folding& /*at*/) {}

  // ---- layout: the rows it has for itself there, under a mutex's header or contenders; none for most
  virtual std::vector<OwnRow> rows(const ChartData& /*data*/, const ChartLayout& /*layout*/, RowSpot /*spot*/,
                                   int /*mutex*/) const {
    return {};
  }

  // ---- paint: marks, then what is written over all marks, then its name in the headers
  virtual void paint(Canvas& /*canvas*/, const Scene& /*scene*/) const {}
  virtual Says says() const { return Says::kNothing; }
  virtual void write(Canvas& /*canvas*/, const Scene& /*scene*/) const {}
  virtual void head(Canvas& /*canvas*/, const Scene& /*scene*/, const RowBox& /*row*/) const {}

  // ---- hit, describe
  virtual Hit hit(const Scene& /*scene*/, const RowBox& /*row*/, QPoint /*at*/) const { return {}; }
  // Where a hit of this lane lies in its row; none in any other row.
  virtual std::optional<Band> place(const Scene& /*scene*/, const RowBox& /*row*/, const Hit& /*hit*/) const {
    return {};
  }
  virtual HoverText describe(const ChartData& /*data*/, const Hit& /*hit*/, TrueTime /*at*/) const { return {}; }

  // ---- legend
  virtual std::vector<LegendMark> legend() const { return {}; }
};

// Of all lanes, in their order.
std::vector<LegendMark> chart_legend();

// The mutex that an event is about, or all, where it names none.
template <class Do>
void each_told_of(Folding& at, const Event& event, Do&& action) {
  if (!event.mutex.empty()) return action(at.mutex_row(at.mutex(event.mutex)));
  if (at.rows().mutexes.empty()) at.mutex(event.mutex);
  for (MutexRow& mutex : at.rows().mutexes) action(mutex);
}

// ---- helpers

// What stands by the place of a contender, a mutex or a resource; a list that grows as they come.
template <class T>
class ByRow {
 public:
  T& operator[](int index) {
    const auto place = static_cast<std::size_t>(index);
    if (list_.size() <= place) list_.resize(place + 1);
    return list_[place];
  }
  // Null where nothing came yet.
  const T* find(int index) const {
    const auto place = static_cast<std::size_t>(index);
    return index >= 0 && place < list_.size() ? &list_[place] : nullptr;
  }

 private:
  std::vector<T> list_;
};

// Calls for each row that is seen of those that a lane has for itself.
template <class Do>
void each_own_row(const Scene& scene, LaneKind lane, Do&& action) {
  for (const RowBox& row : scene.layout.rows)
    if (row.kind == RowKind::kOwn && row.lane == lane && scene.visible(row)) action(row);
}

// An attempt at having the mutex, or at keeping it: whatever the system calls that; not one at giving it back.
bool asks_for_it(const Event& attempt);
inline Moment moment_of(const Event& event) { return {event.lo, event.hi}; }
inline const ContenderRow& contender_of(const Scene& scene, const RowBox& row) {
  return scene.data.contenders()[static_cast<std::size_t>(row.index)];
}
// Calls for each row of that kind that is seen.
template <class Do>
void each_row(const Scene& scene, RowKind kind, Do&& action) {
  for (const RowBox& row : scene.layout.rows)
    if (row.kind == kind && scene.visible(row)) action(row);
}
// Whether a fault's band lies there in its row.
bool over_band(const Scene& scene, const ContenderRow& contender, int from, int to);
// Of those that begin within `width` pixels of each other the one that tells most: calls with it, its pixel, and that
// of the first one that follows them.
template <class Action>
void each_rank(const Scene& scene, const MarkTrack& marks, int width, Action&& action) {
  std::size_t guess = 1, i = marks.first_at(scene.viewport.from);
  int x = i < marks.size() ? scene.x(marks.at(i)) : scene.right();
  while (i < marks.size() && marks.at(i) < scene.viewport.to()) {
    const std::size_t next = marks.next_at(scene.first_of(x + width), i, guess);
    const std::size_t shown = marks.highest(i, next);
    const int x_next = next < marks.size() ? scene.x(marks.at(next)) : scene.right() + width;
    action(shown, shown == i ? x : scene.x(marks.at(shown)), x_next);
    guess = next - i;
    i = next;
    x = x_next;
  }
}
// "queue" and below it, smaller, what it means: in the header of a lane's own row.
void write_row_name(Canvas& canvas, const Scene& scene, const RowBox& row, const QString& name, const QString& about);
// A line's name in the header, at its right end: `baseline` from the row's top.
void write_line_name(Canvas& canvas, const Scene& scene, const RowBox& row, int baseline, const QString& name);
// A lane's name in the header of a contender's row, where there is room; it is translated then.
void write_lane_name(Canvas& canvas, const Scene& scene, const RowBox& row, Band band, const char* word);

}  // namespace leasescope
