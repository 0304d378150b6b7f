// One run of a scenario against a real store in real time, with its history in memory: the twin of VirtualRun.
#pragma once
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/history.h"
#include "simulator/run/outcome.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

class LiveRun : public QObject {
  Q_OBJECT

 public:
  // `store`: the word of a store type (a private server is started for the run) or a URL.
  LiveRun(const Scenario& scenario, const std::string& store, QObject* parent = nullptr);
  ~LiveRun() override;

  // For a given store whose URL has no password.
  void use_password(const std::string& password);
  // Asked for it when the store wants one and none is known; named the store. None: the store's refusal stands.
  void ask_password_with(std::function<std::optional<std::string>(const std::string& store)> ask);

  // Refuses what cannot be run live, starts the private server, looks at a given one, connects every contender. Runs
  // Qt's event loop meanwhile. Errors are for people: what is wrong and what to do.
  tl::expected<void, std::string> prepare();
  // What a user should know of the store before the run, a sentence each; once prepared.
  const std::vector<std::string>& remarks() const;
  // Time 0: the contenders are started. finished() follows at the scenario's end, or after stop().
  void start();
  // Ends the run here.
  void stop();

  bool running() const;
  TrueTime now() const;
  const History& history() const;
  // Scenario time 0 in ns since 1970 (UTC), by the wall clock when it began; 0 before.
  std::int64_t epoch_ns() const;
  const Scenario& scenario() const;
  // Valid once finished; before, of the run so far.
  Outcome outcome() const;

 signals:
  void advanced();  // the history has grown; about 20 times a second
  // The history is closed, the contenders have stopped, the private server is gone.
  void finished();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace leasescope
