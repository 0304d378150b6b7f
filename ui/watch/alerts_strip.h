// What somebody should be told now, over the table: rules that hold, and stores that do not tell. The first is in
// inverse video; where there are many the rest is counted.
#pragma once
#include "ui/panels/parts.h"
#include "ui/watch/watch_session.h"

class QPushButton;

namespace leasescope {

class AlertsStrip : public QWidget {
  Q_OBJECT
 public:
  explicit AlertsStrip(WatchSession& session, QWidget* parent = nullptr);

  static constexpr int kMostRows = 3;
  QString text() const;  // of all rows

 signals:
  void mutexWanted(const std::string& shown);

 private:
  class Row;
  void load();

  WatchSession& session_;
  std::vector<Row*> rows_;
  QLabel* more_;
};

}  // namespace leasescope
