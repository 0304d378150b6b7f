// Watch, as a test finds it in a window.
#pragma once
#include "ui/watch/mutexes_model.h"
#include "ui/watch/mutexes_panel.h"
#include "ui/watch/watch_perspective.h"
#include "ui/window/main_window.h"

namespace leasescope::tests {

inline constexpr int kSeen = 4'000;  // ms: a store is looked at, and what was seen is shown

inline WatchPerspective& watch(MainWindow& window) {
  return *static_cast<WatchPerspective*>(window.perspective(QStringLiteral("watch")));
}

// As its table has it; empty: there is no such mutex.
inline QString watchCell(MainWindow& window, const QString& mutex, MutexesModel::Column column) {
  const MutexesModel& model = *watch(window).mutexes()->model();
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, MutexesModel::kMutex).data() == mutex) return model.index(row, column).data().toString();
  return {};
}

}  // namespace leasescope::tests
