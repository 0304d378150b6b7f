// Watch: the mutexes of stores that are in use, who owns each now, and what was seen of it since the watch began.
#pragma once
#include <QLabel>
#include <functional>

#include "ui/watch/desktop_notice.h"
#include "ui/watch/watch_actions.h"
#include "ui/watch/watch_session.h"
#include "ui/window/session_perspective.h"

class QSplitter;

namespace leasescope {

class AlertsStrip;
class EventFeed;
class MutexDetail;
class MutexesPanel;
class PastBar;
class StoresPanel;

class WatchPerspective : public SessionPerspective {
  Q_OBJECT
 public:
  explicit WatchPerspective(WindowActions& frame, QWidget* parent = nullptr);
  ~WatchPerspective() override;

  WatchSession& watched() { return watch_; }
  const WatchSession& watched() const { return watch_; }
  StoresPanel* stores() const { return stores_; }
  MutexesPanel* mutexes() const { return mutexes_; }
  EventFeed* feed() const { return feed_; }
  MutexDetail* detail() const { return detail_; }
  using SessionPerspective::action;
  QAction* action(WatchAction which) const { return (*actions_)[which]; }

  QWidget* tools() override { return tools_; }
  std::vector<ActionTable*> actionTables() override;
  QString document() const override;
  bool takes(const QString& path, const QByteArray& begin) const override;
  QStringList fileFilters() const override { return {}; }
  // The address of a store.
  void open(const QString& path) override;
  void remember(QSettings& settings) const override;
  void restore(const QSettings& settings) override;
  void layOut() override;
  void present(bool on) override;
  void letGo() override {
    SessionPerspective::letGo();
    watch_.stopRecording();
  }
  // Where to record to; empty: nowhere. By the dialog of the system unless told otherwise.
  void choosePathWith(std::function<QString()> choose) { choosePath_ = std::move(choose); }
  // Which file of rules; likewise.
  void chooseRulesWith(std::function<QString()> choose) { chooseRules_ = std::move(choose); }
  void chooseSocketWith(std::function<QString()> choose) { chooseSocket_ = std::move(choose); }
  // Where a scenario after what was seen is written to; likewise.
  void chooseScenarioWith(std::function<QString(const QString&)> choose) { chooseScenario_ = std::move(choose); }
  AlertsStrip* alerts() const { return alerts_; }
  PastBar* past() const { return past_; }

 protected:
  void sizeDocks() override;
  void searchList() override;
  void loadActions() override;

 private:
  QWidget* makeTools();
  void connectActions();
  void showChosen();
  void tellTime();
  void goTo(TrueTime at);
  void leadTo(TrueTime at, const QString& mutex);
  QWidget* makeLeft();
  void record();
  void takeRules();
  void hearBeliefs();
  void simulate();
  void showMutexes();

  WatchSession watch_;
  WatchActions* actions_;
  StoresPanel* stores_;
  MutexesPanel* mutexes_;
  MutexDetail* detail_;
  EventFeed* feed_;
  QSplitter* middle_ = nullptr;
  QLabel* time_ = nullptr;
  QWidget* tools_;
  AlertsStrip* alerts_;
  PastBar* past_;
  DesktopNotice notice_{*this};
  std::function<QString()> choosePath_, chooseRules_, chooseSocket_;
  std::function<QString(const QString& proposed)> chooseScenario_;
};

}  // namespace leasescope
