// The heart of the window: rows per contender under their mutex, belief above what the store held, incidents on top.
// Own int64 offset in time; the static layer is kept as an image, cursor and selection are painted over it.
#pragma once
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QAbstractScrollArea>
#include <QElapsedTimer>
#include <QImage>
#include <QPointer>
#include <QTimer>
#include <QVariantAnimation>

#include "ui/timeline/hover_card.h"
#include "ui/timeline/minimap_view.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/paint/painter.h"
#include "ui/timeline/view_history.h"

namespace leasescope {

class TimelineView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit TimelineView(QWidget* parent = nullptr);
  ~TimelineView() override;

  void setTheme(Theme theme);
  // Another run: clears the chart. The stretch shown is kept when it is the same scenario of the same length.
  void setRun(const RunFacts& facts);
  // Of that run, folded by somebody else.
  void take(ChartData data);
  // Folds what is new since the last call; cheap when nothing is.
  void appendHistory(const History& history);
  // The playhead: also the live edge while the run goes on.
  enum class Cursor { kGoesAlong, kStays };
  void setNow(TrueTime now, Cursor cursor = Cursor::kGoesAlong);

  void fitAll(bool animated = false);
  void fitRange(TrueTime from, TrueTime to, bool animated);
  // Shows a stretch in the middle without changing the zoom, unless it would not fit.
  void centreOn(TrueTime from, TrueTime to);
  void setFollow(bool on);
  bool follows() const { return follow_; }
  const ViewHistory& places() const { return history_; }
  // Scrolls to these rows, the first of them above all.
  void showRows(const std::vector<int>& contenders);
  void showRowsOfIncident(int index);
  // Which rows, in which order; of a small fleet all.
  void setRowChoice(const RowChoice& choice);
  const RowChoice& rowChoice() const { return choice_; }

  // ---- one row (timeline_rows.cpp): what keys are about; a contender's, or -1
  int currentRow() const;
  void setCurrentRow(int contender);
  void stepRow(int by);  // +1 the next below
  // Who else holds the mutex of that contender at a moment, by what its store knows; -1: nobody.
  int blockerOf(int contender, TrueTime at) const;
  // Among whom that row can be moved, as they stand: the pinned ones, or those of its mutex.
  std::vector<std::string> neighboursOf(int contender) const;
  // Whose row is there, in the viewport's coordinates; -1: no contender's.
  int contenderAt(QPoint at) const;
  // What a hand points at that means somebody: a contender's row, or what tells of the store (its own row, the header
  // of a mutex). In the viewport's coordinates, without the row's header; `contender` -1: the store; nobody: no row.
  struct Aim {
    int contender = -1;
    QRect row;
  };
  std::optional<Aim> aimAt(QPoint at) const;
  // The same of a contender's row, or -1 for the first that tells of the store, as far as it is shown.
  std::optional<Aim> aimOf(int contender) const;
  // What lies near a point of the viewport, as measuring snaps to it.
  std::optional<TrueTime> snappedAt(QPoint at) const;
  LeftOut leftOut() const { return layout_.left_out; }
  // Draws an incident selected, without moving; -1 selects none.
  void selectIncident(int index);
  int selectedIncident() const { return selectedIncident_; }

  // Moments of the run, whatever the chart counts by.
  std::pair<TrueTime, TrueTime> visibleRange() const;
  // How much time that is by what the chart counts.
  Duration shownSpan() const { return shown_.span; }
  TrueTime cursorTime() const;
  void setCursorTime(TrueTime at);
  // Brings a moment into view, without changing the zoom.
  void reveal(TrueTime at);
  // From the cursor to wherever it goes; a drag with Shift measures as well. Off, or Esc: what was measured is gone.
  void measureFromCursor(bool on);
  const std::optional<std::pair<TrueTime, TrueTime>>& measured() const { return measured_; }
  // ---- markers (timeline_markers.cpp)
  void setMarkers(MarkerFlags markers);  // in order of time
  // The cursor stands where what is selected was chosen: a marker goes to its begin.
  void pointAtSelection(TrueTime cursor);
  // Where a marker would be put: at the cursor, or where what was chosen begins.
  TrueTime markedTime() const;
  void goToMarker(int step);  // +1 next, -1 previous
  void goToMoment(TrueTime at);
  ViewPlace place() const;
  void goToPlace(const ViewPlace& place);
  // A marker's flag in the viewport's coordinates; empty when it is not in view.
  QRect markerRect(int marker) const;
  // While a recorded run is played, what is still to come is not shown.
  void setVeil(std::optional<TrueTime> from);
  std::optional<TrueTime> veilFrom() const { return veil_; }
  // Where there is little room rows are smaller, so that more of them are seen at once.
  void setFitting(bool on);
  // Type and rows so many times as large, for those who sit far from it; and without the minimap.
  void setMagnified(double times);
  // What the ruler and the cursor's plate count.
  void setAxis(const Axis& axis);
  // Of one run or watch, the store's name or theirs.
  void setStore(const std::string& names);
  const Axis& axis() const { return data_.axis(); }
  // Where the run was forked: before, it is another's.
  void setForks(std::vector<TrueTime> forks);
  const ChartData& data() const { return data_; }
  // An incident's mark in the rail, in the viewport's coordinates; empty when it is not in view.
  QRect incidentRect(int index) const;
  // Pixel of a moment in the viewport, and back; for tests and for what is laid over the chart.
  int pixelOf(TrueTime at) const;
  TrueTime timeAt(int x) const;
  // What the chart and the minimap would take with no row cut.
  int contentHeight() const;

  // ---- what it says to those who hear it (timeline_heard.cpp): rows, and segments of a row as they are shown now
  std::size_t heardRows() const { return layout_.rows.size(); }
  QString heardRow(std::size_t row) const;
  std::vector<Hit> heardSegments(std::size_t row, std::size_t most) const;
  // In the viewport's coordinates.
  QRect heardRect(std::size_t row) const;
  QRect heardRect(const Hit& segment) const;
  bool isHeardCurrent(std::size_t row) const;
  bool isHeardSelected(const Hit& segment) const;
  void chooseHeard(std::size_t row);
  void chooseHeard(const Hit& segment);
  // Another number where segments may be others.
  std::uint64_t heardPicture() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public slots:
  void zoomIn();
  void zoomOut();
  // To what was shown before the last zoom, pan or jump, and to where that was undone from.
  void undoZoom();
  void redoZoom();
  void fitSelection();          // the second time: everything
  void goToIncident(int step);  // +1 next, -1 previous
  void goToEvent(int step);

 signals:
  void incidentClicked(int index);
  void cursorMoved(leasescope::TrueTime at);
  void measureChanged();
  void markerClicked(int marker);
  void markerOpened(int marker);  // by a double click
  void placesChanged();           // to go back to, or forward
  void rangeChanged(leasescope::TrueTime from, leasescope::TrueTime to);
  // `incident` is -1 when a bar or a mark was chosen; from == to for a moment; -1 and 0, 0 when nothing is chosen.
  void selectionChanged(int incident, leasescope::TrueTime from, leasescope::TrueTime to);
  void followChanged(bool on);
  void rowChoiceChanged();
  void currentRowChanged(int contender);
  void leftOutChanged();
  // A menu of a row is wanted: `contender` -1, and `mutex` -1, where there is none.
  void rowMenuWanted(int contender, int mutex, QPoint at);

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  struct LayerKey {
    Viewport viewport;
    QSize size;
    double ratio = 0;
    std::uint64_t revision = 0;
    Theme theme = Theme::kLight;
    int scroll = 0;
    int layout = 0;
    Axis axis{};
    bool operator==(const LayerKey& other) const {
      return viewport == other.viewport && size == other.size && ratio == other.ratio && revision == other.revision &&
             theme == other.theme && scroll == other.scroll && layout == other.layout && axis == other.axis;
    }
  };

  Scene scene() const;
  LayerKey layerKey() const;
  void tellFocus();
  // The chart has coordinates of its own, which are the viewport's where it is not magnified.
  QSize extent() const;
  QPoint onChart(QPointF at) const { return (at / magnified_).toPoint(); }
  QRect onViewport(const QRect& rect) const;
  void relayout();
  void paintLayer();
  // ---- by a contender's clock (timeline_clock.cpp): what is shown is kept by places on the chart (ClockMap), what
  // others hear of and ask for are moments of the run
  ClockView view() const { return {shown_, data_.clock().get()}; }
  Viewport placed(TrueTime from, TrueTime to) const;
  ViewPlace placeOnChart() const;
  // Under another clock the same moments are shown, and gone back to.
  void keepMoments(const std::function<void()>& change);
  void setShown(Viewport next);
  void zoomBy(std::int64_t ppm, int x);
  void pan(int dx);
  // What is shown is left: a series of zooms or of pans, one soon after the other, is one step back.
  enum class Move { kJump, kZoom, kPan };
  void leavePlace(Move move);
  void goTo(const ViewPlace& onChart);
  void fitPlaces(Viewport next, bool animated);
  Viewport clamped(Viewport next) const;
  void animateTo(Viewport next);
  void followNow();
  void hover(QPoint at, bool atOnce);
  void showCard();
  void hideCard();
  void leaveHover();
  void choose(const Hit& hit, TrueTime at);
  TrueTime meant(QPoint at, Qt::KeyboardModifiers held) const;
  void measure(const QMouseEvent& event);
  const RowBox* rowAt(QPoint at) const;
  std::optional<Aim> aim(const RowBox& row) const;
  int markerAt(QPoint at) const;
  bool tipOfMarker(const class QHelpEvent& event) const;
  void setMeasured(std::optional<std::pair<TrueTime, TrueTime>> measured);
  int plotX(int x) const { return x - layout_.head; }

  ChartData data_;
  ChartLayout layout_;
  RowChoice choice_;
  int currentRow_ = -1;
  LeftOut leftOut_;
  std::uint64_t busy_ = 0;  // of the data, as laid out
  Viewport shown_;
  struct Kept {
    Viewport on_chart;
    TrueTime from{}, to{};
  };
  std::optional<Kept> kept_;  // what was shown when the clock changed, to the nanosecond
  TileCache tiles_;
  QImage layer_;
  RailMarks rail_;  // of the layer
  LayerKey layerKey_;
  mutable LayerKey heardKey_;
  mutable std::uint64_t heardPicture_ = 0;
  int layoutRevision_ = 0;
  double magnified_ = 1;
  bool fitting_ = false;
  Theme theme_ = Theme::kLight;
  MinimapView* minimap_ = nullptr;
  QPointer<HoverCard> card_;  // on the window
  QTimer hoverTimer_;
  QVariantAnimation animation_;
  Viewport animateFrom_, animateTo_;

  std::optional<TrueTime> cursor_, veil_;
  std::vector<TrueTime> forks_;
  std::optional<std::pair<TrueTime, TrueTime>> measured_;  // from where to where
  bool cursorMeasures_ = false;                            // its end is where the cursor is
  MarkerFlags markers_;
  int overMarker_ = -1;
  std::optional<TrueTime> chosenAt_;  // the cursor, when something was selected by it
  TrueTime now_{};
  bool follow_ = true;
  int selectedIncident_ = -1;
  Hit selected_, hovered_;
  QPoint hoverAt_;
  ViewHistory history_;
  Move lastMove_ = Move::kJump;
  QElapsedTimer sinceMove_;
  struct {
    int x = -1;
    TrueTime at{};
    Viewport left;  // what the last zoom left
  } zoomAnchor_;
  QPoint pressedAt_;
  Viewport pressedShown_;
  int pressedScroll_ = 0;
  bool pressed_ = false, dragging_ = false, measuring_ = false;
};

}  // namespace leasescope
