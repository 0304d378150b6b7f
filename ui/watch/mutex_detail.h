// One watched mutex: its lease, who has owned it, who waits, and what stands in the store.
#pragma once
#include <QLabel>
#include <QScrollArea>
#include <functional>

#include "ui/timeline/paint/axis.h"
#include "ui/watch/mutexes_panel.h"
#include "ui/watch/watch_session.h"

class QVBoxLayout;

namespace leasescope {

class MutexDetail : public QScrollArea {
  Q_OBJECT
 public:
  MutexDetail(WatchSession& session, MutexesPanel& mutexes, QWidget* parent = nullptr);

  // How moments are written.
  void setAxis(const Axis& axis);
  QString text() const;  // all that is said, for tests and assistive tools
  QSize sizeHint() const override { return {292, 420}; }

 signals:
  void timeChosen(leasescope::TrueTime at);

 private:
  QLabel* addSection(QVBoxLayout* column, const QString& title, const QString& note, QWidget** all);
  void load();
  void loadNow(const WatchedMutex& of, const WatchedRow& now);
  void loadPast(const WatchedMutex& of, const WatchedRow& then);
  QString facts(const WatchedMutex& of, const WatchedRow& row) const;
  QString pastFacts(const MutexOwnership* of, const WatchedRow& then) const;
  QString holders(const WatchedRow& row) const;
  QString ownsAlso(const WatchedMutex& of, const WatchedRow& row) const;
  QString beliefs(const WatchedMutex& of) const;
  QString owners(const WatchedMutex& of) const;
  QString queue(const Sighting& last) const;
  QString raw(const Sighting& last) const;
  QString moment(TrueTime at) const;
  void copyRaw();
  void copyCommands();

  WatchSession& session_;
  MutexesPanel& mutexes_;
  Axis axis_;
  QWidget *nothing_, *all_;
  ElidedLabel *name_, *store_;
  QLabel *left_, *of_;
  class LeaseView* bar_;
  QLabel *facts_, *beliefs_, *owners_, *queue_, *raw_;
  QWidget* copyCommands_;
  QWidget *beliefsPane_, *ownersPane_, *queuePane_, *rawPane_;
};

}  // namespace leasescope
