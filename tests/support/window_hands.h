// What a test presses in a window: its menu entries, and the keys that its key sheet names.
#pragma once
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QTimer>

#include "tests/support/window_suite.h"

namespace leasescope::tests {

// What stands in a menu, and in the menus inside it, as they are when they are opened.
inline QList<QAction*> entries_of(QMenu* menu) {
  QList<QAction*> out;
  Q_EMIT menu->aboutToShow();
  for (QAction* action : menu->actions())
    if (action->menu())
      out += entries_of(action->menu());
    else if (!action->isSeparator())
      out << action;
  return out;
}

inline QList<QAction*> entries_of(const MainWindow& window) {
  QList<QAction*> out;
  for (QAction* top : window.menuBar()->actions())
    if (top->menu()) out += entries_of(top->menu());
  return out;
}

// The keys that a line of the key sheet names: "A D", "Alt+1…6".
inline QStringList each_of(const QString& keys) {
  QStringList out;
  for (const QString& each : keys.split(u' ')) {
    const qsizetype dots = each.indexOf(QChar(0x2026));
    if (dots < 1) {
      out << each;
      continue;
    }
    for (QChar digit = each[dots - 1]; digit <= each[dots + 1]; digit = QChar(digit.unicode() + 1))
      out << each.left(dots - 1) + digit;
  }
  return out;
}

// All that the key sheet has, and those that move about.
inline QList<QKeySequence> keys_of(const MainWindow& window) {
  QList<QKeySequence> keys;
  for (const KeyLine& key : window.keys())
    for (const QString& each : each_of(key.keys))
      if (const QKeySequence sequence(each); !sequence.isEmpty() && sequence[0].key() != Qt::Key_unknown)
        keys << sequence;
  for (const Qt::Key extra : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_End,
                              Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Tab})
    keys << QKeySequence(extra);
  return keys;
}

// As at a keyboard: where the focus is, or the window when it is nowhere.
inline void press(MainWindow& window, const QKeySequence& keys) {
  QWidget* to = window.focusWidget() && window.focusWidget()->isVisible() ? window.focusWidget() : &window;
  for (int i = 0; i < keys.count(); ++i)
    QTest::keyClick(to, static_cast<Qt::Key>(keys[static_cast<uint>(i)].key()),
                    keys[static_cast<uint>(i)].keyboardModifiers());
}

// While it lives, a dialog or a menu that waits for its answer is told no.
class SaysNo {
 public:
  SaysNo() {
    timer_.callOnTimeout([] {
      if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
      if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialog->reject();
    });
    timer_.start(10);
  }

 private:
  QTimer timer_;
};

}  // namespace leasescope::tests
