// All keys on one sheet, over the window, in as many columns as have room; Esc or a click puts it away. Where it is
// longer than the window it is moved by the wheel and by the keys that move a text.
#pragma once
#include <QWidget>

#include "ui/window/action_table.h"

class QLabel;
class QScrollArea;

namespace leasescope {

class KeyCap;

class KeySheet : public QWidget {
  Q_OBJECT
 public:
  KeySheet(std::vector<KeyLine> keys, QWidget* window);
  void appear();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  struct Line {
    KeyCap* cap;
    QLabel* text;
  };
  using Columns = std::vector<std::vector<std::size_t>>;  // places in keys_

  Columns spread(int number) const;
  Columns fitting(const std::vector<Line>& lines, int room) const;
  QWidget* inColumns(int room) const;
  bool scroll(int key);

  std::vector<KeyLine> keys_;  // in the order of their menus
  QScrollArea* area_ = nullptr;
};

}  // namespace leasescope
