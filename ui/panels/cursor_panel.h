// At the cursor: what each contender believes and holds there, and how much of its lease is left.
#pragma once
#include <QScrollArea>

#include "ui/models/moment.h"
#include "ui/models/session.h"

namespace leasescope {

class CursorPanel : public QWidget {
  Q_OBJECT
 public:
  explicit CursorPanel(Session& session, QWidget* parent = nullptr);
  void setTime(TrueTime at);
  // Of the session's history, made by somebody else.
  void take(Moments moments);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {180, 70}; }
  // The dock's title says "At the cursor" and the time already.
  void setTitled(bool titled);

 signals:
  void timeShown(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintRow(QPainter& painter, int y, int place, const ContenderAt& standing) const;
  int textLeft() const;
  void describe();
  QString timeText() const;
  int top() const { return titled_ ? 6 : 28; }

  Session& session_;
  Moments moments_;
  TrueTime at_{};
  std::vector<ContenderAt> standings_;
  bool titled_ = true;
};

}  // namespace leasescope
