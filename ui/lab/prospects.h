// What each scenario of the list comes to, without and with fence: found out by running it, a few milliseconds at a
// time while nothing else runs.
#pragma once
#include <QObject>
#include <QTimer>
#include <deque>
#include <memory>

#include "simulator/run/virtual_run.h"
#include "ui/models/scenario_list_model.h"

namespace leasescope {

class LabController;

class Prospects : public QObject {
  Q_OBJECT
 public:
  Prospects(LabController& lab, ScenarioListModel* list, QObject* parent);
  // Begins with the first row that is not known; again when rows are added or written anew.
  void begin();
  bool done() const { return !timer_.isActive(); }

 private:
  void await(int row);
  void work();
  bool next();
  void take();

  LabController& lab_;
  ScenarioListModel* list_;
  QTimer timer_;
  std::unique_ptr<VirtualRun> run_;
  ScenarioListModel::Met met_;
  std::deque<int> waiting_;  // rows, the one under way first
  bool begun_ = false;
  bool fenced_ = false;  // the run under way: first without, then with
};

}  // namespace leasescope
