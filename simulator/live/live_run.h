// One run of a scenario against a real store in real time, with its history in memory: the twin of VirtualRun.
#pragma once
#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/history/history.h"
#include "simulator/live/preparation_step.h"
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
  // Asked for it when the store wants one and none is known; named the store. None: the store's refusal stands. Whoever
  // asks may cancel, and must not destroy the run.
  void ask_password_with(std::function<std::optional<std::string>(const std::string& store)> ask);

  // Refuses what cannot be run live, starts the private server, looks at a given one, connects every contender. Returns
  // at once: `prepared`, `failed` or `cancelled` follows, later. After the latter two it may be prepared again.
  void prepare();
  // Before start(), at any time: no more of it is done, and nothing of it is left when `cancelled` comes. Else nothing
  // happens. To destroy it does the same, without a word.
  void cancel();
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
  void preparing(const leasescope::PreparationStep& step);
  void prepared();
  // For people: what is wrong and what to do. Nothing is left of it by then.
  void failed(const std::string& message);
  void cancelled();
  void advanced();  // the history has grown; about 20 times a second
  // A fault of the server could not be carried out; while it runs.
  void troubled(const std::string& message);
  // The history is closed, the contenders have stopped, the private server is gone.
  void finished();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace leasescope
