// The icons: 16 × 16, 1.5 px lines, one colour, drawn from paths in the colours of the current look.
#pragma once
#include <QIcon>
#include <QPainter>

namespace leasescope {

enum class Icon {
  kRun,
  kPause,
  kStop,
  kFirst,
  kStep,
  kStepBack,
  kFork,
  kLast,
  kSearch,
  kClose,
  kFloat,
  kChevronDown,
  kChevronRight,
  kFit,
  kUndo,
  kFollow,
  kExport,
  kDice,
  kCheck,
  kWarn,
  kCopy,
  kMore,
  kOpen,
  kRestart,
  kCross,
};

// Follows the look: painted anew whenever it is shown. `accent`: for buttons filled with ink.
QIcon icon(Icon which, bool accent = false);
// The program's own, as in the title bar and the task switcher.
QIcon appIcon();
void paintIcon(QPainter& painter, const QRect& rect, Icon which, const QColor& colour);

}  // namespace leasescope
