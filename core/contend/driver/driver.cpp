#include "core/contend/driver/driver.h"

#include <utility>

namespace leasescope {

// Real time as a contender's process has it around it (core/contend/host.h).
class Driver::Port {
 public:
  explicit Port(Driver& driver) : driver_(&driver) {}

  TrueTime now() const { return driver_->loop_->now(); }
  Effects step(const Input& input, Clocks now) {
    return std::visit([&](auto& contender) { return contender.step(input, now); }, driver_->contender_);
  }
  Name id() const { return driver_->name(); }
  bool believes() const { return driver_->believes(); }
  bool owns(SteadyTime now) const {
    return std::visit([&](const auto& contender) { return contender.owns(now); }, driver_->contender_);
  }
  Token token() const {
    return std::visit([](const auto& contender) { return contender.token(); }, driver_->contender_);
  }
  void reborn(Name id) {
    std::visit([&](auto& contender) { contender = contender.reborn(id); }, driver_->contender_);
  }

  Sequence note(EventKind kind, Sequence cause, std::uint8_t detail, Token token, std::int64_t a, std::int64_t b) {
    return driver_->note(kind, cause, detail, token, a, b);
  }
  void due(TrueTime at, std::size_t timer, std::uint32_t generation) {
    const auto place = static_cast<std::uint32_t>(timer);
    driver_->arm(*driver_->alarms_[timer], at, Entry::What::kTimer, place, generation);
  }
  void work_due(TrueTime at, std::uint32_t work, std::uint32_t generation) {
    driver_->arm(*driver_->work_alarms_[work], at, Entry::What::kWork, work, generation);
  }
  void work_now(std::uint32_t work, std::uint32_t generation) { driver_->take({Entry::What::kWork, work, generation}); }
  void hand_again(const Entry& entry) { driver_->take(entry); }
  static bool is_work(const Entry& entry) {
    return entry.what == Entry::What::kWork || entry.what == Entry::What::kAnswered;
  }
  void drop(const Entry&) {}

  void send(const Request& request, SteadyTime /*now*/) {
    if (is_of_messages(request.kind)) driver_->process_.subscribed = request.kind != RequestKind::kUnsubscribe;
    if (!is_of_channel(request.kind)) driver_->host_->sending(*driver_, request, driver_->process_.cause);
    driver_->send(request);
  }
  void write(std::uint32_t work, Token token) {
    const Work& writer = driver_->works_[work];
    driver_->host_->write(*driver_, work, writer.worker.writes(), token, driver_->process_.cause);
    work_due(driver_->process_.clock.steady.when(writer.timer.due), work, writer.timer.generation);
  }
  void computes() { driver_->host_->computing(*driver_); }

  Work& work(std::uint32_t work) { return driver_->works_[work]; }
  const WorkTerms& terms(std::uint32_t work) const { return driver_->terms_[work]; }
  std::uint32_t works() const { return static_cast<std::uint32_t>(driver_->works_.size()); }

  Duration callback() const { return driver_->callback_; }
  void told(bool owns) {
    if (driver_->host_->told(*driver_, owns)) driver_->soon_.arm(Duration::zero(), [d = driver_] { d->send_behind(); });
  }
  bool rests() const { return driver_->host_->rests(*driver_); }
  Duration late_callbacks() const { return driver_->late_callbacks_; }
  void ended() {
    driver_->start_when_connected_ = false;
    for (auto& alarm : driver_->alarms_) alarm->cancel();
    for (auto& alarm : driver_->work_alarms_) alarm->cancel();
    driver_->host_->abandoned(*driver_);
    driver_->drop_store();
  }
  void begun() { driver_->connect_and_start(); }

 private:
  Driver* driver_;
};

Driver::Driver(Loop& loop, DriverHost& host, const DriverSetting& setting)
    : loop_(&loop),
      host_(&host),
      place_(setting.place),
      mutex_(setting.mutex),
      contender_(setting.contender),
      works_(setting.works),
      terms_(setting.terms),
      callback_(setting.callback),
      burial_(loop),
      soon_(loop),
      connects_itself_(setting.connects_itself) {
  process_.clock = setting.clock;
  process_.mutex = setting.mutex_place;
  process_.name = setting.name;
  for (auto& alarm : alarms_) alarm = std::make_unique<OneShot>(loop);
  for (std::size_t i = 0; i < works_.size(); ++i) work_alarms_.push_back(std::make_unique<OneShot>(loop));
}

bool Driver::running() const {
  return std::visit([](const auto& contender) { return contender.running(); }, contender_);
}

bool Driver::believes() const {
  return std::visit([](const auto& contender) { return contender.believes(); }, contender_);
}

Token Driver::token() const {
  return std::visit([](const auto& contender) { return contender.token(); }, contender_);
}

SteadyTime Driver::owned_until() const {
  return std::visit(
      [](const auto& contender) {
        if constexpr (requires { contender.owned_until(); })
          return contender.owned_until();
        else
          return SteadyTime::max();
      },
      contender_);
}

Status Driver::status() const {
  return std::visit([](const auto& contender) { return contender.status(); }, contender_);
}

// ---- its process

void Driver::connect() {
  process_.alive = true;
  store_ = host_->make_store(*this, *this);
  store_->connect();
}

void Driver::connect_and_start() {
  start_when_connected_ = true;
  connect();
}

void Driver::start(int row) {
  alive() ? take({Entry::What::kInput, 0, 0, row, 0, Start{}}) : host_->handed(row, false);
}

void Driver::stop(int row) { alive() ? take({Entry::What::kInput, 0, 0, row, 0, Stop{}}) : host_->handed(row, false); }

void Driver::close() {
  start_when_connected_ = false;
  take({Entry::What::kInput, 0, 0, -1, 0, Close{}});
}

void Driver::crash() { process_.crash(Port(*this)); }

void Driver::restart() { process_.restart(Port(*this), name(), 0); }

void Driver::pause() {
  process_.pause();
  if (store_ != nullptr) store_->stand_still(true);
}

void Driver::resume() {
  process_.resume(Port(*this));
  if (store_ != nullptr) store_->stand_still(process_.pauses > 0);
}

void Driver::feed() { process_.feed(Port(*this)); }

void Driver::set_rates(std::int32_t wall_ppm, std::int32_t steady_ppm) {
  const ContenderClock before = process_.clock;
  const TrueTime now = loop_->now();
  process_.clock.wall.set_rate(now, wall_ppm);
  if (steady_ppm != process_.clock.steady.ppm()) {
    process_.clock.steady.set_rate(now, steady_ppm);
    process_.rearm(Port(*this), steady_ppm == kStandingPpm);
  }
  tell_clocks(before, now, process_.cause);
}

void Driver::tell_clocks() { tell_clocks(ContenderClock{}, TrueTime{}, 0); }

void Driver::tell_clocks(const ContenderClock& before, TrueTime at, Sequence cause) {
  each_difference(before, process_.clock, at, [&](ClockOf which, Duration by, std::int64_t ppm) {
    note(EventKind::kClockChanged, cause, static_cast<std::uint8_t>(which), kNoToken, by.count(), ppm);
  });
}

void Driver::set_late_callbacks(Duration by) {
  late_callbacks_ = by;
  take({Entry::What::kInput, 0, 0, -1, 0, ExecutorLate{by}});
}

void Driver::send(const Request& request) {
  if (soon_.armed()) return behind_.push_back(request);
  if (store_ != nullptr) store_->send(request);
}

// In their order: whatever came meanwhile has waited behind them.
void Driver::send_behind() {
  for (const Request& request : std::exchange(behind_, {})) send(request);
}

// At the loop's next turn: the adapter may be the one that called.
void Driver::drop_store() {
  soon_.cancel();
  behind_.clear();
  told_connected_ = false;
  buried_.push_back(std::move(store_));
  burial_.arm(Duration::zero(), [this] { buried_.clear(); });
}

void Driver::wind_up() {
  process_.pauses = 0;
  process_.inbox.clear();
  start_when_connected_ = false;
  // The history is closed: no stop need wait for what the work would have written.
  for (std::size_t i = 0; i < works_.size(); ++i) {
    work_alarms_[i]->cancel();
    works_[i].worker = works_[i].worker.reborn();
  }
  if (!alive()) return;
  if (status() == Status::kStopping) process_.hand(Port(*this), WorkDone{}, 0);  // it may have waited for that
  if (running()) process_.hand(Port(*this), Close{}, 0);
}

void Driver::step_wall_clock(Duration by) {
  process_.clock.wall.step(loop_->now(), by);
  note(EventKind::kClockChanged, process_.cause, static_cast<std::uint8_t>(ClockOf::kWall), kNoToken, by.count());
}

// ---- what it is handed

void Driver::arm(OneShot& alarm, TrueTime at, Entry::What what, std::uint32_t place, std::uint32_t number) {
  alarm.arm(at - loop_->now(), [this, what, place, number] { take({what, place, number}); });
}

void Driver::take(const Entry& entry) {
  if (!alive()) return;
  hand(entry);
  host_->stepped(*this);
}

void Driver::hand(const Entry& entry) {
  switch (entry.what) {
    case Entry::What::kInput:
      if (process_.held()) return process_.inbox.push_back(entry);
      return take_input(entry);
    case Entry::What::kTimer:
      if (process_.held()) return process_.inbox.push_back(entry);
      if (process_.on_timer(Port(*this), entry.place, entry.number)) host_->dispatched();
      return;
    case Entry::What::kWork:
      if (process_.on_work(Port(*this), entry.place, entry, entry.number)) host_->dispatched();
      return;
    case Entry::What::kAnswered:
      if (process_.on_write_answered(Port(*this), entry.place, entry, entry.number)) host_->dispatched();
      return;
  }
}

void Driver::take_input(const Entry& entry) {
  Sequence cause = entry.cause;
  if (const auto* event = std::get_if<StoreEvent>(&entry.input)) {
    if (!process_.subscribed) return;
    cause = note(EventKind::kNotification, 0, static_cast<std::uint8_t>(NotificationStep::kReceived), kNoToken,
                 static_cast<std::int64_t>(event->kind), event->owner.handle);
  }
  host_->dispatched();
  process_.refused = false;
  process_.hand(Port(*this), entry.input, cause);
  host_->handed(entry.row, !process_.refused);
}

void Driver::callback_done() { take({Entry::What::kInput, 0, 0, -1, 0, CallbackDone{}}); }

void Driver::work_done() { take({Entry::What::kInput, 0, 0, -1, 0, WorkDone{}}); }

void Driver::write_answered(std::uint32_t resource, std::uint32_t number) {
  take({Entry::What::kAnswered, resource, number});
}

void Driver::on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) {
  if (!alive()) return;
  // Of a line that is down the line says why.
  if (reply.refused || reply.ending == Ending::kUnknown) trouble_ = error;
  if (reply.ending == Ending::kOk) trouble_.clear();
  // The store's side is recorded when it is read, whether or not the contender can take it in now.
  const Sequence fact = is_of_channel(reply.kind) ? 0 : host_->replied(*this, reply, sent, received);
  Reply told = reply;
  if (reply.refused) told.error = host_->said(error);
  take({Entry::What::kInput, 0, 0, -1, fact, told});
}

void Driver::on_store_event(const StoreEvent& event, TrueTime received) {
  host_->heard(*this, event, received);
  if (process_.subscribed) take({Entry::What::kInput, 0, 0, -1, 0, event});
}

void Driver::on_connected() {
  if (!alive()) return;
  trouble_.clear();
  if (!std::exchange(told_connected_, true) && !connects_itself_) note(EventKind::kConnected, 0);
  if (std::exchange(start_when_connected_, false)) start();
  host_->connection_changed(*this);
}

void Driver::on_disconnected(const std::string& reason) {
  if (!alive()) return;
  trouble_ = reason;
  if (std::exchange(told_connected_, false) && !connects_itself_) note(EventKind::kDisconnected, 0);
  host_->connection_changed(*this);
}

Sequence Driver::note(EventKind kind, Sequence cause, std::uint8_t detail, Token token, std::int64_t a,
                      std::int64_t b) {
  Event event;
  event.lo = event.hi = loop_->now();
  event.kind = kind;
  event.detail = detail;
  event.node = name();
  event.mutex = mutex();
  event.token = token;
  event.a = a;
  event.b = b;
  event.cause = cause;
  return host_->record(event);
}

}  // namespace leasescope
