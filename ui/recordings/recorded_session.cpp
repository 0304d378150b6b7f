#include "ui/recordings/recorded_session.h"

#include <QFileInfo>
#include <algorithm>

#include "simulator/run/recorded_run.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kWorkMs = 12;  // of the event loop's time at once
constexpr int kWaitMs = 1;   // for the thread that reads
constexpr int kReadingMs = 250,
              kRestMs = 100;  // until views that take a while follow: what they cost, reading waits for

}  // namespace

RecordedSession::RecordedSession(QObject* parent) : Session(parent) {
  work_.setInterval(0);
  connect(&work_, &QTimer::timeout, this, &RecordedSession::work);
  settle_.setSingleShot(true);
  settle_.setInterval(kRestMs);
  connect(&settle_, &QTimer::timeout, this, &RecordedSession::settled);
}

RecordedSession::~RecordedSession() = default;

void RecordedSession::open(const QString& path) {
  const bool reading = state_ == RunState::kPreparing && begun_;
  if (reading) stopReading();
  loader_ = std::make_unique<RecordingLoader>(path.toStdString());
  begun_ = false;
  preparation_ = {tr("Reading %1").arg(QFileInfo(path).fileName()), tr("opening it"), 0};
  emit problem({});
  if (!history_) setState(RunState::kPreparing);
  work_.start();
}

void RecordedSession::close() {
  work_.stop();
  settle_.stop();
  loader_.reset();
  history_.reset();
  scenario_.reset();
  path_.clear();
  recorded_.reset();
  incidents_ = {};
  part_.clear();
  length_ = {};
  playhead_ = {};
  recast({});
  setState(RunState::kEmpty);
  emit problem({});
  emit runReset();
  emit incidentSelected(-1);
}

void RecordedSession::stopReading() {
  if (!loader_) return;
  if (!begun_) {
    loader_.reset();
    work_.stop();
    if (!history_) setState(RunState::kEmpty);
    return;
  }
  part_ = tr("read up to %1 s only").arg(secondsText(now()));
  cutShort();
  finish();
}

// ---- reading

void RecordedSession::work() {
  QElapsedTimer busy;
  busy.start();
  if (!begun_) {
    if (auto frame = loader_->frame()) {
      if (!begin(std::move(*frame))) return;
    } else if (loader_->done()) {
      Problem p;
      p.title = tr("%1 was not opened").arg(QFileInfo(fromText(loader_->path())).fileName());
      p.message = fromText(loader_->error());
      if (history_) p.remains = tr("What is on the screen is still the previous one.");
      stopReading();
      emit problem(p);
      return;
    } else {
      return work_.setInterval(kWaitMs);
    }
  }
  work_.setInterval(0);
  // Instead of reading, in a turn of its own: neither holds the window up.
  if (sinceSettled_.elapsed() >= kReadingMs) {
    sinceSettled_.start();
    emit preparationMoved();
    return emit settled();
  }
  while (busy.elapsed() < kWorkMs) {
    std::vector<Event> page = loader_->page();
    if (page.empty()) {
      work_.setInterval(kWaitMs);
      break;
    }
    take(std::move(page));
  }
  if (!loader_->done()) return;
  if (const std::string error = loader_->error(); !error.empty()) {
    part_ = tr("read up to %1 s: what lies beyond is damaged").arg(secondsText(now()));
    cutShort();
    Problem p;
    p.title = tr("%1 was read in part").arg(QFileInfo(path_).fileName());
    p.message = fromText(error);
    p.remains = tr("What is shown, up to %1 s, is right.").arg(secondsText(now()));
    emit problem(p);
  }
  finish();
}

bool RecordedSession::begin(RecordingFrame frame) {
  if (!frame.scenario) {
    Problem p;
    p.title = tr("%1 was not opened").arg(QFileInfo(fromText(loader_->path())).fileName());
    p.message = fromText(frame.scenario.error());
    stopReading();
    emit problem(p);
    return false;
  }
  begun_ = true;
  path_ = fromText(loader_->path());
  header_ = std::move(frame.header);
  recorded_ = std::move(frame.outcome);
  scenario_ = std::make_unique<Scenario>(std::move(*frame.scenario));
  history_ = std::make_unique<History>(std::move(frame.history));
  incidents_ = std::exchange(history_->incidents, {});
  end_ = std::exchange(history_->now, TrueTime{});
  events_ = frame.events;
  history_->events.reserve(events_);
  length_ = std::max(recorded_ ? Duration(recorded_->simulated_ns) : scenario_->length(), end_ - TrueTime{});
  part_.clear();
  playhead_ = TrueTime{};
  recast(history_->legend.contenders);
  setState(RunState::kPreparing);
  emit runReset();
  emit incidentSelected(-1);
  emit opened(path_);
  sinceSettled_.start();
  for (const std::string& remark : frame.remarks) emit told(fromText(remark));
  return true;
}

void RecordedSession::take(std::vector<Event> page) {
  for (const Event& event : page) history_->now = std::max(history_->now, event.at());
  history_->events.insert(history_->events.end(), page.begin(), page.end());
  playhead_ = history_->now;
  const std::uint64_t come = history_->events.size();
  preparation_.words = tr("%1 of %2 events").arg(countText(come), countText(events_));
  preparation_.permille = events_ == 0 ? 1000 : static_cast<int>(come * 1000 / events_);
  syncCast();
  emit advanced();
}

// Only what had begun by then is told of.
void RecordedSession::cutShort() {
  end_ = now();
  IncidentList before;
  for (const Incident& incident : incidents_)
    if (incident.start <= end_) before.push_back(incident);
  incidents_ = std::move(before);
}

void RecordedSession::finish() {
  work_.stop();
  settle_.stop();
  loader_.reset();
  history_->incidents = std::exchange(incidents_, {});
  history_->now = end_;
  playhead_ = end_;
  setState(RunState::kFinished);
  emit advanced();
  // Each takes its time with a long recording.
  later([this] {
    emit settled();
    later([this] {
      emit finished();
      emit playheadMoved(playhead_);
    });
  });
}

// In the next turn of the event loop, unless there is something else to be shown by then.
void RecordedSession::later(std::function<void()> what) {
  QTimer::singleShot(0, this, [this, history = history_.get(), what = std::move(what)] {
    if (history_.get() == history && state_ == RunState::kFinished) what();
  });
}

void RecordedSession::setState(RunState state) {
  state_ = state;
  emit stateChanged(state);
}

// ---- what it is

RunFacts RecordedSession::facts() const {
  const bool lived = header_.world == "live";
  RunFacts out = run_facts(*scenario_, header_.world, lived ? header_.store : std::string());
  out.legend = history_->legend;  // the words for faults are those of the program that recorded it
  out.length = length_;
  return out;
}

QString RecordedSession::whereText() const {
  if (header_.world == "live") return tr("recorded, live %1").arg(fromText(header_.store));
  return tr("recorded, model %1").arg(fromText(scenario_->store.model));
}

Outcome RecordedSession::outcome() const {
  if (!history_) return {};
  Outcome out = outcome_of(header_, *history_, recorded_);
  if (part_.isEmpty()) return out;
  out.as_expected.reset();
  out.reasons.clear();
  out.not_judged = part_.toStdString();
  return out;
}

// Of the whole run: of no other moment is there one.
std::optional<std::uint64_t> RecordedSession::traceHash() const {
  const bool end = part_.isEmpty() && recorded_ && playhead_ >= now();
  return end ? recorded_->trace_hash : std::nullopt;
}

std::vector<TrueTime> RecordedSession::forks() const {
  if (recorded_ && recorded_->forked_at_ns) return {TrueTime(Duration(*recorded_->forked_at_ns))};
  if (header_.fork) return {TrueTime(Duration(header_.fork->at_ns))};
  return {};
}

// ---- the playhead

QString RecordedSession::whyNoTravel() const {
  if (!history_) return tr("no recording is open");
  return state_ == RunState::kPreparing ? tr("the recording is still being read") : QString();
}

void RecordedSession::moveTo(TrueTime at) {
  at = std::clamp(at, TrueTime{}, now());
  if (at == playhead_) return;
  playhead_ = at;
  emit playheadMoved(at);
  settle_.start();
}

void RecordedSession::seek(TrueTime at) {
  if (whyNoTravel().isEmpty()) moveTo(at);
}

void RecordedSession::stepBack(int steps) {
  if (!whyNoTravel().isEmpty()) return;
  const auto& events = history_->events;
  TrueTime at = playhead_;
  for (int i = 0; i < steps; ++i) {
    const auto next = std::partition_point(events.begin(), events.end(), [&](const Event& e) { return e.at() < at; });
    at = next == events.begin() ? TrueTime{} : std::prev(next)->at();
  }
  moveTo(at);
}

void RecordedSession::stepForward(int steps) {
  if (!whyNoTravel().isEmpty()) return;
  const auto& events = history_->events;
  TrueTime at = playhead_;
  for (int i = 0; i < steps; ++i) {
    const auto next = std::partition_point(events.begin(), events.end(), [&](const Event& e) { return e.at() <= at; });
    at = next == events.end() ? now() : next->at();
  }
  moveTo(at);
}

}  // namespace leasescope
