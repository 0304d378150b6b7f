#include "simulator/live/live_node.h"

#include <utility>

namespace leasescope {

// The live world as a contender's process has it around it (core/contend/host.h).
class LiveNode::Port {
 public:
  explicit Port(LiveNode& node) : node_(&node) {}

  TrueTime now() const { return node_->loop_->now(); }
  Effects step(const Input& input, Clocks now) {
    return std::visit([&](auto& contender) { return contender.step(input, now); }, node_->contender_);
  }
  Name id() const { return node_->name(); }
  bool believes() const { return node_->believes(); }
  bool owns(SteadyTime now) const {
    return std::visit([&](const auto& contender) { return contender.owns(now); }, node_->contender_);
  }
  Token token() const {
    return std::visit([](const auto& contender) { return contender.token(); }, node_->contender_);
  }
  void reborn(Name id) {
    std::visit([&](auto& contender) { contender = contender.reborn(id); }, node_->contender_);
  }

  Sequence note(EventKind kind, Sequence cause, std::uint8_t detail, Token token, std::int64_t a, std::int64_t b) {
    return node_->note(kind, cause, detail, token, a, b);
  }
  void due(TrueTime at, std::size_t timer, std::uint32_t generation) {
    const auto place = static_cast<std::uint32_t>(timer);
    node_->arm(*node_->alarms_[timer], at, {Entry::What::kTimer, place, generation});
  }
  void work_due(TrueTime at, std::uint32_t work, std::uint32_t generation) {
    node_->arm(*node_->work_alarms_[work], at, {Entry::What::kWork, work, generation});
  }
  void work_now(std::uint32_t work, std::uint32_t generation) { node_->take({Entry::What::kWork, work, generation}); }
  void hand_again(const Entry& entry) { node_->take(entry); }
  static bool is_work(const Entry& entry) {
    return entry.what == Entry::What::kWork || entry.what == Entry::What::kAnswered;
  }
  void drop(const Entry&) {}

  void send(const Request& request, SteadyTime /*now*/) {
    if (is_of_messages(request.kind)) node_->process_.subscribed = request.kind != RequestKind::kUnsubscribe;
    if (!is_of_channel(request.kind)) node_->world_->sending(*node_, request, node_->process_.cause);
    if (node_->store_ != nullptr) node_->store_->send(request);
  }
  void write(std::uint32_t work, Token token) {
    const Work& writer = node_->works_[work];
    node_->world_->write(*node_, work, writer.worker.writes(), token, node_->process_.cause);
    work_due(node_->process_.clock.steady.when(writer.timer.due), work, writer.timer.generation);
  }
  void computes() { node_->world_->computing(*node_); }

  Work& work(std::uint32_t work) { return node_->works_[work]; }
  const WorkTerms& terms(std::uint32_t work) const { return node_->terms_[work]; }
  std::uint32_t works() const { return static_cast<std::uint32_t>(node_->works_.size()); }

  Duration callback() const { return node_->callback_; }
  Duration late_callbacks() const { return Duration::zero(); }  // so far in the virtual world only
  void ended() {
    node_->start_when_connected_ = false;
    for (auto& alarm : node_->alarms_) alarm->cancel();
    for (auto& alarm : node_->work_alarms_) alarm->cancel();
    node_->world_->abandoned(*node_);
    node_->drop_store();
  }
  void begun() {
    node_->start_when_connected_ = true;
    node_->connect();
  }

 private:
  LiveNode* node_;
};

LiveNode::LiveNode(Loop& loop, LiveNodeHost& host, const Process& process, Name mutex, std::vector<WorkTerms> terms,
                   bool connects_itself)
    : loop_(&loop),
      world_(&host),
      index_(process.index),
      mutex_(mutex),
      contender_(process.contender),
      works_(process.works),
      terms_(std::move(terms)),
      callback_(process.table == nullptr ? Duration::zero() : process.table->callback),
      burial_(loop),
      connects_itself_(connects_itself) {
  process_.clock = process.clock;
  process_.mutex = process.mutex;
  process_.name = process.name;
  for (auto& alarm : alarms_) alarm = std::make_unique<OneShot>(loop);
  for (std::size_t i = 0; i < works_.size(); ++i) work_alarms_.push_back(std::make_unique<OneShot>(loop));
}

bool LiveNode::running() const {
  return std::visit([](const auto& contender) { return contender.running(); }, contender_);
}

bool LiveNode::believes() const {
  return std::visit([](const auto& contender) { return contender.believes(); }, contender_);
}

Status LiveNode::status() const {
  return std::visit([](const auto& contender) { return contender.status(); }, contender_);
}

// ---- its process

void LiveNode::connect() {
  process_.alive = true;
  store_ = world_->make_store(*this, *this);
  store_->connect();
}

void LiveNode::start(int row) {
  alive() ? take({Entry::What::kInput, 0, 0, row, 0, Start{}}) : world_->handed(row, false);
}

void LiveNode::stop(int row) {
  alive() ? take({Entry::What::kInput, 0, 0, row, 0, Stop{}}) : world_->handed(row, false);
}

void LiveNode::crash() { process_.crash(Port(*this)); }

void LiveNode::restart() { process_.restart(Port(*this), name(), 0); }

void LiveNode::pause() {
  process_.pause();
  if (store_ != nullptr) store_->stand_still(true);
}

void LiveNode::resume() {
  process_.resume(Port(*this));
  if (store_ != nullptr) store_->stand_still(process_.pauses > 0);
}

// At the loop's next turn: the adapter may be the one that called.
void LiveNode::drop_store() {
  told_connected_ = false;
  buried_.push_back(std::move(store_));
  burial_.arm(Duration::zero(), [this] { buried_.clear(); });
}

void LiveNode::wind_up() {
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

void LiveNode::step_wall_clock(Duration by) {
  process_.clock.wall.step(loop_->now(), by);
  note(EventKind::kClockChanged, process_.cause, 0, kNoToken, by.count());
}

// ---- what it is handed

void LiveNode::arm(OneShot& alarm, TrueTime at, const Entry& entry) {
  alarm.arm(at - loop_->now(), [this, entry] { take(entry); });
}

void LiveNode::take(const Entry& entry) {
  if (!alive()) return;
  switch (entry.what) {
    case Entry::What::kInput:
      if (process_.held()) return process_.inbox.push_back(entry);
      return take_input(entry);
    case Entry::What::kTimer:
      if (process_.held()) return process_.inbox.push_back(entry);
      if (process_.on_timer(Port(*this), entry.place, entry.number)) world_->dispatched();
      return;
    case Entry::What::kWork:
      if (process_.on_work(Port(*this), entry.place, entry, entry.number)) world_->dispatched();
      return;
    case Entry::What::kAnswered:
      if (process_.on_write_answered(Port(*this), entry.place, entry, entry.number)) world_->dispatched();
      return;
  }
}

void LiveNode::take_input(const Entry& entry) {
  Sequence cause = entry.cause;
  if (const auto* event = std::get_if<StoreEvent>(&entry.input)) {
    if (!process_.subscribed) return;
    cause = note(EventKind::kNotification, 0, static_cast<std::uint8_t>(NotificationStep::kReceived), kNoToken,
                 static_cast<std::int64_t>(event->kind), event->owner.handle);
  }
  world_->dispatched();
  process_.refused = false;
  process_.hand(Port(*this), entry.input, cause);
  world_->handed(entry.row, !process_.refused);
}

void LiveNode::write_answered(std::uint32_t resource, std::uint32_t number) {
  take({Entry::What::kAnswered, resource, number});
}

void LiveNode::on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) {
  if (!alive()) return;
  if (!error.empty()) trouble_ = error;
  // The store's side is recorded when it is read, whether or not the contender can take it in now.
  const Sequence fact = is_of_channel(reply.kind) ? 0 : world_->replied(*this, reply, sent, received);
  Reply told = reply;
  if (reply.refused) told.error = world_->said(error);
  take({Entry::What::kInput, 0, 0, -1, fact, told});
}

void LiveNode::on_store_event(const StoreEvent& event, TrueTime) {
  if (process_.subscribed) take({Entry::What::kInput, 0, 0, -1, 0, event});
}

void LiveNode::on_connected() {
  if (!alive()) return;
  trouble_.clear();
  if (!std::exchange(told_connected_, true) && !connects_itself_) note(EventKind::kConnected, 0);
  if (std::exchange(start_when_connected_, false)) start();
}

void LiveNode::on_disconnected(const std::string& reason) {
  if (!alive()) return;
  trouble_ = reason;
  if (std::exchange(told_connected_, false) && !connects_itself_) note(EventKind::kDisconnected, 0);
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
  return world_->record(event);
}

}  // namespace leasescope
