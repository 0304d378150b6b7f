#include "ui/recordings/recorded_session.h"

#include <algorithm>

#include "simulator/run/recorded_run.h"
#include "ui/models/aside.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kLookMs = 5;    // at the thread that reads
constexpr int kRestMs = 100;  // of the playhead, until views that take a while follow
constexpr int kFollowMs = 100;
constexpr int kQuietMs = 3000;  // nothing has come for so long: its program may be gone

}  // namespace

RecordedSession::RecordedSession(QObject* parent) : Session(parent) {
  look_.setInterval(kLookMs);
  connect(&look_, &QTimer::timeout, this, &RecordedSession::look);
  settle_.setSingleShot(true);
  settle_.setInterval(kRestMs);
  connect(&settle_, &QTimer::timeout, this, &RecordedSession::settled);
  follow_.setInterval(kFollowMs);
  connect(&follow_, &QTimer::timeout, this, &RecordedSession::follow);
  quiet_.setSingleShot(true);
  quiet_.setInterval(kQuietMs);
  connect(&quiet_, &QTimer::timeout, this, &RecordedSession::rest);
}

RecordedSession::~RecordedSession() = default;

// What is left behind may be an hour of events, or wait for a disk.
void RecordedSession::letGo() {
  follow_.stop();
  quiet_.stop();
  if (follower_) letGoAside(std::move(follower_));
  if (loader_) loader_->stop();
  if (loader_) letGoAside(std::move(loader_));
}

void RecordedSession::open(const HistoryPlace& place) {
  if (loader_) loader_->stop();
  if (loader_) letGoAside(std::move(loader_));
  loader_ = std::make_unique<RecordingLoader>(place);
  preparation_ = {tr("Reading %1").arg(place.name()), place.isTeam() ? tr("asking the server") : tr("opening it"), 0};
  emit problem({});
  setState(RunState::kPreparing);
  look_.start();
}

void RecordedSession::close() {
  look_.stop();
  settle_.stop();
  letGo();
  std::unique_ptr<History> gone = std::exchange(history_, nullptr);
  scenario_.reset();
  place_ = {};
  recorded_.reset();
  facts_ = {};
  part_.clear();
  playhead_ = {};
  recast(Cast());
  setState(RunState::kEmpty);
  emit problem({});
  emit runReset();
  emit incidentSelected(-1);
  letGoAside(std::move(gone));  // nobody looks at it any more
}

void RecordedSession::stopReading() {
  if (!loader_) return;
  loader_->stop();
  if (!loader_->place().isTeam() || loader_->come() > 0) return;
  // A server that does not answer is waited for beside the window.
  look_.stop();
  letGoAside(std::move(loader_));
  setState(history_ ? RunState::kFinished : RunState::kEmpty);
}

// ---- reading

void RecordedSession::look() {
  if (auto result = loader_->result()) {
    look_.stop();
    if (!*result) return refuse(result->error());
    if ((*result)->stopped && (*result)->history->events.empty()) {
      letGoAside(std::move(loader_));
      return setState(history_ ? RunState::kFinished : RunState::kEmpty);
    }
    return show(std::move(**result));
  }
  if (loader_->come() == 0) return;
  preparation_.words = tr("%1 events").arg(countText(loader_->come()));
  preparation_.permille = loader_->permille();
  emit preparationMoved();
}

void RecordedSession::refuse(const std::string& why) {
  Problem p;
  const HistoryPlace place = loader_->place();
  p.title = tr("%1 was not opened").arg(place.name());
  p.message = fromText(why);
  if (history_) p.remains = tr("What is on the screen is still the previous one.");
  loader_.reset();
  setState(history_ ? RunState::kFinished : RunState::kEmpty);
  emit problem(p);
  emit refused(place, p.message);
}

void RecordedSession::show(LoadedRecording loaded) {
  place_ = loader_->place();
  letGo();
  header_ = std::move(loaded.header);
  recorded_ = std::move(loaded.outcome);
  fired_ = std::move(loaded.fired);
  facts_ = std::move(loaded.facts);
  scenario_ = std::make_unique<Scenario>(std::move(loaded.scenario));
  history_.swap(loaded.history);
  std::vector<Event> events = std::exchange(history_->events, {});
  IncidentList incidents = std::exchange(history_->incidents, {});
  part_.clear();
  playhead_ = TrueTime{};
  recast(std::move(loaded.folded.cast));
  emit runReset();
  emit incidentSelected(-1);
  emit opened(path());
  emit folded(loaded.folded);
  history_->events = std::move(events);
  history_->incidents = std::move(incidents);
  playhead_ = history_->now;
  tellOfPart(loaded);
  if (loaded.grows && following_ && part_.isEmpty()) {
    follower_ = std::make_unique<RecordingFollower>(path().toStdString(), history_->last());
    follow_.start();
  }
  letGoAside(std::move(loaded));  // with what was open before
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

// ---- one that is still written

void RecordedSession::follow() {
  auto come = follower_ ? follower_->taken() : std::nullopt;
  if (!come || !history_) return;
  if (*come) return grow(std::move(**come));
  follow_.stop();
  letGoAside(std::move(follower_));
  emit told(fromText(come->error()));
  rest();
}

void RecordedSession::grow(RecordingGrowth growth) {
  const bool atEnd = playhead_ >= now();
  take_names(*history_, growth.more);
  std::vector<Event>& events = history_->events;
  events.insert(events.end(), growth.more.events.begin(), growth.more.events.end());
  history_->incidents = std::move(growth.more.incidents);
  history_->summary = growth.more.summary;
  fired_ = std::move(growth.fired);
  header_.watch = std::move(growth.watch);
  history_->now = std::max(history_->now, growth.more.now);
  facts_.length = std::max(facts_.length, history_->now - TrueTime{});
  if (atEnd) playhead_ = history_->now;
  syncCast();
  const RunState state = atEnd ? RunState::kRunning : RunState::kPaused;
  quiet_.start();
  if (state_ != state && state_ != RunState::kPreparing) setState(state);
  emit advanced();
  emit settled();
  if (atEnd) emit playheadMoved(playhead_);
  if (!growth.outcome) return;
  recorded_ = std::move(growth.outcome);
  follow_.stop();
  letGoAside(std::move(follower_));
  rest();
}

void RecordedSession::rest() {
  quiet_.stop();
  if (state_ != RunState::kPreparing) setState(RunState::kFinished);
  emit finished();
}

void RecordedSession::tellOfPart(const LoadedRecording& loaded) {
  for (const std::string& remark : loaded.remarks) emit told(fromText(remark));
  if (loaded.stopped) part_ = tr("read up to %1 s only").arg(secondsText(now()));
  if (loaded.error.empty()) return;
  part_ = tr("read up to %1 s: what lies beyond cannot be read").arg(secondsText(now()));
  Problem p;
  p.title = tr("%1 was read in part").arg(place_.name());
  p.message = fromText(loaded.error);
  p.remains = tr("What is shown, up to %1 s, is right.").arg(secondsText(now()));
  emit problem(p);
}

// In the next turn of the event loop, unless there is something else to be shown by then.
void RecordedSession::later(std::function<void()> what) {
  QTimer::singleShot(0, this, [this, history = history_.get(), what = std::move(what)] {
    if (history_ && history_.get() == history) what();
  });
}

void RecordedSession::setState(RunState state) {
  state_ = state;
  emit stateChanged(state);
}

// ---- what it is

// That this version still makes the same run of it, whoever repeats it finds out.
const Scenario* RecordedSession::repeatable() const {
  const bool made_again = header_.world == "virtual" && !header_.fork && !header_.until_ns && whole();
  return made_again ? scenario_.get() : nullptr;
}

QString RecordedSession::whereText() const {
  if (header_.world == "live") return tr("recorded, live %1").arg(fromText(header_.store));
  if (header_.world == kToldCalls) return tr("a history of calls");
  return tr("recorded, model %1").arg(fromText(scenario_->store.model));
}

Outcome RecordedSession::outcome() const {
  if (!history_) return {};
  Outcome out = outcome_of(header_, *history_, recorded_);
  if (grows()) out.not_judged = "it is still recorded";
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

QString RecordedSession::whyNoTravel() const { return history_ ? QString() : tr("no recording is open"); }

void RecordedSession::moveTo(TrueTime at) {
  at = std::clamp(at, TrueTime{}, now());
  if (at == playhead_) return;
  playhead_ = at;
  const RunState state = at >= now() ? RunState::kRunning : RunState::kPaused;
  if (grows() && state_ != RunState::kPreparing && state_ != state) setState(state);
  emit playheadMoved(at);
  settle_.start();
}

void RecordedSession::seek(TrueTime at) {
  if (whyNoTravel().isEmpty()) moveTo(at);
}

void RecordedSession::stepBack(int steps) {
  if (!whyNoTravel().isEmpty()) return;
  TrueTime at = playhead_;
  for (int i = 0; i < steps; ++i) at = eventBefore(*history_, at);
  moveTo(at);
}

void RecordedSession::stepForward(int steps) {
  if (!whyNoTravel().isEmpty()) return;
  TrueTime at = playhead_;
  for (int i = 0; i < steps; ++i) at = eventAfter(*history_, at);
  moveTo(at);
}

}  // namespace leasescope
