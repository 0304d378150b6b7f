// At the cursor: what each contender believes and holds there, and how much of its lease is left.
#pragma once
#include <QScrollArea>

#include "ui/lab/lab_controller.h"
#include "ui/models/moment.h"

namespace leasescope {

class CursorPanel : public QWidget {
  Q_OBJECT
 public:
  explicit CursorPanel(LabController& lab, QWidget* parent = nullptr);
  // No time: the cursor is not on the chart; the newest moment is shown.
  void setTime(TrueTime at);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {180, 70}; }
  // The dock says "At the cursor" already when it has a title.
  void setTitled(bool titled);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintRow(QPainter& painter, int y, int place, const Standing& standing) const;
  void describe();

  LabController& lab_;
  Moments moments_;
  TrueTime at_{};
  std::vector<Standing> standings_;
  bool titled_ = true;
};

}  // namespace leasescope
