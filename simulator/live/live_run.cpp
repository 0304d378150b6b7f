#include "simulator/live/live_run.h"

#include <QTimer>
#include <chrono>
#include <utility>

#include "core/loop/one_shot.h"
#include "core/loop/qt/qt_loop.h"
#include "core/store/url.h"
#include "simulator/live/live_world.h"
#include "simulator/live/preparation.h"
#include "simulator/run/legality.h"

namespace leasescope {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBatch{50};
constexpr milliseconds kToStop{1500};  // for each of the waiters and the owners, at the end

enum class Phase { kNew, kPreparing, kReady, kRunning, kWindingUp, kDone };

}  // namespace

struct LiveRun::Parts {
  Parts(const Scenario& what, const std::string& store) : scenario(what), preparation(loop, what, store) {}

  Scenario scenario;
  QtLoop loop;
  Preparation preparation;
  QTimer batch;
  OneShot end{loop};
  OneShot settling{loop};
  std::int64_t epoch_ns = 0;
  TrueTime ended{};
  TrueTime give_up{};
  bool owners = false;  // the owners are stopping
  bool whole = false;   // it came to the scenario's own end
  Phase phase = Phase::kNew;
  std::optional<LegalVerdict> legal;  // once it is done
  History nothing;

  LiveWorld* world() const { return preparation.world(); }
  void close();
  bool wound_up();
  void judge_calls();
};

LiveRun::LiveRun(const Scenario& scenario, const std::string& store, QObject* parent)
    : QObject(parent), parts_(std::make_unique<Parts>(scenario, store)) {
  const Preparation& preparation = parts_->preparation;
  connect(&preparation, &Preparation::stepped, this, &LiveRun::preparing);
  connect(&preparation, &Preparation::ready, this, [this] {
    parts_->phase = Phase::kReady;
    Q_EMIT prepared();
  });
  connect(&preparation, &Preparation::failed, this, [this](const std::string& message) {
    parts_->phase = Phase::kNew;
    Q_EMIT failed(message);
  });
  connect(&preparation, &Preparation::cancelled, this, [this] {
    parts_->phase = Phase::kNew;
    Q_EMIT cancelled();
  });
  connect(&preparation, &Preparation::troubled, this, &LiveRun::troubled);
  parts_->batch.setInterval(kBatch);
  connect(&parts_->batch, &QTimer::timeout, this, [this] {
    if (parts_->phase != Phase::kRunning) return;
    parts_->world()->recorder().advance(now());
    Q_EMIT advanced();
  });
}

LiveRun::~LiveRun() = default;

void LiveRun::use_password(const std::string& password) { parts_->preparation.use_password(password); }

void LiveRun::ask_password_with(std::function<std::optional<std::string>(const std::string&)> ask) {
  parts_->preparation.ask_password_with(std::move(ask));
}

void LiveRun::prepare() {
  if (parts_->phase != Phase::kNew) return;
  parts_->phase = Phase::kPreparing;
  parts_->preparation.begin();
}

void LiveRun::cancel() {
  if (parts_->phase == Phase::kReady) parts_->phase = Phase::kPreparing;
  if (parts_->phase == Phase::kPreparing) parts_->preparation.cancel();
}

void LiveRun::start() {
  Parts& p = *parts_;
  if (p.phase != Phase::kReady) return;
  p.phase = Phase::kRunning;
  p.loop.set_zero();
  p.epoch_ns = Duration(std::chrono::system_clock::now().time_since_epoch()).count();
  p.world()->begin();
  p.end.arm(p.scenario.length(), [this] {
    parts_->whole = true;
    stop();
  });
  p.batch.start();
}

void LiveRun::stop() {
  Parts& p = *parts_;
  if (p.phase != Phase::kRunning) return;
  p.close();
  Q_EMIT advanced();
  const auto settle = [this](const auto& again) -> void {
    if (!parts_->wound_up()) return parts_->settling.arm(milliseconds(5), [again] { again(again); });
    parts_->world()->leave();
    parts_->preparation.end_store([this] {
      parts_->judge_calls();
      parts_->phase = Phase::kDone;
      Q_EMIT finished();
    });
  };
  settle(settle);
}

void LiveRun::Parts::close() {
  batch.stop();
  end.cancel();
  ended = std::min(loop.now(), TrueTime{} + scenario.length());
  world()->close(ended);
  phase = Phase::kWindingUp;
  give_up = loop.now() + kToStop;
  world()->wind_up(false);
}

// First the waiters, then the owner: nobody takes over at the very end.
bool LiveRun::Parts::wound_up() {
  if (!world()->settled() && loop.now() < give_up) return false;
  if (owners) return true;
  owners = true;
  give_up = loop.now() + kToStop;
  world()->wind_up(true);
  return false;
}

// Of a lease the grants are judged, whose moments are known too little here; of other systems their clients' calls.
void LiveRun::Parts::judge_calls() {
  if (fitting_model(scenario).kind == check::ModelKind::kLease) return;
  Legality legality(scenario);
  const History& history = world()->recorder().history();
  for (const Event& event : history.events) legality.append(event, history.names);
  legal = legality.judge();
}

bool LiveRun::running() const { return parts_->phase == Phase::kRunning; }

TrueTime LiveRun::now() const {
  switch (parts_->phase) {
    case Phase::kNew:
    case Phase::kPreparing:
    case Phase::kReady:
      return TrueTime{};
    case Phase::kRunning:
      return std::min(parts_->loop.now(), TrueTime{} + parts_->scenario.length());
    default:
      return parts_->ended;
  }
}

const History& LiveRun::history() const {
  return parts_->world() == nullptr ? parts_->nothing : parts_->world()->recorder().history();
}

std::int64_t LiveRun::epoch_ns() const { return parts_->epoch_ns; }

const std::vector<std::string>& LiveRun::remarks() const { return parts_->preparation.remarks(); }

const Scenario& LiveRun::scenario() const { return parts_->scenario; }

Outcome LiveRun::outcome() const {
  const Parts& p = *parts_;
  Outcome outcome;
  outcome.scenario = p.scenario.name;
  outcome.seed = p.scenario.seed;
  outcome.store = printable(p.preparation.store());
  outcome.world = "live";
  outcome.simulated = outcome.wall = now() - TrueTime{};
  if (p.world() == nullptr) return outcome;
  outcome.events = p.world()->dispatches();
  outcome.summary = history().summary;
  outcome.legal = p.legal;
  if (p.legal) outcome.summary.illegal_mutexes = p.legal->illegal;
  judge(outcome, p.scenario, p.world()->unfired(), p.whole ? RunEnd::kWhole : RunEnd::kStopped);
  return outcome;
}

}  // namespace leasescope
