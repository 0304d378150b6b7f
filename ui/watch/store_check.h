// Tries whether a store can be watched: looks at it once as a watch of it would, beside the window, without writing a
// byte, and leaves it.
#pragma once
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <set>
#include <string>

#include "core/loop/qt/qt_loop.h"
#include "core/observe/observer.h"
#include "core/store/url.h"

namespace leasescope {

class StoreCheck : public QObject, private ObserverListener {
  Q_OBJECT
 public:
  explicit StoreCheck(QObject* parent = nullptr);
  ~StoreCheck() override;

  // Of a store that can be watched. Another check that is under way ends without a word.
  void begin(const StoreUrl& url, Foreign foreign);
  void cancel();
  bool runs() const { return observer_ != nullptr; }
  // So long at most.
  void setPatience(int ms) { patience_.setInterval(ms); }

 signals:
  // Later, once: what it came to, in a line for people; of an error what happened and what to do. `remarks`: what else
  // whoever watches it should know, such as rights that are missing.
  void ended(bool answers, const QString& words, const QStringList& remarks);

 private:
  void on_seen(const Sighting& seen) override;
  void on_heard(const HeardChange& heard) override;
  void on_all_seen() override;
  void on_rest_refused(const std::string& why) override;
  void on_blind(TrueTime since, const std::string& why) override;
  void on_sighted() override;
  void on_hidden(const std::string& mutex, std::string_view maker, TrueTime since) override;
  void on_remark(const std::string& remark) override;
  void end();
  QString account() const;

  QtLoop loop_;
  std::unique_ptr<Observer> observer_;  // null: nothing is checked
  QTimer patience_, soon_;
  QString title_;
  std::set<std::string> mutexes_;
  bool sighted_ = false, whole_ = false;
  QString why_;
  QStringList remarks_;
};

}  // namespace leasescope
