// The actions of one part of the window (the frame, a chart, a perspective) in one table: text, key, icon and place in
// the menus. From these tables come menus, tool tips, the sheet of keys, the palette of commands and the README's keys.
#pragma once
#include <QAction>
#include <QObject>
#include <vector>

#include "ui/theme/icons.h"

namespace leasescope {

struct ActionSpec {
  int which = 0;
  const char* menu = "";
  int group = 0;  // within the menu; a line stands between two groups
  const char* text = "";
  const char* key = "";
  int icon = -1;
  // 0: it is simply done; else it is on or off, and of those with the same number above 1 one is on.
  int choice = 0;
};
inline constexpr int kOnOff = 1;
template <class Which>
constexpr ActionSpec spec(Which which, const char* menu, int group, const char* text, const char* key, int icon = -1,
                          int choice = 0) {
  return {static_cast<int>(which), menu, group, text, key, icon, choice};
}
constexpr int picture(Icon which) { return static_cast<int>(which); }

// For the sheet of keys and the README: as it stands on the keyboard or is done with the mouse.
struct KeyLine {
  QString menu, keys, text;
};

class ActionTable : public QObject {
  Q_OBJECT
 public:
  // Keys are heard while `home` is shown in the active window, also when the menus are not.
  ActionTable(std::vector<ActionSpec> specs, QWidget* home);

  const std::vector<ActionSpec>& specs() const { return specs_; }
  QAction* action(int which) const;
  // What the widgets hear themselves, told with the actions' keys.
  void tell(const KeyLine& line) { told_.push_back(line); }
  std::vector<KeyLine> keys() const;

 private:
  std::vector<ActionSpec> specs_;
  std::vector<QAction*> actions_;  // as in specs_
  std::vector<KeyLine> told_;
};

template <class Which>
class Actions : public ActionTable {
 public:
  using ActionTable::ActionTable;
  QAction* operator[](Which which) const { return action(static_cast<int>(which)); }
};

// The text of an action as people read it: without the sign of its letter, and without "…".
QString plainText(const QAction& action);

}  // namespace leasescope
