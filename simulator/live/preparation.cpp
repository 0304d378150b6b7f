#include "simulator/live/preparation.h"

#include <QElapsedTimer>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/password.h"
#include "core/store/several_stores.h"
#include "core/store/store_type.h"
#include "core/store/types/types.h"
#include "simulator/fault/kind.h"
#include "simulator/live/descriptor_limit.h"
#include "simulator/live/live_refusal.h"

namespace leasescope {
namespace {

bool remembers(const Scenario& scenario) {
  if (scenario.store.model == RedisTerms::kName) return scenario.store.redis().persistence;
  if (scenario.store.model == RedlockTerms::kName) return std::get<RedlockTerms>(scenario.store.terms).persistence;
  return scenario.family() == Family::kRegister || scenario.family() == Family::kSession;
}

// A fault kills the server, and the scenario means one that remembers.
bool wants_memory(const Scenario& scenario) {
  return remembers(scenario) && std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultTable& row) {
           return row.enabled && row.kind == "store_crash";
         });
}

bool sets_clock(const Scenario& scenario) {
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultTable& row) {
    const FaultKind* const kind = find_fault_kind(row.kind);
    return row.enabled && kind != nullptr && is_of_store_clock(*kind);
  });
}

// By what whoever uses the store waits: contenders up to 3.1 in a queue, whatever the others do.
WakeUp waits_by(const Scenario& scenario) {
  const auto queues = [](const ContenderTable& table) { return generation(table.behaviour).wire == Wire::kTokenless; };
  const bool queue = scenario.family() == Family::kLease &&
                     std::any_of(scenario.contenders.begin(), scenario.contenders.end(), queues);
  return queue && scenario.mutex.wake_up == WakeUp::kBroadcast ? WakeUp::kQueue : scenario.mutex.wake_up;
}

using std::chrono::milliseconds;
using Result = tl::expected<void, std::string>;

constexpr milliseconds kToConnect{5000};  // from when the last contender has begun to
constexpr milliseconds kTick{5};
constexpr qint64 kAtOnceMs = 6;  // of a frame: then others have their turn

// Of the way, in thousandths, by what each step takes.
constexpr int kBegun = 100;
constexpr int kServerStarted = 500;
constexpr int kLooked = 700;

}  // namespace

Preparation::Preparation(QtLoop& loop, const Scenario& scenario, const std::string& store)
    : loop_(&loop), scenario_(scenario), parsed_(parse_store_url(store)) {
  if (parsed_) store_ = *parsed_;
  begins_.setSingleShot(true);
  connects_.setInterval(kTick);
  connect(&begins_, &QTimer::timeout, this, &Preparation::leave_beginning);
  connect(&connects_, &QTimer::timeout, this, &Preparation::go_on_connecting);
}

Preparation::~Preparation() = default;

void Preparation::begin() {
  if (state_ != State::kIdle) return;
  state_ = State::kBeginning;
  begins_.start(0);
}

void Preparation::leave_beginning() {
  if (auto possible = refuse_what_cannot_be(); !possible) return fail(possible.error());
  mutexes_.clear();
  for (const std::string& mutex : scenario_.mutex_names())
    mutexes_.push_back(wire_name(scenario_, mutex, store_.given));
  remarks_.clear();
  if (scenario_.mutex.wake_up == WakeUp::kBroadcast) scenario_.mutex.wake_up = parsed_->wake_up;
  store_.wake_up = waits_by(scenario_);
  reached_ = store_;
  thread_ = std::make_unique<StoreThread>();
  connect(thread_.get(), &StoreThread::server_started, this, [this](const StoreUrl& reached) {
    reached_ = reached;
    reached_.wake_up = store_.wake_up;
    look();
  });
  connect(thread_.get(), &StoreThread::server_failed, this, &Preparation::fail);
  connect(thread_.get(), &StoreThread::looked, this, &Preparation::take_look);
  connect(thread_.get(), &StoreThread::refused, this, &Preparation::take_refusal);
  connect(thread_.get(), &StoreThread::in_step, this, [this] { in_step_ = true; });
  connect(thread_.get(), &StoreThread::another_leads, this, &Preparation::take_new_leader);
  connect(thread_.get(), &StoreThread::control_failed, this, &Preparation::troubled);
  connect(thread_.get(), &StoreThread::clock_set, this, [this](std::size_t which) {
    if (world_ != nullptr) world_->clock_is_set(which);
  });
  connect(thread_.get(), &StoreThread::ended, this, [this] {
    thread_.release()->deleteLater();
    std::exchange(after_store_, nullptr)();
  });
  store_.given ? look() : start_server();
}

Result Preparation::refuse_what_cannot_be() {
  if (!parsed_) return tl::unexpected(parsed_.error());
  if (auto found = find_password(); !found) return found;
  if (const auto refused = live_refusal(scenario_, store_)) return tl::unexpected(*refused);
  return allow_descriptors_for(static_cast<std::size_t>(scenario_.contender_count()) * scenario_.servers(),
                               needs_proxies(scenario_), store_);
}

// The URL's own, the one given apart, and what its type finds.
Result Preparation::find_password() {
  if (!store_.given) return {};
  if (store_.password.empty()) store_.password = password_;
  return fill_password(store_);
}

void Preparation::start_server() {
  state_ = State::kServer;
  PrivateServerOptions options;
  options.connections = 2 * scenario_.contender_count() + 10;
  options.remembers = wants_memory(scenario_);
  options.sets_clock = sets_clock(scenario_);
  options.replica = needs_replica(scenario_);
  options.servers = store_.servers;
  const std::size_t servers = scenario_.servers();
  thread_->start_servers(*store_.type, options, servers);
  const std::string_view title = store_.type->title;
  say(servers > 1          ? fmt::format("starting {} private servers of {}", servers, title)
      : store_.servers > 1 ? fmt::format("starting a private {} of {} servers", title, store_.servers)
                           : fmt::format("starting a private {}", title),
      kBegun);
}

void Preparation::look() {
  state_ = State::kLooking;
  thread_->look(scenario_.servers() == 1 ? std::vector<StoreUrl>{reached_} : each_alone(reached_), scenario_.family(),
                mutexes_);
  say("looking at the store", store_.given ? kBegun : kServerStarted);
}

void Preparation::take_look(const StoreLook& look) {
  if (const auto held = held_by_another(look)) return fail(*held);
  remarks_ = look.remarks;
  connect_contenders();
}

void Preparation::take_refusal(const std::string& message) {
  const bool again = asks_password(message);
  if (state_ != State::kLooking) return;  // whoever was asked has cancelled
  again ? look() : fail(message);
}

// Whether there is one to try now.
bool Preparation::asks_password(const std::string& refusal) {
  const bool wants = refusal.find(kWantsPassword) != std::string::npos;
  if (!wants || !store_.password.empty() || !ask_) return false;
  store_.password = reached_.password = ask_(printable(store_)).value_or("");
  return !store_.password.empty();
}

std::optional<std::string> Preparation::held_by_another(const StoreLook& look) const {
  for (std::size_t i = 0; i < mutexes_.size() && !scenario_.mutex.named; ++i)
    if (!look.holders[i].empty())
      return fmt::format(
          "{} on {} is held by {}: another run is using it. Wait for its end, or contend "
          "with it on purpose: --set mutex.name={}",
          mutexes_[i], printable(store_), escaped(look.holders[i]), mutexes_[i]);
  return std::nullopt;
}

void Preparation::connect_contenders() {
  world_ = std::make_unique<LiveWorld>(*loop_, scenario_, reached_, printable(store_), store_.given,
                                       store_.given ? nullptr : thread_.get());
  if (auto opened = world_->open(); !opened) return fail(opened.error());
  state_ = State::kConnecting;
  const Endpoint* const way_to_leader = world_->way_to_leader();
  in_step_ = way_to_leader == nullptr;
  if (!in_step_) thread_->start_replica(*way_to_leader);
  give_up_ = {};
  connects_.start();
  go_on_connecting();
}

void Preparation::go_on_connecting() {
  QElapsedTimer spent;
  spent.start();
  bool more = true;
  while (more && spent.elapsed() < kAtOnceMs) {
    const auto begun = world_->connect_next();
    if (!begun) return fail(begun.error());
    more = *begun;
  }
  using Clock = std::chrono::steady_clock;
  if (!more && give_up_ == Clock::time_point{}) give_up_ = Clock::now() + kToConnect;
  const std::size_t all = world_->contenders(), connected = world_->connected();
  if (connected < all && !more && Clock::now() >= give_up_)
    return fail(fmt::format("the contenders cannot connect to {}: {}", printable(store_), world_->trouble()));
  const bool waits = connected == all && !in_step_;
  say(waits ? "waiting for the replica"
            : fmt::format("connecting {} of {} contender{}", connected, all, all == 1 ? "" : "s"),
      kLooked + static_cast<int>(connected * (1000 - kLooked) / all));
  if (state_ != State::kConnecting || connected < all || !in_step_) return;
  connects_.stop();
  state_ = State::kReady;
  Q_EMIT ready();
}

void Preparation::take_new_leader(const StoreUrl& leader) {
  if (world_ != nullptr) world_->lead_to(leader.endpoint);
}

void Preparation::say(const std::string& words, int permille) { Q_EMIT stepped({words, permille}); }

// ---- ending

void Preparation::fail(const std::string& message) {
  end([this, message] { Q_EMIT failed(message); });
}

void Preparation::cancel() {
  if (state_ == State::kIdle || state_ == State::kEnding) return;
  end([this] { Q_EMIT cancelled(); });
}

void Preparation::end(std::function<void()> then) {
  state_ = State::kEnding;
  begins_.stop();
  connects_.stop();
  world_.reset();
  end_store([this, then = std::move(then)] {
    state_ = State::kIdle;
    then();
  });
}

void Preparation::end_store(std::function<void()> then) {
  if (thread_ == nullptr) {
    QTimer::singleShot(0, this, std::move(then));
    return;
  }
  after_store_ = std::move(then);
  thread_->end();
}

}  // namespace leasescope
