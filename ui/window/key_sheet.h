// All keys on one sheet, over the window; Esc or a click puts it away.
#pragma once
#include <QWidget>

#include "ui/window/action_table.h"

namespace leasescope {

class KeySheet : public QWidget {
  Q_OBJECT
 public:
  KeySheet(const std::vector<KeyLine>& keys, QWidget* window);
  void appear();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  QWidget* column(const QStringList& groups, const std::vector<KeyLine>& keys);
};

}  // namespace leasescope
