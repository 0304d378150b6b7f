// The status bar: what the run came to, most important first; what has no room is left out, never cut.
#pragma once
#include <QTimer>
#include <QWidget>

#include "ui/models/session.h"

namespace leasescope {

class SummaryBar : public QWidget {
  Q_OBJECT
 public:
  explicit SummaryBar(Session& session, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  // Said in the verdict's place for a few seconds.
  void tell(const QString& words);
  // All of it as one text; also what assistive tools read.
  QString text() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Item {
    QString name, value;
    int rank = 0;  // the lowest goes last
    bool right = false;
    bool fixed = true;  // the value in the fixed font
    bool alarm = false;
  };
  void load();
  int widthOf(const Item& item) const;
  int paintItem(QPainter& painter, int x, const Item& item) const;

  Session& session_;
  std::vector<Item> items_;
  QTimer telling_;
  QString told_;
  QString verdict_, verdictTip_;
  int verdictIcon_ = 0;  // 0 none, 1 check, 2 cross
};

}  // namespace leasescope
