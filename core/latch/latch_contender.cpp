#include "core/latch/latch_contender.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kCleanUp = milliseconds(100);  // of a client, before it tells that its connection is lost
constexpr Duration kNever = std::chrono::hours(24 * 365);
constexpr Duration kLongestIdle = seconds(10);  // a ping at the latest then
constexpr auto kAsked = static_cast<std::int64_t>(RequestKind::kCreate);

}  // namespace

LatchContender::LatchContender(const ContenderSetting& setting, const LatchTerms& terms, const LatchPlan& plan)
    : setting_(setting), terms_(terms), plan_(plan), session_length_(setting.lease.ttl) {}

LatchContender LatchContender::reborn(Name id) const {
  ContenderSetting setting = setting_;
  setting.id = id;
  return {setting, terms_, plan_};
}

Effects LatchContender::step(const Input& input, Clocks now) {
  Effects out;
  if (const auto* reply = std::get_if<Reply>(&input)) {
    on_reply(*reply, out, now);
  } else if (const auto* fired = std::get_if<TimerFired>(&input)) {
    on_timer(fired->timer, out, now);
  } else if (const auto* event = std::get_if<StoreEvent>(&input)) {
    on_event(*event, out, now);
  } else if (std::holds_alternative<WorkDone>(input)) {
    on_work_done(out, now);
  } else if (std::holds_alternative<Start>(input)) {
    on_start(out, now);
  } else if (std::holds_alternative<Stop>(input)) {
    on_stop(out, now);
  } else if (std::holds_alternative<Close>(input)) {
    if (running()) on_stop(out, now);
  }
  return out;
}

// ---- its life

void LatchContender::on_start(Effects& out, Clocks now) {
  if (status_ != Status::kInitial) return out.push(Refuse{LifecycleError::kCannotStart, status_});
  status_ = Status::kRunning;
  out.push(Note{EventKind::kStarted});
  contend(out, now);
  connect(out, now);
}

void LatchContender::on_stop(Effects& out, Clocks now) {
  if (status_ != Status::kRunning) return out.push(Refuse{LifecycleError::kCannotStop, status_});
  status_ = Status::kStopping;
  if (wish_ == Wish::kToLead && !led_) returned(Operation::kLock, kNoToken, Ending::kFailed, out);
  if (wish_ != Wish::kToGiveBack) return leave(out, now);
  if (!works_ && call_ == 0) give_back(out, now);
}

void LatchContender::settle_stop(Effects& out) {
  status_ = Status::kInitial;
  line_ = Line::kNone;
  wish_ = Wish::kNothing;
  if (led_) returned(Operation::kUnlock, token_, Ending::kUnknown, out);
  connected_ = doubtful_ = look_again_ = creates_ = led_ = works_ = false;
  session_ = call_ = events_ = 0;
  node_ = 0;
  session_length_ = setting_.lease.ttl;
  for (const Timer timer : {LatchTimer::kLine, LatchTimer::kSession, LatchTimer::kApplication}) out.push(Disarm{timer});
  out.push(Note{EventKind::kStopped});
}

void LatchContender::on_timer(Timer timer, Effects& out, Clocks now) {
  if (timer == LatchTimer::kSession) return on_given_up(out, now);
  if (timer == LatchTimer::kApplication) {
    if (wish_ == Wish::kNothing) return contend(out, now);
    if (believes_) leave(out, now);
    return;
  }
  if (line_ == Line::kStands) return keep_alive(out, now);
  if (line_ == Line::kBroken) return on_cleaned_up(out, now);
  if (line_ == Line::kRests) connect(out, now);
}

// ---- the session

// One server is asked, so that a try may take as long as the session.
void LatchContender::connect(Effects& out, Clocks now) {
  out.push(Disarm{LatchTimer::kLine});
  line_ = Line::kOpens;
  NodeCall& asked = send(RequestKind::kConnect, out, now);
  asked.span = setting_.lease.ttl;
  connect_ = requests_;
}

void LatchContender::on_connected(const Reply& reply, Effects& out, Clocks now) {
  if (reply.ending != Ending::kOk) return break_line(out);
  if (static_cast<NodeAnswer>(reply.answer) == NodeAnswer::kSessionEnded) return on_session_ended(out, now);
  line_ = Line::kStands;
  connected_ = true;
  session_ = reply.number;
  session_length_ = reply.remaining;
  heard_ = now.steady;
  out.push(Disarm{LatchTimer::kSession});
  out.push(Note{EventKind::kConnected});
  watch_line(out, now);
  go_on(out, now);
}

// Expired: only the server says so, and only to who connects again. Its node is gone with it.
void LatchContender::on_session_ended(Effects& out, Clocks now) {
  session_ = events_ = 0;
  connected_ = false;
  out.push(Disarm{LatchTimer::kSession});
  step_down(DisbeliefReason::kSession, out, now);
  lose_node(out);
  if (status_ == Status::kStopping && !works_) return settle_stop(out);
  connect(out, now);
}

// Who stops has nobody to say goodbye to: its session ends by itself.
void LatchContender::break_line(Effects& out) {
  if (line_ != Line::kStands && line_ != Line::kOpens) return;
  if (status_ == Status::kStopping && !works_) return settle_stop(out);
  line_ = Line::kBroken;
  doubtful_ = doubtful_ || (call_ != 0 && creates_);
  call_ = 0;
  look_again_ = false;
  out.push(Arm{LatchTimer::kLine, kCleanUp});
}

// Disconnected: whether the session lasts nobody knows here.
void LatchContender::on_cleaned_up(Effects& out, Clocks now) {
  if (connected_) {
    connected_ = false;
    out.push(Note{EventKind::kDisconnected});
    out.push(Arm{LatchTimer::kSession, session_length_});
    if (terms_.on_disconnect == LatchTerms::OnDisconnect::kStepDown)
      step_down(DisbeliefReason::kDisconnected, out, now);
  }
  line_ = Line::kRests;
  const auto longest = static_cast<std::uint64_t>(terms_.reconnect.count());
  out.push(Arm{LatchTimer::kLine, longest == 0 ? Duration::zero() : Duration(setting_.draws.below(longest))});
}

// By its own clock; the server may still keep it, and its node.
void LatchContender::on_given_up(Effects& out, Clocks now) {
  if (connected_) return;
  session_ = events_ = 0;
  step_down(DisbeliefReason::kWatchdog, out, now);
  connect(out, now);
}

void LatchContender::keep_alive(Effects& out, Clocks now) {
  if (now.steady - heard_ >= longest_silence()) return break_line(out);
  if (now.steady - sent_ >= ping_after()) send(RequestKind::kHeartbeat, out, now);
  watch_line(out, now);
}

void LatchContender::watch_line(Effects& out, Clocks now) {
  out.push(Arm{LatchTimer::kLine, std::min(sent_ + ping_after(), heard_ + longest_silence()) - now.steady});
}

// Half of the longest silence; where that is long a second less, so that a second ping can still come in time.
Duration LatchContender::ping_after() const {
  const Duration half = longest_silence() / 2, spare = seconds(1);
  return std::min(kLongestIdle, half > spare ? std::max<Duration>(spare, half - spare) : half);
}

// ---- inputs

void LatchContender::on_reply(const Reply& reply, Effects& out, Clocks now) {
  if (line_ == Line::kOpens && reply.request == connect_) return on_connected(reply, out, now);
  if (line_ != Line::kStands || reply.request <= connect_) return;  // of a connection that is no more
  if (reply.ending != Ending::kOk) return break_line(out);
  heard_ = now.steady;
  if (static_cast<NodeAnswer>(reply.answer) == NodeAnswer::kSessionEnded) return break_line(out);
  if (reply.kind == RequestKind::kHeartbeat) return happened(reply.number, out, now);
  if (reply.request != call_) return;
  call_ = 0;
  on_answer(reply, out, now);
}

void LatchContender::on_answer(const Reply& reply, Effects& out, Clocks now) {
  if (reply.kind == RequestKind::kCloseSession) {
    const bool of_the_node = session_ == led_in_;
    if (std::exchange(led_, false)) returned(Operation::kUnlock, token_, given_back(of_the_node), out);
    return settle_stop(out);
  }
  if (reply.kind == RequestKind::kDelete)
    return on_given_back(given_back(static_cast<NodeAnswer>(reply.answer) == NodeAnswer::kDone), out, now);
  if (wish_ != Wish::kToLead) return;
  if (reply.kind == RequestKind::kCreate) {
    node_ = made_ = static_cast<std::uint32_t>(reply.number);
    made_in_ = session_;
    made_token_ = reply.token;
    return go_on(out, now);
  }
  if (reply.kind == RequestKind::kChildren) return on_children(reply, out, now);
  if (reply.kind == RequestKind::kLook) on_looked(reply, out, now);
}

void LatchContender::on_event(const StoreEvent& event, Effects& out, Clocks now) {
  if (line_ != Line::kStands || event.session != session_) return;
  heard_ = now.steady;
  if (event.kind == StoreEventKind::kDisconnected) return break_line(out);
  happened(event.number, out, now);
}

// So many events the server has told in this session: one that was lost shows by the answer to the next ping.
void LatchContender::happened(std::uint64_t events, Effects& out, Clocks now) {
  if (events <= events_) return;
  events_ = events;
  if (wish_ != Wish::kToLead) return;
  if (call_ != 0) {
    look_again_ = true;
  } else {
    go_on(out, now);
  }
}

// ---- the node

void LatchContender::go_on(Effects& out, Clocks now) {
  if (line_ != Line::kStands || wish_ == Wish::kNothing) return;
  if (wish_ == Wish::kToGiveBack) return works_ ? void() : give_back(out, now);
  look_again_ = false;
  if (node_ == 0 && !(doubtful_ && terms_.protection)) return create(out, now);
  NodeCall& asked = call(RequestKind::kChildren, out, now);
  asked.node = node_;
  asked.word = node_ == 0 ? word_ : 0;
}

void LatchContender::create(Effects& out, Clocks now) {
  word_ = terms_.protection ? setting_.draws.next() | 1 : 0;
  doubtful_ = false;
  NodeCall& asked = call(RequestKind::kCreate, out, now);
  asked.word = word_;
  creates_ = true;
}

void LatchContender::look_at(std::uint32_t node, bool watch, Effects& out, Clocks now) {
  looked_at_ = node;
  NodeCall& asked = call(RequestKind::kLook, out, now);
  asked.node = node;
  asked.watch = watch;
}

void LatchContender::on_children(const Reply& reply, Effects& out, Clocks now) {
  const Children children = Children::from(reply.number);
  doubtful_ = false;
  node_ = children.own;
  if (children.own == 0) return begin_anew(out, now);
  if (children.before == 0) {
    // Made in this session, and there: it can be nobody else's, and its czxid is known.
    if (node_ == made_ && session_ == made_in_) return lead(made_token_, out, now);
    return look_at(children.own, false, out, now);
  }
  step_down(DisbeliefReason::kLost, out, now);
  look_at(children.before, true, out, now);
}

void LatchContender::on_looked(const Reply& reply, Effects& out, Clocks now) {
  const bool there = static_cast<NodeAnswer>(reply.answer) == NodeAnswer::kDone;
  if (looked_at_ != node_) {
    if (!there || look_again_) return go_on(out, now);
    out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(AttemptResult::kLost), kNoToken, 0, kAsked});
    return;
  }
  if (!there) node_ = 0;
  const bool own = reply.number == session_ || !terms_.checks_session;
  if (there && own) return lead(reply.token, out, now);
  begin_anew(out, now);
}

// Another node, at the end of the line. What is left of the old one is deleted beside, and nobody waits for that.
void LatchContender::begin_anew(Effects& out, Clocks now) {
  step_down(DisbeliefReason::kSession, out, now);
  const std::uint32_t old = node_;
  lose_node(out);
  if (old != 0) send(RequestKind::kDelete, out, now).node = old;
  create(out, now);
}

void LatchContender::lose_node(Effects& out) {
  node_ = 0;
  doubtful_ = false;
  if (!led_) return;
  led_ = false;
  if (wish_ == Wish::kToGiveBack)
    return returned(Operation::kUnlock, token_, asked_back_ == 0 ? Ending::kFailed : Ending::kUnknown, out);
  invoke(Operation::kUnlock, out);
  returned(Operation::kUnlock, token_, Ending::kFailed, out);
  invoke(Operation::kLock, out);
}

void LatchContender::lead(Token token, Effects& out, Clocks now) {
  if (believes_ && token == token_) return;
  token_ = token;
  believes_ = true;
  const Duration left = heard_ + longest_silence() - now.steady;
  out.push(Note{EventKind::kAttempt, static_cast<std::uint8_t>(AttemptResult::kWon), token_, left.count(), kAsked});
  if (!led_) returned(Operation::kLock, token_, Ending::kOk, out);
  led_ = true;
  led_in_ = session_;
  out.push(Note{EventKind::kBelieved, 0, token_, left.count(), session_length_.count()});
  tell(true, out, now);
  if (plan_.hold > Duration::zero()) out.push(Arm{LatchTimer::kApplication, plan_.hold});
}

void LatchContender::step_down(DisbeliefReason reason, Effects& out, Clocks now) {
  if (!believes_) return;
  believes_ = false;
  out.push(Disarm{LatchTimer::kApplication});
  out.push(Note{EventKind::kDisbelieved, static_cast<std::uint8_t>(reason), token_});
  tell(false, out, now);
}

// ---- the application

void LatchContender::contend(Effects& out, Clocks now) {
  wish_ = Wish::kToLead;
  invoke(Operation::kLock, out);
  go_on(out, now);
}

// The work ends first; then the node is given back, and the session too where it stops.
void LatchContender::leave(Effects& out, Clocks now) {
  out.push(Disarm{LatchTimer::kApplication});
  wish_ = Wish::kToGiveBack;
  asked_back_ = 0;
  if (led_) invoke(Operation::kUnlock, out);
  step_down(DisbeliefReason::kStop, out, now);
  if (!works_) give_back(out, now);
}

void LatchContender::on_work_done(Effects& out, Clocks now) {
  if (believes_) return;  // it has begun anew meanwhile
  works_ = false;
  if (wish_ == Wish::kToGiveBack) give_back(out, now);
}

void LatchContender::give_back(Effects& out, Clocks now) {
  const bool stops = status_ == Status::kStopping;
  if (line_ != Line::kStands) return stops ? settle_stop(out) : void();  // once it is connected again
  if (stops || node_ != 0) ++asked_back_;
  if (stops) {
    call(RequestKind::kCloseSession, out, now);
  } else if (node_ != 0) {
    call(RequestKind::kDelete, out, now).node = node_;
  } else {
    on_given_back(Ending::kFailed, out, now);
  }
}

// How an unlock ended. Where the node was gone already, it went by an unlock before whose answer was lost, or with its
// session; and if that is another's by now, nobody knows which.
Ending LatchContender::given_back(bool done) const {
  if (done) return Ending::kOk;
  if (asked_back_ == 1) return Ending::kFailed;
  return session_ == led_in_ ? Ending::kOk : Ending::kUnknown;
}

void LatchContender::on_given_back(Ending ending, Effects& out, Clocks now) {
  node_ = 0;
  if (led_) returned(Operation::kUnlock, token_, ending, out);
  led_ = false;
  if (status_ == Status::kStopping) return give_back(out, now);
  if (plan_.rest <= Duration::zero()) return contend(out, now);
  wish_ = Wish::kNothing;
  out.push(Arm{LatchTimer::kApplication, plan_.rest});
}

void LatchContender::tell(bool leads, Effects& out, Clocks now) {
  MutexOwner mine;
  mine.owner = setting_.id;
  mine.acquired_at = now.wall;
  mine.token = token_;
  if (leads) works_ = true;
  out.push(Notify{MutexState::of_self(leads, mine)});
}

void LatchContender::invoke(Operation operation, Effects& out) {
  out.push(
      Note{EventKind::kInvoked, static_cast<std::uint8_t>(operation), kNoToken, static_cast<std::int64_t>(++uids_)});
}

void LatchContender::returned(Operation operation, Token token, Ending ending, Effects& out) {
  out.push(Note{EventKind::kReturned, static_cast<std::uint8_t>(operation), token, static_cast<std::int64_t>(uids_),
                static_cast<std::int64_t>(ending)});
}

// ---- requests

// Nothing but silence ends a connection on which pings go on: one of those is waited for without end.
NodeCall& LatchContender::send(RequestKind kind, Effects& out, Clocks now) {
  Request& request = out.send();
  request.id = ++requests_;
  request.kind = kind;
  request.mutex = setting_.mutex;
  request.contender = setting_.id;
  request.timeout = kind == RequestKind::kHeartbeat ? kNever
                    : kind == RequestKind::kConnect ? session_length_
                                                    : longest_silence();
  sent_ = now.steady;
  request.nodes = NodeCall{session_, 0, Duration::zero(), 0, false};
  return request.nodes;
}

NodeCall& LatchContender::call(RequestKind kind, Effects& out, Clocks now) {
  NodeCall& asked = send(kind, out, now);
  call_ = requests_;
  creates_ = false;
  return asked;
}

}  // namespace leasescope
