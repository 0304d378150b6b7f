// Watch, as a test finds it in a window.
#pragma once
#include "ui/watch/watch_perspective.h"
#include "ui/window/main_window.h"

namespace leasescope::tests {

inline constexpr int kSeen = 4'000;  // ms: a store is looked at, and what was seen is shown

inline WatchPerspective& watch(MainWindow& window) {
  return *static_cast<WatchPerspective*>(window.perspective(QStringLiteral("watch")));
}

}  // namespace leasescope::tests
