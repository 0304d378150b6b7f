// A recording as a session. Its events come in pages from a thread that reads them, a few milliseconds of work at a
// time; what has come can be looked at meanwhile. Nothing is judged anew: incidents, summary and verdict are those that
// the recording tells of.
#pragma once
#include <QElapsedTimer>
#include <QTimer>
#include <functional>
#include <memory>

#include "simulator/scenario/scenario.h"
#include "ui/models/session.h"
#include "ui/recordings/recording_loader.h"

namespace leasescope {

class RecordedSession : public Session {
  Q_OBJECT
 public:
  explicit RecordedSession(QObject* parent = nullptr);
  ~RecordedSession() override;

  // What is open stays until the other has been opened; a failure is told by `problem`.
  void open(const QString& path);
  void close();
  // Reads no further; what has come stays.
  void stopReading();
  const QString& path() const { return path_; }
  const HistoryHeader& header() const { return header_; }
  // Whether the run had ended when it was read.
  bool whole() const { return recorded_.has_value(); }

  RunState state() const override { return state_; }
  const History* history() const override { return history_.get(); }
  const Scenario* runScenario() const override { return scenario_.get(); }
  RunFacts facts() const override;
  QString whereText() const override;
  Outcome outcome() const override;
  std::optional<std::uint64_t> traceHash() const override;
  const Preparation& preparation() const override { return preparation_; }
  TrueTime now() const override { return history_ ? history_->now : TrueTime{}; }
  Duration length() const override { return length_; }
  std::vector<TrueTime> forks() const override;

  TrueTime playhead() const override { return playhead_; }
  QString whyNoTravel() const override;
  void seek(TrueTime at) override;
  // By a moment at which something happened.
  void stepBack(int steps = 1) override;
  void stepForward(int steps) override;

 signals:
  void opened(const QString& path);

 private:
  void work();
  bool begin(RecordingFrame frame);
  void take(std::vector<Event> page);
  void finish();
  void cutShort();
  void setState(RunState state);
  void moveTo(TrueTime at);
  void later(std::function<void()> what);

  std::unique_ptr<RecordingLoader> loader_;
  bool begun_ = false;  // the loader's recording is the one that is shown
  QTimer work_, settle_;
  QElapsedTimer sinceSettled_;
  QString path_;
  HistoryHeader header_;
  std::optional<RecordedOutcome> recorded_;
  std::unique_ptr<Scenario> scenario_;
  std::unique_ptr<History> history_;
  IncidentList incidents_;  // shown when all that they are of has come
  TrueTime end_{};          // how far the recording is known
  Duration length_{};
  std::uint64_t events_ = 0;
  QString part_;  // why not all of it is shown; empty: it is
  TrueTime playhead_{};
  RunState state_ = RunState::kEmpty;
  Preparation preparation_;
};

}  // namespace leasescope
