#include "simulator/live/live_run.h"

#include <QTimer>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/loop/qt/qt_loop.h"
#include "core/store/password.h"
#include "core/store/types/types.h"
#include "simulator/live/descriptor_limit.h"
#include "simulator/live/event_wait.h"
#include "simulator/live/live_refusal.h"
#include "simulator/live/live_world.h"
#include "simulator/live/private_server.h"

namespace leasescope {
namespace {

using std::chrono::milliseconds;
using Result = tl::expected<void, std::string>;

constexpr milliseconds kToConnect{5000};
constexpr milliseconds kBatch{50};
constexpr milliseconds kToStop{1500};  // for each of the waiters and the owners, at the end

enum class Phase { kNew, kReady, kRunning, kWindingUp, kDone };

}  // namespace

struct LiveRun::Parts {
  Scenario scenario;
  std::string password;  // given apart from it
  std::function<std::optional<std::string>(const std::string&)> ask_password;
  tl::expected<StoreUrl, std::string> parsed;
  StoreUrl store;  // empty when it could not be read
  QtLoop loop;
  std::unique_ptr<PrivateServer> server;
  std::unique_ptr<LiveWorld> world;
  QTimer batch;
  OneShot end{loop};
  OneShot settling{loop};
  std::int64_t epoch_ns = 0;
  TrueTime ended{};
  TrueTime give_up{};
  bool owners = false;  // the owners are stopping
  bool whole = false;   // it came to the scenario's own end
  Phase phase = Phase::kNew;
  History nothing;
  std::vector<std::string> remarks;

  Result start_server();
  Result find_password();
  Result look_at_store();
  Looked probe(const std::vector<std::string>& mutexes) const;
  void close();
  bool wound_up();
};

LiveRun::LiveRun(const Scenario& scenario, const std::string& store, QObject* parent)
    : QObject(parent), parts_(std::make_unique<Parts>()) {
  parts_->scenario = scenario;
  parts_->parsed = parse_store_url(store);
  if (parts_->parsed) parts_->store = *parts_->parsed;
  parts_->batch.setInterval(kBatch);
  connect(&parts_->batch, &QTimer::timeout, this, [this] {
    if (parts_->phase != Phase::kRunning) return;
    parts_->world->recorder().advance(now());
    Q_EMIT advanced();
  });
}

LiveRun::~LiveRun() = default;

void LiveRun::use_password(const std::string& password) { parts_->password = password; }

void LiveRun::ask_password_with(std::function<std::optional<std::string>(const std::string&)> ask) {
  parts_->ask_password = std::move(ask);
}

Result LiveRun::prepare() {
  Parts& p = *parts_;
  if (!p.parsed) return tl::unexpected(p.parsed.error());
  if (auto found = p.find_password(); !found) return found;
  if (const auto refused = live_refusal(p.scenario, p.store)) return tl::unexpected(*refused);
  if (auto allowed =
          allow_descriptors_for(static_cast<std::size_t>(p.scenario.contender_count()), needs_proxies(p.scenario));
      !allowed)
    return allowed;
  if (auto started = p.start_server(); !started) return started;
  if (auto looked = p.look_at_store(); !looked) return looked;
  const StoreUrl reached = p.server != nullptr ? p.server->url() : p.store;
  p.world = std::make_unique<LiveWorld>(p.loop, p.scenario, reached, printable(p.store), p.store.given);
  if (auto opened = p.world->open(); !opened) return opened;
  if (!wait_until([&] { return p.world->connected(); }, kToConnect))
    return tl::unexpected(
        fmt::format("the contenders cannot connect to {}: {}", printable(p.store), p.world->trouble()));
  p.phase = Phase::kReady;
  return {};
}

Result LiveRun::Parts::start_server() {
  if (store.given) return {};
  PrivateServerOptions options;
  options.connections = 2 * scenario.contender_count() + 10;
  server = std::make_unique<PrivateServer>(*store.type, options);
  return server->start();
}

// The URL's own, the one given apart, and what its type finds.
Result LiveRun::Parts::find_password() {
  if (!store.given || !store.password.empty()) return {};
  store.password = password;
  if (!store.password.empty()) return {};
  const auto found = store.type->password(store);
  if (!found) return tl::unexpected(found.error());
  store.password = *found;
  return {};
}

Looked LiveRun::Parts::probe(const std::vector<std::string>& mutexes) const {
  return done_elsewhere(
      [reached = server != nullptr ? server->url() : store, mutexes] { return reached.type->probe(reached, mutexes); });
}

Result LiveRun::Parts::look_at_store() {
  std::vector<std::string> mutexes;
  for (const std::string& mutex : scenario.mutex_names()) mutexes.push_back(wire_name(scenario, mutex, store.given));
  auto look = probe(mutexes);
  const bool wants = !look && look.error().find(kWantsPassword) != std::string::npos;
  if (wants && store.password.empty() && ask_password) {
    store.password = ask_password(printable(store)).value_or("");
    if (!store.password.empty()) look = probe(mutexes);
  }
  if (!look) return tl::unexpected(look.error());
  remarks = look->remarks;
  for (std::size_t i = 0; i < mutexes.size() && !scenario.mutex.named; ++i)
    if (!look->holders[i].empty())
      return tl::unexpected(
          fmt::format("{} on {} is held by {}: another run is using it. Wait for its end, or contend "
                      "with it on purpose: --set mutex.name={}",
                      mutexes[i], printable(store), escaped(look->holders[i]), mutexes[i]));
  return {};
}

void LiveRun::start() {
  Parts& p = *parts_;
  if (p.phase != Phase::kReady) return;
  p.phase = Phase::kRunning;
  p.loop.set_zero();
  p.epoch_ns = Duration(std::chrono::system_clock::now().time_since_epoch()).count();
  p.world->begin();
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
    parts_->world->leave();
    parts_->server.reset();
    parts_->phase = Phase::kDone;
    Q_EMIT finished();
  };
  settle(settle);
}

void LiveRun::Parts::close() {
  batch.stop();
  end.cancel();
  ended = std::min(loop.now(), TrueTime{} + scenario.length());
  world->close(ended);
  phase = Phase::kWindingUp;
  give_up = loop.now() + kToStop;
  world->wind_up(false);
}

// First the waiters, then the owner: nobody takes over at the very end.
bool LiveRun::Parts::wound_up() {
  if (!world->settled() && loop.now() < give_up) return false;
  if (owners) return true;
  owners = true;
  give_up = loop.now() + kToStop;
  world->wind_up(true);
  return false;
}

bool LiveRun::running() const { return parts_->phase == Phase::kRunning; }

TrueTime LiveRun::now() const {
  switch (parts_->phase) {
    case Phase::kNew:
    case Phase::kReady:
      return TrueTime{};
    case Phase::kRunning:
      return std::min(parts_->loop.now(), TrueTime{} + parts_->scenario.length());
    default:
      return parts_->ended;
  }
}

const History& LiveRun::history() const {
  return parts_->world == nullptr ? parts_->nothing : parts_->world->recorder().history();
}

std::int64_t LiveRun::epoch_ns() const { return parts_->epoch_ns; }

const std::vector<std::string>& LiveRun::remarks() const { return parts_->remarks; }

const Scenario& LiveRun::scenario() const { return parts_->scenario; }

Outcome LiveRun::outcome() const {
  const Parts& p = *parts_;
  Outcome outcome;
  outcome.scenario = p.scenario.name;
  outcome.seed = p.scenario.seed;
  outcome.store = printable(p.store);
  outcome.world = "live";
  outcome.simulated = outcome.wall = now() - TrueTime{};
  if (p.world == nullptr) return outcome;
  outcome.events = p.world->dispatches();
  outcome.summary = history().summary;
  judge(outcome, p.scenario, p.world->unfired(), p.whole ? RunEnd::kWhole : RunEnd::kStopped);
  return outcome;
}

}  // namespace leasescope
