// The middle of the Lab: the strip, what did not work, and the chart or the empty state.
#pragma once
#include <QStackedWidget>

#include "ui/lab/empty_state.h"
#include "ui/lab/lab_controller.h"
#include "ui/lab/preparation_box.h"
#include "ui/lab/problem_box.h"
#include "ui/lab/view_strip.h"

namespace leasescope {

class TimelineView;

class LabView : public Pane {
  Q_OBJECT
 public:
  LabView(LabController& lab, const ViewStrip::Actions& actions, EmptyState* empty, QAction* stop,
          QWidget* parent = nullptr);

  TimelineView* timeline() const { return timeline_; }
  ProblemBox* problem() const { return problem_; }
  PreparationBox* preparation() const { return preparation_; }
  ViewStrip* strip() const { return strip_; }
  // Shows an incident's place in the middle, close enough to be read.
  void showIncident(int index);
  // The chart as it is shown, as a picture. False with the reason.
  bool exportChart(const QString& path, QString* error) const;

 private:
  void reset();
  void advance();
  void followPlayhead(TrueTime at);

  LabController& lab_;
  bool leads_ = false;  // the chart moves the playhead, not the other way round
  ViewStrip* strip_;
  ProblemBox* problem_;
  PreparationBox* preparation_;
  QStackedWidget* pages_;
  TimelineView* timeline_;
};

}  // namespace leasescope
