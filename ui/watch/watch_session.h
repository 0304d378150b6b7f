// A watch as a session: stores that are in use, looked at without writing a byte, and all that was seen of them since.
#pragma once
#include <QTimer>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/alerts/alert_desk.h"
#include "core/alerts/alert_log.h"
#include "core/history/known_times.h"
#include "core/history/recording/recording_writer.h"
#include "core/loop/qt/qt_loop.h"
#include "core/observe/belief_socket.h"
#include "core/observe/latency_samples.h"
#include "core/observe/past_watch.h"
#include "core/observe/watch.h"
#include "core/store/url.h"
#include "simulator/scenario/scenario.h"
#include "ui/models/session.h"

namespace leasescope {

// What somebody should be told now: a rule that holds, or, at no place, a store that does not tell.
struct WatchAlert {
  std::ptrdiff_t place = -1;
  QString name;
  std::string mutex;  // as the history has it; empty: of a store
  QString words;
  Duration length{};
};

// A store as it is watched, to watch it so again. The password in it is nowhere else, but in the system's keyring.
struct WatchedAs {
  StoreUrl url;
  ObserverTerms look;
  QString address;  // as it was written, without the password
};

// The last that a store, or the way to it, said was wrong.
struct StoreError {
  QString words;  // empty: nothing was
  TrueTime at{};  // it was so last, of the watch
};

class WatchSession : public Session {
  Q_OBJECT
 public:
  explicit WatchSession(QObject* parent = nullptr);
  ~WatchSession() override;

  // Of a text that names a store that is in use, and its password where that stands elsewhere; empty: where its clients
  // look for one. The error says what was expected, and repeats no password. From then on it is watched.
  tl::expected<std::size_t, QString> add(const QString& text, const QString& password,
                                         Foreign foreign = Foreign::kCertain);
  // Of one that is named already; `address`: as it was written, without the password.
  tl::expected<std::size_t, QString> add(const StoreUrl& url, const QString& address,
                                         Foreign foreign = Foreign::kCertain);
  // What it is watched by. `instead`: of the store at that place, whose password it has where none is given and the
  // servers and the user are the same.
  tl::expected<StoreUrl, QString> urlOf(const QString& text, const QString& password,
                                        std::optional<std::size_t> instead = {}) const;
  // That store is watched no more, and this one is, as by add(); undoable. An error leaves all as it was.
  tl::expected<std::size_t, QString> replace(std::size_t store, const QString& text, const QString& password,
                                             Foreign foreign = Foreign::kCertain);
  // What was seen of it stays; undoable.
  void remove(std::size_t store);
  QString addressOf(std::size_t store) const { return addresses_[store]; }  // without its password
  Foreign foreignOf(std::size_t store) const { return looks_[store].foreign; }
  const StoreError& lastError(std::size_t store) const { return errors_[store]; }
  // Stores are watched, of those that there were.
  bool watches(std::size_t store) const {
    return watch_ != nullptr && store < watch_->stores().size() && watch_->stores()[store]->observer != nullptr;
  }
  // Whether what processes believe of its mutexes is listened for.
  bool hearsBeliefs(std::size_t store) const;
  // Processes of this machine tell what they believe at a Unix socket of that path, which is made, in place of one of
  // before; the error says why it is not, and what was before stays.
  tl::expected<void, QString> hearBeliefsAt(const QString& path);
  void hearBeliefsNoMore();
  const QString& beliefSocket() const { return beliefSocketPath_; }  // empty: there is none
  int watched() const;
  // Nothing is watched, and nothing is left of what was seen.
  void close();

  // What its operator would type at a shell to see what stands of it in its store; none: nothing would.
  std::vector<std::string> rawCommands(const WatchedMutex& mutex) const;
  // A scenario after what was seen of it.
  std::string scenarioAfter(const WatchedMutex& mutex) const;

  const Watch* watch() const { return watch_.get(); }  // null: none yet
  TrueTime liveNow() const { return loop_.now(); }     // of the watch
  // Who owned what at the playhead; null where that is now.
  const PastWatch* past() const { return watch_ == nullptr || follows_ ? nullptr : past_.get(); }
  // What is known of it at the playhead, or now.
  WatchedRow rowOf(const WatchedMutex& mutex) const;
  // As `leasescopectl history --at` takes it: "03:12", "2026-11-27 03:12:04", "15s" after the beginning; of a clock on
  // the wall by that which moments are told by, or in UTC with a "Z" behind it. The error says what was expected.
  tl::expected<TrueTime, QString> momentOf(const QString& text) const;

  // Of a TOML file (core/alerts); what was seen before is judged by them too. The error names the place.
  tl::expected<void, QString> setRules(const QString& path);
  const QString& rulesPath() const { return rulesPath_; }  // empty: there are none
  // The longest first, at most so many, and how many there are.
  std::vector<WatchAlert> alerts(std::size_t most, std::size_t* count) const;
  // The mutexes of all that somebody should be told of, as the history has them.
  std::unordered_set<std::string> alarmed() const;
  void acknowledge(std::ptrdiff_t place);
  // Until a moment that is to come.
  void mute(std::ptrdiff_t place, TrueTime until);
  // That moment, as people say it: "90m" from now, the next "18:30", "2026-12-01 08:00", by the clock that moments
  // are told by; within the next 30 days. The error says what was expected.
  tl::expected<TrueTime, QString> muteEnd(const QString& text) const;

  // All that was seen, and what will be; the error says why not.
  tl::expected<void, QString> record(const QString& path);
  void stopRecording();
  const QString& recordingPath() const { return recordingPath_; }  // empty: nothing is recorded

  RunState state() const override { return state_; }
  const History* history() const override { return watch_ != nullptr ? &watch_->seen_history() : nullptr; }
  const Scenario* runScenario() const override { return watch_ != nullptr ? &scenario_ : nullptr; }
  RunFacts facts() const override;
  QString whatText() const override { return tr("Ownership history"); }
  QString whereText() const override { return {}; }  // stores come and go
  Outcome outcome() const override;
  std::optional<std::vector<SessionFigure>> figures() const override;
  std::optional<std::int64_t> epochNs() const override;
  WatchAccount watchAccount() const override;
  bool live() const override { return watch_ != nullptr; }
  const Preparation& preparation() const override { return preparation_; }
  TrueTime now() const override;
  Duration length() const override { return now() - TrueTime{}; }

  TrueTime playhead() const override { return follows_ ? now() : playhead_; }
  QString whyNoTravel() const override { return watch_ != nullptr ? QString() : tr("no store is watched"); }
  void seek(TrueTime at) override;
  void stepBack(int steps = 1) override;
  void stepForward(int steps) override;
  void goLive();
  // All that was seen is shown now: its timers do so some times a second.
  void look() { tick(); }
  bool follows() const { return follows_; }
  QUndoStack& undo() override { return undo_; }

 signals:
  void storesChanged();
  void lookedAt();  // the table is to be brought up to now, or to the moment of the playhead
  void recordingChanged();
  void beliefSocketChanged();
  void alertsChanged();
  // A rule came to hold, of which somebody is to be told: "nobody pays", "bills: nobody has owned it for more than 1s".
  void alertBegan(const QString& rule, const QString& words);

 private:
  friend class StoresCommand;
  WatchedAs watchedAs(std::size_t store) const { return {urls_[store], looks_[store], addresses_[store]}; }
  std::optional<std::size_t> placeOf(const StoreUrl& url) const;  // none: it is not watched
  std::size_t take(const WatchedAs& as);
  void leave(const StoreUrl& url);
  void noteErrors();
  void tellRefusedBeliefs();
  void make();
  void begin();
  void tick();
  void keep();
  void keepAlerts();
  void headRecording();
  WatchSettings settings() const;
  void judge(const AlertDesk* before = nullptr);
  void lookAtAlerts();
  void tellAlerts(const AlertDesk* before);
  std::unordered_set<std::string> left() const;
  tl::expected<TrueTime, QString> readMoment(const std::string& typed, KnownTimes known, const DayWish& wish) const;
  void setState(RunState state);
  void moveTo(TrueTime at);

  QtLoop loop_;
  std::unique_ptr<Watch> watch_;
  std::unique_ptr<PastWatch> past_;   // beside each watch
  std::vector<StoreUrl> urls_;        // by store
  std::vector<ObserverTerms> looks_;  // likewise
  LatencySamples latencies_;
  std::vector<QString> addresses_;  // likewise
  std::vector<StoreError> errors_;  // likewise
  std::int64_t epoch_ns_ = 0;
  std::unique_ptr<RecordingWriter> writer_;
  QString recordingPath_;
  std::unique_ptr<BeliefSocket> beliefs_;
  QString beliefSocketPath_;
  std::uint64_t refusedBeliefs_ = 0;  // that somebody was told of
  std::vector<AlertRule> rules_;
  QString rulesPath_;
  std::unique_ptr<AlertDesk> desk_;
  AlertLog log_;
  std::vector<AlertNote> fired_;  // all that was told of alerts, since the beginning
  std::size_t firedWritten_ = 0;  // of them so many are in the recording
  Sequence judged_ = 0;
  std::size_t told_ = 0;  // of the desk's alerts
  QTimer tick_, soon_;
  TrueTime ticked_{};  // the last of them
  Scenario scenario_;
  QUndoStack undo_;
  RunState state_ = RunState::kEmpty;
  Preparation preparation_;
  TrueTime playhead_{};
  bool follows_ = true;
  std::uint64_t commands_ = 0;  // at the last count
  TrueTime counted_{}, settled_{};
  double rate_ = 0;  // commands a second
};

}  // namespace leasescope
