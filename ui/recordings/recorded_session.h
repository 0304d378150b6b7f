// A recording as a session. It is read beside the window and shown when all of it has come; what is open stays until
// then. Nothing is judged anew: incidents, summary and verdict are those that the recording tells of. One that is still
// written grows here as it does there: while the playhead is at its end the run is shown as one that goes on.
#pragma once
#include <QTimer>
#include <QUndoStack>
#include <functional>
#include <memory>

#include "simulator/scenario/scenario.h"
#include "ui/models/session.h"
#include "ui/recordings/recording_follower.h"
#include "ui/recordings/recording_loader.h"

namespace leasescope {

class RecordedSession : public Session {
  Q_OBJECT
 public:
  explicit RecordedSession(QObject* parent = nullptr);
  ~RecordedSession() override;

  // Else what is still written stays as it was when it was opened.
  void setFollowing(bool on) { following_ = on; }
  // A failure is told by `problem`.
  void open(const HistoryPlace& place);
  void open(const QString& path) { open(HistoryPlace::file(path)); }
  void close();
  // Reads no further, and shows what has come.
  void stopReading();
  const HistoryPlace& place() const { return place_; }
  const QString& path() const { return place_.word(); }
  const HistoryHeader& header() const { return header_; }
  // Whether the run had ended when it was read.
  bool whole() const { return recorded_.has_value(); }
  // Whether something has come to it lately.
  bool grows() const { return quiet_.isActive(); }

  RunState state() const override { return state_; }
  const History* history() const override { return history_.get(); }
  const Scenario* runScenario() const override { return scenario_.get(); }
  const Scenario* repeatable() const override;
  RunFacts facts() const override { return facts_; }
  QString whereText() const override;
  std::optional<std::int64_t> epochNs() const override { return header_.epoch_ns; }
  WatchAccount watchAccount() const override { return {header_.watch, fired_}; }
  Outcome outcome() const override;
  std::optional<std::uint64_t> traceHash() const override;
  const Preparation& preparation() const override { return preparation_; }
  TrueTime now() const override { return history_ ? history_->now : TrueTime{}; }
  Duration length() const override { return facts_.length; }
  std::vector<TrueTime> forks() const override;

  TrueTime playhead() const override { return playhead_; }
  QString whyNoTravel() const override;
  void seek(TrueTime at) override;
  // By a moment at which something happened.
  void stepBack(int steps = 1) override;
  void stepForward(int steps) override;
  QUndoStack& undo() override { return undo_; }

 signals:
  void opened(const QString& path);
  // What was to be opened, and why not; `problem` tells it too.
  void refused(const leasescope::HistoryPlace& place, const QString& why);
  // After runReset(), before the events come at once: what views need not fold themselves, to be taken.
  void folded(leasescope::FoldedHistory& history);

 private:
  void look();
  void follow();
  void grow(RecordingGrowth growth);
  void rest();
  void letGo();
  void refuse(const std::string& why);
  void show(LoadedRecording loaded);
  void tellOfPart(const LoadedRecording& loaded);
  void setState(RunState state);
  void moveTo(TrueTime at);
  void later(std::function<void()> what);

  std::unique_ptr<RecordingLoader> loader_;
  std::unique_ptr<RecordingFollower> follower_;
  QTimer look_, settle_, follow_, quiet_;
  bool following_ = true;
  HistoryPlace place_;
  HistoryHeader header_;
  std::optional<RecordedOutcome> recorded_;
  std::optional<std::vector<AlertNote>> fired_;
  std::unique_ptr<Scenario> scenario_;
  std::unique_ptr<History> history_;
  RunFacts facts_;
  QString part_;  // why not all of it is shown; empty: it is
  TrueTime playhead_{};
  QUndoStack undo_;
  RunState state_ = RunState::kEmpty;
  Preparation preparation_;
};

}  // namespace leasescope
