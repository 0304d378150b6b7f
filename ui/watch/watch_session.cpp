#include "ui/watch/watch_session.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/alerts/alert_kind.h"
#include "core/history/known_times.h"
#include "core/observe/belief_way.h"
#include "core/observe/watch_record.h"
#include "core/store/types/types.h"
#include "core/time/duration_text.h"
#include "simulator/alerts/alert_rules_file.h"
#include "simulator/alerts/alert_rules_text.h"
#include "simulator/campaign/replay.h"
#include "simulator/observed/observed_scenario.h"
#include "simulator/scenario/reader.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

using namespace std::chrono_literals;

constexpr int kTickMs = 250;  // ages and what is left go on though nothing is seen
// What is seen is shown then, with what comes meanwhile of the same hand-off; where much is seen, no oftener than that.
constexpr Duration kSoon = 10ms, kOften = 40ms;
constexpr Duration kCount = 2s;
constexpr Duration kSettle = 100ms;  // views that take their time follow so often at most
constexpr Duration kLongestMute = 24h * 30;
constexpr Duration kFirstShown = 60s;  // the chart has room for so much from the beginning

}  // namespace

WatchSession::WatchSession(QObject* parent) : Session(parent) {
  scenario_ = *read_scenario(watch_scenario(), "watch.toml");
  scenario_.name = kWatchName;
  tick_.setInterval(kTickMs);
  soon_.setTimerType(Qt::PreciseTimer);
  soon_.setSingleShot(true);
  for (QTimer* timer : {&tick_, &soon_}) connect(timer, &QTimer::timeout, this, &WatchSession::tick);
}

WatchSession::~WatchSession() { stopRecording(); }

// ---- which stores (watch_session_stores.cpp)

bool WatchSession::hearsBeliefs(std::size_t store) const {
  return watches(store) && (urls_[store].type->hears_beliefs_aside || beliefs_ != nullptr);
}

tl::expected<void, QString> WatchSession::hearBeliefsAt(const QString& path) {
  if (watch_ == nullptr) return tl::unexpected(whyNoTravel());
  if (path == beliefSocketPath_) return {};
  const auto way = parse_belief_way("unix:" + QFile::encodeName(path).toStdString());
  if (!way) return tl::unexpected(fromText(way.error()));
  auto socket = BeliefSocket::open(loop_, way->socket, [this](std::string_view text) { watch_->hear_belief(text); });
  if (!socket) return tl::unexpected(fromText(socket.error()));
  beliefs_ = *std::move(socket);
  beliefSocketPath_ = path;
  emit beliefSocketChanged();
  return {};
}

void WatchSession::hearBeliefsNoMore() {
  if (beliefs_ == nullptr) return;
  beliefs_.reset();
  beliefSocketPath_.clear();
  emit beliefSocketChanged();
}

// Whoever sends what nobody understands may send it for ever: it is said of the first one, then ever more seldom.
void WatchSession::tellRefusedBeliefs() {
  const BeliefCounts& counts = watch_->belief_counts();
  if (counts.refused <= 2 * refusedBeliefs_) return;
  refusedBeliefs_ = counts.refused;
  emit told(tr("Beliefs: %n refused; the last one: %1", nullptr, howMany(counts.refused)).arg(fromText(counts.why)));
}

void WatchSession::make() {
  loop_.set_zero();
  ticked_ = {};
  epoch_ns_ = zero_by_wall_clock(loop_);
  watch_ = std::make_unique<Watch>(loop_, WatchTerms{});
  past_ = std::make_unique<PastWatch>();
  latencies_ = {};
  refusedBeliefs_ = 0;
  watch_->on_change([this] {
    latencies_.take(*watch_);
    if (soon_.isActive()) return;
    const Duration wait = std::max(kSoon, ticked_ + kOften - loop_.now());
    soon_.start(std::chrono::ceil<std::chrono::milliseconds>(wait));
  });
}

void WatchSession::begin() {
  watch_->begin();
  follows_ = true;
  playhead_ = {};
  desk_ = std::make_unique<AlertDesk>(rules_);
  log_ = {};
  fired_.clear();
  judged_ = 0;
  told_ = 0;
  settled_ = counted_ = TrueTime{};
  commands_ = 0;
  recast(std::vector<std::string>{});
  emit runReset();
  emit incidentSelected(-1);
  setState(RunState::kRunning);
  tick_.start();
}

int WatchSession::watched() const {
  int count = 0;
  for (std::size_t i = 0; i < urls_.size(); ++i) count += watches(i);
  return count;
}

void WatchSession::close() {
  if (watch_ == nullptr) return;
  stopRecording();
  hearBeliefsNoMore();
  tick_.stop();
  soon_.stop();
  // Views look at the history until they are told.
  const std::unique_ptr<Watch> gone = std::move(watch_);
  urls_.clear();
  looks_.clear();
  addresses_.clear();
  errors_.clear();
  undo_.clear();
  recast(std::vector<std::string>{});
  state_ = RunState::kEmpty;
  // The table first: the others ask it what is chosen.
  emit runReset();
  emit incidentSelected(-1);
  emit stateChanged(state_);
  emit storesChanged();
  emit lookedAt();
}

// ---- what is seen

void WatchSession::tick() {
  if (watch_ == nullptr) return;
  ticked_ = loop_.now();
  watch_->history();  // brought up to now
  latencies_.take(*watch_);
  past_->append(watch_->seen_history());
  noteErrors();
  tellRefusedBeliefs();
  syncCast();
  keep();
  judge();
  std::uint64_t commands = 0;
  for (const auto& store : watch_->stores())
    if (store->observer != nullptr) commands += store->observer->figures().commands;
  if (const Duration since = now() - counted_; since >= kCount || commands < commands_) {
    rate_ =
        commands < commands_ ? 0 : static_cast<double>(commands - commands_) * 1e9 / static_cast<double>(since.count());
    commands_ = commands;
    counted_ = now();
  }
  emit advanced();
  emit lookedAt();
  if (follows_) emit playheadMoved(playhead());
  if (now() - settled_ < kSettle) return;
  settled_ = now();
  emit settled();
}

TrueTime WatchSession::now() const { return watch_ != nullptr ? watch_->seen_history().now : TrueTime{}; }

RunFacts WatchSession::facts() const {
  RunFacts facts;
  facts.scenario = kWatchName;
  facts.title = scenario_.title;
  facts.world = "live";
  facts.store.clear();
  for (const auto& store : watch_->stores()) facts.store += (facts.store.empty() ? "" : ", ") + store->name;
  facts.terms = scenario_.terms();
  facts.length = std::max(length(), kFirstShown);
  return facts;
}

Outcome WatchSession::outcome() const {
  Outcome out;
  if (watch_ == nullptr) return out;
  out.scenario = kWatchName;
  out.store = facts().store;
  out.world = "live";
  out.simulated = out.wall = length();
  out.summary = history()->summary;
  out.not_judged = "it was watched, not run";
  return out;
}

std::optional<std::vector<SessionFigure>> WatchSession::figures() const {
  std::vector<SessionFigure> out;
  if (watch_ == nullptr) return out;
  std::size_t blind = 0;
  for (std::size_t i = 0; i < urls_.size(); ++i) {
    if (!watches(i)) continue;
    const WatchedStore& store = *watch_->stores()[i];
    blind += !unobserved_text(store).empty();
    if (!store.blind) out.push_back({fromText(store.name), spanText(store.observer->figures().latency), false});
  }
  if (blind > 0) out.insert(out.begin(), {tr("not observed"), tr("%n store(s)", nullptr, howMany(blind)), true});
  out.push_back({tr("%1 commands/s").arg(rate_, 0, 'f', rate_ < 10 ? 1 : 0), {}, false});
  if (writer_ != nullptr) out.push_back({tr("recording"), QFileInfo(recordingPath_).fileName(), false});
  out.push_back({tr("read only"), {}, false});
  return out;
}

std::optional<std::int64_t> WatchSession::epochNs() const {
  return watch_ != nullptr ? std::optional(epoch_ns_) : std::nullopt;
}

WatchAccount WatchSession::watchAccount() const {
  if (watch_ == nullptr) return {};
  return {settings(), fired_};
}

std::string WatchSession::scenarioAfter(const WatchedMutex& mutex) const {
  return watched_scenario(mutex, watch_->seen_history(), urls_[mutex.source].type->model, latencies_.of(mutex.source));
}

std::vector<std::string> WatchSession::rawCommands(const WatchedMutex& mutex) const {
  const StoreUrl& url = urls_[mutex.source];
  return url.type->raw_commands != nullptr ? url.type->raw_commands(url, mutex.book.last())
                                           : std::vector<std::string>{};
}

// ---- alerts

tl::expected<void, QString> WatchSession::setRules(const QString& path) {
  auto rules = read_alert_rules_file(path.toStdString());
  if (!rules) return tl::unexpected(fromText(rules.error()));
  rules_ = *std::move(rules);
  rulesPath_ = path;
  if (watch_ != nullptr) {
    lookAtAlerts();
    const std::unique_ptr<AlertDesk> before = std::exchange(desk_, std::make_unique<AlertDesk>(rules_));
    judged_ = 0;
    told_ = 0;
    judge(before.get());
    headRecording();
  }
  emit alertsChanged();
  return {};
}

// `before`: the desk of other rules, whose place this one takes.
void WatchSession::judge(const AlertDesk* before) {
  const History& seen = watch_->seen_history();
  for (; judged_ < seen.last(); ++judged_) desk_->append(seen.event(judged_ + 1), seen.names);
  desk_->advance(seen.now - kLongestSilence, seen.names);
  if (before != nullptr) {
    desk_->take_over(*before);
    log_.replace(*before, *desk_, seen.now - kLongestSilence);
  }
  lookAtAlerts();
  tellAlerts(before);
  desk_->forget_over();
}

// What is told of them and done about them, for a recording.
void WatchSession::lookAtAlerts() {
  log_.look(*desk_, now());
  std::vector<AlertNote> told = log_.take();
  fired_.insert(fired_.end(), std::make_move_iterator(told.begin()), std::make_move_iterator(told.end()));
}

// What was over before anybody could be told is in the history alone, and what was told by the desk before is known.
void WatchSession::tellAlerts(const AlertDesk* before) {
  const AlertEngine& engine = desk_->engine();
  for (; told_ < engine.alerts().size(); ++told_) {
    const Alert& alert = engine.alerts()[told_];
    if (!alert.lasts() || desk_->is_muted(told_, now())) continue;
    if (before != nullptr && before->engine().twin_of(alert, engine)) continue;
    emit alertBegan(fromText(engine.rules()[alert.rule].name),
                    fromText(history()->names.text(alert.subject)) + QStringLiteral(": ") + fromText(alert.words));
  }
}

// Stores that are watched no more, and their mutexes.
std::unordered_set<std::string> WatchSession::left() const {
  std::unordered_set<std::string> out;
  if (watched() < static_cast<int>(urls_.size()))
    for (const auto& each : watch_->mutexes())
      if (!watches(each->source)) out.insert(each->shown);
  for (std::size_t i = 0; i < urls_.size(); ++i)
    if (!watches(i)) out.insert({watch_->stores()[i]->name, name_of_part(*watch_->stores()[i])});
  return out;
}

std::unordered_set<std::string> WatchSession::alarmed() const {
  std::unordered_set<std::string> out;
  if (watch_ == nullptr) return out;
  for (const std::size_t alert : desk_->standing(now()))
    out.emplace(history()->names.text(desk_->engine().alerts()[alert].subject));
  if (out.empty()) return out;
  for (const std::string& each : left()) out.erase(each);
  return out;
}

std::vector<WatchAlert> WatchSession::alerts(std::size_t most, std::size_t* count) const {
  std::vector<WatchAlert> out;
  *count = 0;
  if (watch_ == nullptr) return out;
  const auto put = [&](auto&& make) {
    if (++*count <= most) out.push_back(make());
  };
  // Stores first: what they do not tell nobody can acknowledge.
  for (std::size_t i = 0; i < urls_.size(); ++i) {
    const WatchedStore& store = *watch_->stores()[i];
    if (!watches(i) || unobserved_text(store).empty()) continue;
    put([&] {
      return WatchAlert{-1,
                        tr("Not observed"),
                        {},
                        fromText(store.name) + QStringLiteral(": ") + fromText(unobserved_text(store)),
                        std::max(Duration::zero(), now() - unobserved_since(store))};
    });
  }
  const AlertEngine& engine = desk_->engine();
  const std::unordered_set<std::string> gone = left();
  for (const std::size_t place : desk_->standing(now())) {
    const Alert& alert = engine.alerts()[place];
    const std::string of(history()->names.text(alert.subject));
    if (gone.count(of) > 0) continue;
    put([&] {
      const AlertRule& rule = engine.rules()[alert.rule];
      const QString words = fromText(rule.kind->of_stores ? of + ": " + alert.words : alert.words);
      return WatchAlert{static_cast<std::ptrdiff_t>(place), fromText(rule.name),
                        rule.kind->of_stores ? std::string() : of, words, now() - alert.from};
    });
  }
  return out;
}

void WatchSession::acknowledge(std::ptrdiff_t place) {
  desk_->acknowledge(static_cast<std::size_t>(place));
  emit alertsChanged();
}

void WatchSession::mute(std::ptrdiff_t place, TrueTime until) {
  if (watch_ == nullptr) return;
  desk_->mute(static_cast<std::size_t>(place), until);
  emit alertsChanged();
}

tl::expected<TrueTime, QString> WatchSession::muteEnd(const QString& text) const {
  const std::string typed = text.trimmed().toStdString();
  if (!parse_duration(typed) && !parse_day_moment(typed))
    return tl::unexpected(
        tr("%1: expected for how long, such as 90m, or until when, such as 18:30").arg(text.trimmed()));
  const KnownTimes ahead{now(), now() + kLongestMute, epoch_ns_, true, "an alert may be muted", {}};
  return readMoment(typed, ahead, {WhichDay::kFirstAfter, now()});
}

// ---- the recording

tl::expected<void, QString> WatchSession::record(const QString& path) {
  stopRecording();
  auto writer = RecordingWriter::create(path.toStdString());
  if (!writer) return tl::unexpected(fromText(writer.error()));
  writer_ = std::move(*writer);
  recordingPath_ = path;
  headRecording();
  firedWritten_ = 0;
  writer_->note(watch_->seen_history(), {});  // what fires is kept, though nothing has yet
  keep();
  emit recordingChanged();
  return {};
}

void WatchSession::keep() {
  if (writer_ == nullptr) return;
  writer_->offer(watch_->seen_history());
  keepAlerts();
  const std::string error = writer_->error();
  if (error.empty()) return;
  Problem p;
  p.title = tr("Nothing is recorded any more");
  p.message = fromText(error);
  p.remains = tr("What is seen goes on being shown; what was written before is in the file.");
  writer_.reset();
  recordingPath_.clear();
  emit recordingChanged();
  emit problem(p);
}

// What is recorded, and how it is looked at: again when that is another.
void WatchSession::headRecording() {
  if (writer_ == nullptr) return;
  HistoryHeader header = watch_header(*watch_, std::string(program_version()), epoch_ns_);
  header.watch = settings();
  writer_->head(header);
}

WatchSettings WatchSession::settings() const {
  WatchSettings out;
  for (std::size_t i = 0; i < looks_.size(); ++i)
    out.stores.push_back(settings_of(watch_->stores()[i]->name, looks_[i]));
  out.rules = alert_rules_text(rules_);
  return out;
}

// Those that were told before it was begun are in it, too, as all that was seen is.
void WatchSession::keepAlerts() {
  if (firedWritten_ == fired_.size()) return;
  const auto first = fired_.begin() + static_cast<std::ptrdiff_t>(firedWritten_);
  writer_->note(watch_->seen_history(), {first, fired_.end()});
  firedWritten_ = fired_.size();
}

void WatchSession::stopRecording() {
  if (writer_ == nullptr) return;
  RecordedOutcome outcome;
  outcome.simulated_ns = outcome.wall_ns = length().count();
  writer_->append(watch_->history());
  lookAtAlerts();
  keepAlerts();
  const auto done = writer_->finish(watch_->ended(), outcome);  // nobody records any more: what comes is not in it
  writer_.reset();
  const QString path = std::exchange(recordingPath_, {});
  emit recordingChanged();
  if (done) return emit told(tr("%1 was written").arg(QFileInfo(path).fileName()));
  Problem p;
  p.title = tr("%1 was not written to its end").arg(QFileInfo(path).fileName());
  p.message = fromText(done.error());
  emit problem(p);
}

// ---- the playhead

WatchedRow WatchSession::rowOf(const WatchedMutex& mutex) const {
  if (const PastWatch* const then = past()) return past_row(then->of(mutex), history()->names, playhead());
  return row_of(mutex, liveNow());
}

tl::expected<TrueTime, QString> WatchSession::momentOf(const QString& text) const {
  const std::string typed = text.trimmed().toStdString();
  if (!parse_duration(typed) && !parse_day_moment(typed))
    return tl::unexpected(
        tr("%1: expected a moment, such as 03:12, 03:12:04.5 or 2026-11-27 03:12, or 15s after the beginning")
            .arg(text.trimmed()));
  return readMoment(typed, {TrueTime{}, now(), epoch_ns_, true, "what was seen is", {}}, {});
}

// By the clock that moments are told by, but for one that says it is in UTC.
tl::expected<TrueTime, QString> WatchSession::readMoment(const std::string& typed, KnownTimes known,
                                                         const DayWish& wish) const {
  const bool here = time().counts == Counts::kLocal && typed.back() != 'Z';
  const std::string zone = here ? time().unit().toStdString() : "UTC";
  known.zone = zone;
  const auto read = [&](TrueTime zoneOf) {
    known.epoch_ns = epoch_ns_ + (here ? time().zoneOffset(zoneOf).count() : 0);
    return known_moment(typed, known, wish);
  };
  auto at = read(now());
  // On the other side of a change of the summer time the zone is another one.
  if (at && here && time().zoneOffset(*at) != time().zoneOffset(now())) at = read(*at);
  if (!at) return tl::unexpected(fromText(at.error()));
  return *at;
}

void WatchSession::setState(RunState state) {
  if (state_ == state) return;
  state_ = state;
  emit stateChanged(state);
}

void WatchSession::moveTo(TrueTime at) {
  if (watch_ == nullptr) return;
  playhead_ = std::clamp(at, TrueTime{}, now());
  const bool followed = std::exchange(follows_, playhead_ >= now());
  setState(follows_ ? RunState::kRunning : RunState::kPaused);
  emit playheadMoved(playhead());
  if (!followed || !follows_) emit lookedAt();
  emit settled();
}

void WatchSession::seek(TrueTime at) { moveTo(at); }
void WatchSession::goLive() { moveTo(now()); }

void WatchSession::stepBack(int steps) {
  if (watch_ == nullptr) return;
  TrueTime at = playhead();
  for (int i = 0; i < steps; ++i) at = eventBefore(*history(), at);
  moveTo(at);
}

void WatchSession::stepForward(int steps) {
  if (watch_ == nullptr) return;
  TrueTime at = playhead();
  for (int i = 0; i < steps; ++i) at = eventAfter(*history(), at);
  moveTo(at);
}

}  // namespace leasescope
