// Live runs side by side, and what is looked for in their histories.
#pragma once
#include <QTest>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulator/live/live_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/event_wait.h"

namespace leasescope::tests {

using Settings = std::vector<std::string>;

inline Scenario scenario(const std::string& name, const Settings& settings) {
  const auto found = find_scenario(name, settings);
  if (!found) throw std::runtime_error(found.error().text());
  return *found;
}

// Prepares it, with the event loop running until that is over; the error is the run's.
inline tl::expected<void, std::string> prepared(LiveRun& run) {
  const QObject here;
  bool over = false;
  tl::expected<void, std::string> result;
  QObject::connect(&run, &LiveRun::prepared, &here, [&] { over = true; });
  QObject::connect(&run, &LiveRun::failed, &here, [&](const std::string& message) {
    result = tl::unexpected(message);
    over = true;
  });
  run.prepare();
  if (!wait_until([&] { return over; }, std::chrono::seconds(90))) return tl::unexpected<std::string>("no end");
  return result;
}

// The tests of one process run side by side: time is what they spend.
class Runs {
 public:
  // Null when it could not be prepared; `error` says why.
  LiveRun* add(const std::string& key, const Scenario& what, const std::string& store) {
    auto run = std::make_unique<LiveRun>(what, store);
    const auto ready = prepared(*run);
    if (!ready) {
      error = ready.error();
      return nullptr;
    }
    QObject::connect(run.get(), &LiveRun::finished, run.get(), [this] { ++finished_; });
    return (runs_[key] = std::move(run)).get();
  }
  bool play(std::chrono::milliseconds within) {
    for (const auto& [key, run] : runs_) run->start();
    return wait_until([this] { return finished_ == runs_.size(); }, within);
  }
  const LiveRun& at(const std::string& key) const { return *runs_.at(key); }

  std::string error;

 private:
  std::map<std::string, std::unique_ptr<LiveRun>> runs_;
  std::size_t finished_ = 0;
};

inline std::vector<Event> of_kind(const History& history, EventKind kind) {
  std::vector<Event> out;
  for (const Event& event : history.events)
    if (event.kind == kind) out.push_back(event);
  return out;
}

inline void check_reasons(const LiveRun& run) {
  const Outcome outcome = run.outcome();
  std::string reasons;
  for (const std::string& reason : outcome.reasons) reasons += reason + "; ";
  QVERIFY2(outcome.as_expected == true, reasons.c_str());
}

}  // namespace leasescope::tests
