// What somebody should be told now, over the table: rules that hold, and stores that do not tell. The first is in
// inverse video; where there are many the rest is counted.
#pragma once
#include "ui/panels/parts.h"
#include "ui/watch/watch_session.h"

namespace leasescope {

class MuteMenu;

class AlertsStrip : public QWidget {
  Q_OBJECT
 public:
  explicit AlertsStrip(WatchSession& session, QWidget* parent = nullptr);

  static constexpr int kMostRows = 3;
  QString text() const;  // of all rows
  MuteMenu* muteMenu() const { return muteMenu_; }

 signals:
  void mutexWanted(const std::string& shown);

 private:
  class Row;
  void load();
  void askToMute(std::ptrdiff_t alert, const QPoint& at);

  WatchSession& session_;
  MuteMenu* muteMenu_;
  std::ptrdiff_t muted_ = -1;  // of which the menu asks
  std::vector<Row*> rows_;
  QLabel* more_;
};

}  // namespace leasescope
