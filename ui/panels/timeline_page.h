// The middle of a perspective with a chart: the strip, what did not work, and the chart or what stands there without a
// run.
#pragma once
#include <QStackedWidget>
#include <vector>

#include "ui/models/session.h"
#include "ui/panels/problem_box.h"
#include "ui/panels/report_export.h"
#include "ui/panels/rows_bar.h"
#include "ui/panels/view_strip.h"

namespace leasescope {

struct ReportFormat;
struct Axis;
class TimelineView;

class TimelinePage : public Pane {
  Q_OBJECT
 public:
  TimelinePage(Session& session, const ViewStrip::Actions& actions, QAction* showRows, QWidget* empty,
               QWidget* parent = nullptr);
  // Without a strip and without a bar of rows.
  TimelinePage(Session& session, QWidget* empty, QWidget* parent = nullptr);

  TimelineView* timeline() const { return timeline_; }
  ProblemBox* problem() const { return problem_; }
  ViewStrip* strip() const { return strip_; }  // null: none
  RowsBar* rows() const { return rows_; }      // null: none
  // Above the chart, on its scale of time; as high as it says itself.
  void addLane(QWidget* lane);
  // Of all that stands above the chart but the strip.
  int lanesHeight() const;
  // The chart alone, with larger type and rows.
  void present(bool on);
  // Where the chart is; what is laid over it belongs here.
  QWidget* place() const { return pages_; }
  // What the chart and the strip count.
  void setAxis(const Axis& axis);
  // Shows an incident's place in the middle, close enough to be read.
  void showIncident(int index);
  // The run as a file, its chart as it is shown.
  ExportWish exportWish(const QString& path, const ReportFormat& format) const;

 private:
  void reset();
  void advance();
  void tellRange();
  void followPlayhead(TrueTime at);

  Session& session_;
  std::vector<QWidget*> lanes_;
  QWidget* above_;      // has them
  bool leads_ = false;  // the chart moves the playhead, not the other way round
  ViewStrip* strip_ = nullptr;
  RowsBar* rows_ = nullptr;
  ProblemBox* problem_;
  QStackedWidget* pages_;
  TimelineView* timeline_;
};

}  // namespace leasescope
