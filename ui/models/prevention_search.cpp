#include "ui/models/prevention_search.h"

#include <QPromise>

#include "ui/models/aside.h"

namespace leasescope {

PreventionSearch::PreventionSearch(QObject* parent) : QObject(parent) {
  connect(&watcher_, &QFutureWatcher<Prevention>::finished, this, &PreventionSearch::take);
}

void PreventionSearch::begin(const Scenario& scenario, const Unwanted& unwanted) {
  stop();
  stopped_ = std::make_shared<std::atomic<bool>>(false);
  auto promise = std::make_shared<QPromise<Prevention>>();
  promise->start();
  watcher_.setFuture(promise->future());
  // The thread knows nothing of this object, which may be gone before it ends.
  asideThreads().start([promise, scenario, unwanted, stopped = stopped_] {
    promise->addResult(prevention_of(scenario, unwanted, [&stopped] { return !*stopped; }));
    promise->finish();
  });
}

void PreventionSearch::stop() {
  if (stopped_) *stopped_ = true;
  stopped_.reset();
  found_.reset();
  watcher_.setFuture(QFuture<Prevention>());
}

void PreventionSearch::take() {
  if (!stopped_ || watcher_.future().resultCount() == 0) return;
  stopped_.reset();
  found_ = watcher_.result();
  emit ended();
}

}  // namespace leasescope
