// What would have kept an incident away, looked for beside the window: each thing that is tried is a run.
#pragma once
#include <QFutureWatcher>
#include <atomic>
#include <memory>
#include <optional>

#include "simulator/campaign/prevention.h"

namespace leasescope {

class PreventionSearch : public QObject {
  Q_OBJECT
 public:
  explicit PreventionSearch(QObject* parent = nullptr);
  ~PreventionSearch() override { stop(); }

  // What was looked for before is left.
  void begin(const Scenario& scenario, const Unwanted& unwanted);
  // What was found is forgotten, too: it was of that incident.
  void stop();
  bool looks() const { return stopped_ != nullptr; }
  // None as long as it looks, and when nothing was begun.
  const std::optional<Prevention>& found() const { return found_; }

 signals:
  void ended();

 private:
  void take();

  QFutureWatcher<Prevention> watcher_;
  std::shared_ptr<std::atomic<bool>> stopped_;  // of what is looked for now; null: nothing
  std::optional<Prevention> found_;
};

}  // namespace leasescope
