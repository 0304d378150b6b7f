// Until when an alert is muted, as its reader chooses: so long, until tomorrow, or until whatever he types.
#pragma once
#include <QMenu>
#include <functional>
#include <optional>

#include "core/time/clock.h"

namespace leasescope {

class WatchSession;

class MuteMenu : public QMenu {
  Q_OBJECT
 public:
  explicit MuteMenu(const WatchSession& session, QWidget* parent = nullptr);

  // What is typed at a question; none: nothing, after all. For tests; else a dialog asks.
  using Ask = std::function<std::optional<QString>(const QString& question)>;
  void askWith(Ask ask) { ask_ = std::move(ask); }

 signals:
  void chosen(TrueTime until);

 private:
  void add(const QString& title, const QString& end);
  void askForEnd();

  const WatchSession& session_;
  Ask ask_;
};

}  // namespace leasescope
