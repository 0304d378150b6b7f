// Every action of the Lab: text, key and icon in one table, from which menus, tool tips and the key sheet are made.
#pragma once
#include <QAction>
#include <QObject>
#include <vector>

namespace leasescope {

enum class LabAction {
  kOpenFile,
  kCloseScenario,
  kExportPng,
  kExportSvg,
  kQuit,
  kUndo,
  kRedo,
  kResetValues,
  kZoomIn,
  kZoomOut,
  kFitSelection,
  kFitAll,
  kUndoZoom,
  kBusiestFirst,
  kAllRows,
  kFollow,
  kLight,
  kDark,
  kSystem,
  kResetLayout,
  kNextIncident,
  kPreviousIncident,
  kNextEvent,
  kPreviousEvent,
  kSearch,
  kFilter,
  kRun,
  kRestart,
  kStep,
  kStepBack,
  kStepTen,
  kStepBackTen,
  kFork,
  kToEnd,
  kStop,
  kSpeed01,
  kSpeed1,
  kSpeed10,
  kSpeedMax,
  kNewSeed,
  kHelp,
  kKeys,
  kAbout,
  kCount
};

class LabActions : public QObject {
  Q_OBJECT
 public:
  explicit LabActions(QWidget* window);

  QAction* operator[](LabAction which) const { return actions_[static_cast<std::size_t>(which)]; }

  struct Key {
    QString group, keys, text;
  };
  // For the key sheet: all of the above and what the chart itself listens to.
  std::vector<Key> keys() const;

 private:
  std::vector<QAction*> actions_;
};

}  // namespace leasescope
