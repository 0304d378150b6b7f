#include "simulator/live/live_node.h"

#include <algorithm>
#include <utility>

#include "core/store/calls.h"

namespace leasescope {

LiveNode::LiveNode(Loop& loop, LiveNodeHost& host, const LiveNodeConfig& config)
    : loop_(&loop),
      host_(&host),
      config_(config),
      contender_(config.contender, config.jitter),
      clock_(config.clock),
      callback_(loop),
      burial_(loop) {
  for (auto& alarm : alarms_) alarm = std::make_unique<Alarm>(loop);
  for (const WorkTerms& terms : config.work) works_.push_back(std::make_unique<Work>(loop, terms));
}

// ---- its process

void LiveNode::connect() {
  alive_ = true;
  store_ = host_->make_store(*this, *this);
  store_->connect();
}

void LiveNode::start(int row) { alive_ ? deliver(Start{}, 0, 0, row) : host_->handed(row, false); }

void LiveNode::stop(int row) { alive_ ? deliver(Stop{}, 0, 0, row) : host_->handed(row, false); }

void LiveNode::crash() {
  if (!alive_) return;
  alive_ = subscribed_ = start_when_connected_ = false;
  inbox_.clear();
  work_due_.clear();
  callback_.cancel();
  for (auto& alarm : alarms_) {
    alarm->timer.cancel();
    alarm->armed = false;
  }
  for (auto& work : works_) {
    work->alarm.timer.cancel();
    work->alarm.armed = false;
  }
  host_->abandoned(*this);
  drop_store();
  if (contender_.believes())
    note(EventKind::kDisbelieved, cause_, static_cast<std::uint8_t>(DisbeliefReason::kStop), contender_.token());
  cause_ = note(EventKind::kCrashed, cause_);
}

// At the loop's next turn: the adapter may be the one that called.
void LiveNode::drop_store() {
  told_connected_ = false;
  buried_.push_back(std::move(store_));
  burial_.arm(Duration::zero(), [this] { buried_.clear(); });
}

void LiveNode::restart() {
  if (alive_) return;
  cause_ = note(EventKind::kRestarted, cause_);
  contender_ = contender_.reborn(contender_.config().id);
  for (auto& work : works_) work->worker = work->worker.reborn();
  start_when_connected_ = true;
  connect();
}

// The step the work was in first, then what fell due in its order, then the next cycle.
void LiveNode::resume() {
  if (--pauses_ > 0 || !alive_) return;
  const std::vector<Kept> inbox = std::exchange(inbox_, {});
  const auto work = std::exchange(work_due_, {});
  for (std::uint32_t i = 0; i < works_.size(); ++i)
    if (works_[i]->worker.computing() && works_[i]->alarm.armed) on_work_due(i, works_[i]->alarm.generation);
  for (const Kept& kept : inbox) deliver(kept.input, kept.generation, kept.cause, kept.row);
  for (const WorkDue& due : work)
    due.answered ? write_answered(due.work, due.number) : on_work_due(due.work, due.number);
}

void LiveNode::wind_up() {
  pauses_ = 0;
  inbox_.clear();
  work_due_.clear();
  start_when_connected_ = false;
  // The history is closed: no stop need wait for what the work would have written.
  for (auto& work : works_) {
    work->alarm.timer.cancel();
    work->worker = work->worker.reborn();
  }
  if (alive_ && contender_.status() == Status::kStopping)
    work_rests();  // it waited for the work, which will not say so any more
  if (alive_ && contender_.running()) hand(Close{}, 0);
}

void LiveNode::step_wall_clock(Duration by) {
  clock_.wall.step(loop_->now(), by);
  note(EventKind::kClockChanged, cause_, 0, kNoToken, by.count());
}

// ---- what the contender is handed

void LiveNode::deliver(const Input& input, std::uint32_t generation, Sequence cause, int row) {
  if (!alive_) return;
  if (pauses_ > 0) {
    inbox_.push_back({input, generation, cause, row});
    return;
  }
  if (const auto* fired = std::get_if<TimerFired>(&input)) {
    Alarm& alarm = *alarms_[static_cast<std::size_t>(fired->timer)];
    if (!alarm.armed || alarm.generation != generation) return;  // disarmed or armed anew meanwhile
    alarm.armed = false;
    cause = alarm.cause;
  } else if (const auto* event = std::get_if<StoreEvent>(&input)) {
    if (!subscribed_) return;
    cause = note(EventKind::kNotification, 0, static_cast<std::uint8_t>(NotificationStep::kReceived), kNoToken,
                 static_cast<std::int64_t>(event->kind), event->owner.handle);
  }
  hand(input, cause, row);
}

void LiveNode::hand(const Input& input, Sequence cause, int row) {
  if (cause != 0) cause_ = cause;
  host_->dispatched();
  apply(contender_.step(input, clock_.at(loop_->now())), row);
}

void LiveNode::on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) {
  if (!alive_) return;
  if (!error.empty()) trouble_ = error;
  // The store's side is recorded when it is read, whether or not the contender can take it in now.
  const Sequence fact = is_of_messages(reply.kind) ? 0 : host_->replied(*this, reply, sent, received);
  Reply told = reply;
  if (reply.refused) told.error = host_->said(error);
  deliver(told, 0, fact);
}

void LiveNode::on_store_event(const StoreEvent& event, TrueTime) {
  if (!alive_ || !subscribed_) return;
  deliver(event, 0, 0);
}

void LiveNode::on_connected() {
  if (!alive_) return;
  trouble_.clear();
  if (!std::exchange(told_connected_, true)) note(EventKind::kConnected, 0);
  if (std::exchange(start_when_connected_, false)) start();
}

void LiveNode::on_disconnected(const std::string& reason) {
  if (!alive_) return;
  trouble_ = reason;
  if (std::exchange(told_connected_, false)) note(EventKind::kDisconnected, 0);
}

// ---- what it answers

void LiveNode::apply(const Effects& effects, int row) {
  bool told_released = false, refused = false;
  for (const Effect& effect : effects) {
    if (const auto* call = std::get_if<Send>(&effect)) {
      if (call->request.kind == RequestKind::kSubscribe) subscribed_ = true;
      if (call->request.kind == RequestKind::kUnsubscribe) subscribed_ = false;
      if (!is_of_messages(call->request.kind)) host_->sending(*this, call->request, cause_);
      if (store_ != nullptr) store_->send(call->request);
    } else if (const auto* armed = std::get_if<Arm>(&effect)) {
      arm(armed->timer, armed->delay);
    } else if (const auto* noted = std::get_if<Note>(&effect)) {
      cause_ = note(noted->kind, cause_, noted->detail, noted->token, noted->a, noted->b);
    } else if (const auto* disarmed = std::get_if<Disarm>(&effect)) {
      Alarm& alarm = *alarms_[static_cast<std::size_t>(disarmed->timer)];
      alarm.armed = false;
      alarm.timer.cancel();
    } else if (const auto* notify = std::get_if<Notify>(&effect)) {
      told_released |= on_notify(notify->state);
    } else if (const auto* refusal = std::get_if<Refuse>(&effect)) {
      cause_ = note(EventKind::kRefused, cause_, static_cast<std::uint8_t>(refusal->error), kNoToken,
                    static_cast<std::int64_t>(refusal->status));
      refused = refused || refusal->error != LifecycleError::kStoreFailed;
    }
  }
  host_->handed(row, !refused);
  if (told_released) work_rests();  // only now: it may lead to another step
}

// Delays are on the contender's own steady clock.
void LiveNode::set(Alarm& alarm, Duration delay, std::function<void(std::uint32_t)> due) {
  const std::uint32_t generation = ++alarm.generation;
  alarm.armed = true;
  alarm.cause = cause_;
  const TrueTime now = loop_->now();
  const TrueTime at = delay <= Duration::zero() ? now : clock_.steady.when(clock_.steady.at(now) + delay);
  alarm.timer.arm(at - now, [due = std::move(due), generation] { due(generation); });
}

void LiveNode::arm(Timer timer, Duration delay) {
  set(*alarms_[static_cast<std::size_t>(timer)], delay,
      [this, timer](std::uint32_t generation) { deliver(TimerFired{timer}, generation, 0); });
}

// True when the application was told that it no longer owns.
bool LiveNode::on_notify(const MutexState& state) {
  const bool acquired = state.is_acquired(name());
  if (!acquired && !state.is_released(name())) return false;
  if (acquired && config_.callback > Duration::zero()) {
    const TrueTime now = loop_->now();
    callback_.arm(clock_.steady.when(clock_.steady.at(now) + config_.callback) - now,
                  [this] { deliver(CallbackDone{}, 0, 0); });
  }
  for (std::uint32_t i = 0; i < works_.size(); ++i) run_work(i, acquired ? WorkInput::kAcquired : WorkInput::kReleased);
  return !acquired;
}

// ---- the work under the mutex

void LiveNode::on_work_due(std::uint32_t index, std::uint32_t generation) {
  Alarm& alarm = works_[index]->alarm;
  if (!alive_ || !alarm.armed || alarm.generation != generation) return;
  if (pauses_ > 0) {
    work_due_.push_back({index, generation, false});
    return;
  }
  alarm.armed = false;
  alarm.timer.cancel();
  host_->dispatched();
  run_work(index, WorkInput::kTimer);
}

void LiveNode::run_work(std::uint32_t index, WorkInput input) {
  Work& work = *works_[index];
  const bool owns = contender_.owns(clock_.steady.at(loop_->now()));
  const WorkStep step = work.worker.step(work.terms, input, owns, owns ? contender_.token() : kNoToken);
  if (step.checked) cause_ = note(EventKind::kChecked, cause_, 0, step.token);
  if (step.timer == WorkEffect::kDisarm) {
    work.alarm.armed = false;
    work.alarm.timer.cancel();
  }
  if (step.writes) host_->write(*this, index, work.worker.writes(), step.token, cause_);
  if (step.timer == WorkEffect::kArm)
    set(work.alarm, step.delay, [this, index](std::uint32_t generation) { on_work_due(index, generation); });
  if (step.computes) host_->computing(*this);
  if (step.rests && input != WorkInput::kReleased) work_rests();
}

void LiveNode::write_answered(std::uint32_t resource, std::uint32_t number) {
  if (!alive_ || !works_[resource]->worker.awaits(number)) return;  // crashed since, or given up
  if (pauses_ > 0) {
    work_due_.push_back({resource, number, true});
    return;
  }
  host_->dispatched();
  run_work(resource, WorkInput::kAnswered);
}

// Its application has stopped once all it does under the mutex has.
void LiveNode::work_rests() {
  for (const auto& work : works_)
    if (!work->worker.resting()) return;
  apply(contender_.step(WorkDone{}, clock_.at(loop_->now())), -1);
}

Sequence LiveNode::note(EventKind kind, Sequence cause, std::uint8_t detail, Token token, std::int64_t a,
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
