#include "simulator/model/zookeeper/zookeeper_model.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

bool is_of_nodes(RequestKind kind) {
  switch (kind) {
    case RequestKind::kConnect:
    case RequestKind::kHeartbeat:
    case RequestKind::kCloseSession:
    case RequestKind::kCreate:
    case RequestKind::kChildren:
    case RequestKind::kLook:
    case RequestKind::kDelete:
      return true;
    default:
      return false;
  }
}

}  // namespace

ZookeeperModel ZookeeperModel::make(const ModelSetting& setting, const Terms& terms) {
  RandomStream draws = setting.draws;
  const auto tick = static_cast<std::uint64_t>(terms.tick.count());
  return {setting.mutexes, terms, terms.drawn_ticks ? Duration(draws.below(tick)) : Duration::zero()};
}

ZookeeperModel::ZookeeperModel(const std::vector<Name>& mutexes, const ZookeeperTerms& terms, Duration first_tick)
    : terms_(terms), first_tick_(first_tick), folders_(mutexes.size()), subscribers_(mutexes.size()) {}

// ---- sessions

bool ZookeeperModel::is_open(std::uint64_t session) const {
  return session != 0 && session <= sessions_.size() && sessions_[place_of(session)].open;
}

// As TCP drops it: what was sent over a connection that another has replaced since, and what comes a second time. Twice
// done would be a node that nobody knows of.
bool ZookeeperModel::is_dropped(const ServerCall& call) const {
  const Session& session = sessions_[place_of(call.request.nodes.session)];
  return call.request.id < session.connect ||
         (call.request.kind == RequestKind::kCreate && call.request.id <= session.create);
}

// Rounded up to a tick that is still to come.
void ZookeeperModel::touch(std::uint32_t place, TrueTime now) {
  Session& session = sessions_[place];
  session.touched = now;
  // Counted from the tick before the beginning, so that nothing is less than zero.
  const TrueTime ticks_from = TrueTime{} + first_tick_ - terms_.tick;
  const Duration until = now + session.length - ticks_from;
  session.ends = ticks_from + (until / terms_.tick + 1) * terms_.tick;
}

TrueTime ZookeeperModel::deadline(std::uint32_t tag, const SkewedClock<ServerTime>&) const {
  return tag < sessions_.size() && sessions_[tag].open ? sessions_[tag].ends : TrueTime::max();
}

void ZookeeperModel::wake(std::uint32_t tag, ServerNow now, ServerSteps& out) {
  if (tag < sessions_.size() && sessions_[tag].open && sessions_[tag].ends <= now.elapsed)
    end(tag, SessionEnd::kExpired, now, out);
}

bool ZookeeperModel::listen(const ServerCall& call) {
  subscribers_.join(call.mutex, {call.node, call.request.contender});
  return true;
}

// Its memory of who is connected and who watches what goes with its process; all else is written down. A server that
// comes back gives every session its whole length again.
void ZookeeperModel::disturb(Disturbance what, ServerNow now, ServerSteps& out) {
  if (what == Disturbance::kCrash) {
    for (Session& session : sessions_) session.connected = false;
    for (Folder& folder : folders_)
      for (Child& child : folder.children) child.watchers.clear();
  } else if (what == Disturbance::kRestart) {
    for (std::uint32_t place = 0; place < sessions_.size(); ++place)
      if (sessions_[place].open) touch(place, now.elapsed);
  } else if (what == Disturbance::kCloseSession && !folders_.front().children.empty()) {
    end(folders_.front().children.front().session, SessionEnd::kForced, now, out);
  }
}

// ---- calls

bool ZookeeperModel::take(const ServerCall& call, ServerNow now, ServerSteps& out) {
  const RequestKind kind = call.request.kind;
  if (!is_of_nodes(kind)) {
    out.answer(call).reply.ending = Ending::kFailed;
    return true;
  }
  const std::uint64_t number = call.request.nodes.session;
  // Whoever looks after sessions comes to it before the call does, also after a time in which both stood still.
  if (is_open(number) && sessions_[place_of(number)].ends <= now.elapsed)
    end(place_of(number), SessionEnd::kExpired, now, out);
  if (number != 0 && !is_open(number)) {
    answer(call, NodeAnswer::kSessionEnded, out);
    return true;
  }
  if (number != 0 && is_dropped(call)) return true;
  if (number != 0) touch(place_of(number), now.elapsed);
  switch (kind) {
    case RequestKind::kConnect:
      connect(call, now.elapsed, out);
      break;
    case RequestKind::kHeartbeat:
      beat(call, place_of(number), out);
      break;
    case RequestKind::kCreate:
      create(call, place_of(number), now.elapsed, out);
      break;
    case RequestKind::kChildren:
      list(call, out);
      break;
    case RequestKind::kLook:
      look(call, place_of(number), out);
      break;
    case RequestKind::kDelete:
      erase(call, now.elapsed, out);
      break;
    default:  // kCloseSession
      end(place_of(number), SessionEnd::kClosed, now, out);
      answer(call, NodeAnswer::kDone, out);
      break;
  }
  return true;
}

void ZookeeperModel::connect(const ServerCall& call, TrueTime now, ServerSteps& out) {
  std::uint64_t number = call.request.nodes.session;
  const bool is_new = number == 0;
  if (is_new) {
    ++zxid_;
    Session session;
    session.client = call.request.contender;
    session.mutex = call.mutex;
    session.length =
        std::clamp(call.request.nodes.span, terms_.min_session, std::max(terms_.min_session, terms_.max_session));
    sessions_.push_back(session);
    number = sessions_.size();
    touch(place_of(number), now);
  }
  forget_watches(place_of(number));
  Session& session = sessions_[place_of(number)];
  session.connected = true;
  session.connect = call.request.id;
  session.node = call.node;
  ServerStep& told = fact(place_of(number), out);
  told.kind = is_new ? EventKind::kSessionOpened : EventKind::kSessionRenewed;
  told.cause = call.cause;
  told.a = session.length.count();
  told.b = static_cast<std::int64_t>(number);
  renew(place_of(number), out);
  ServerStep& step = answer(call, NodeAnswer::kDone, out);
  step.reply.number = number;
  step.reply.remaining = session.length;
}

void ZookeeperModel::beat(const ServerCall& call, std::uint32_t place, ServerSteps& out) {
  ServerStep& told = fact(place, out);
  told.kind = EventKind::kSessionRenewed;
  told.cause = call.cause;
  told.a = sessions_[place].length.count();
  told.b = place + 1;
  renew(place, out);
  answer(call, NodeAnswer::kDone, out).reply.number = sessions_[place].events;
}

// Of whoever holds: what is promised is the session's length again.
void ZookeeperModel::renew(std::uint32_t place, ServerSteps& out) {
  const Session& session = sessions_[place];
  const std::vector<Child>& children = folders_[session.mutex].children;
  if (children.empty() || children.front().session != place) return;
  ServerStep& step = fact(place, out);
  step.fact = ServerStep::Fact::kRenewed;
  step.token = children.front().czxid;
  step.lease = session.length;
}

void ZookeeperModel::create(const ServerCall& call, std::uint32_t place, TrueTime now, ServerSteps& out) {
  Folder& folder = folders_[call.mutex];
  Child child;
  child.number = ++folder.last;
  child.session = place;
  child.czxid = ++zxid_;
  child.word = call.request.nodes.word;
  sessions_[place].create = call.request.id;
  folder.children.push_back(child);
  if (folder.children.size() == 1) {
    grant(call.mutex, now, out);
  } else {
    ServerStep& step = fact(place, out);
    step.kind = EventKind::kQueued;
    step.cause = call.cause;
    step.a = static_cast<std::int64_t>(folder.children.size()) - 1;
  }
  ServerStep& step = answer(call, NodeAnswer::kDone, out);
  step.reply.number = child.number;
  step.reply.token = child.czxid;
}

std::vector<ZookeeperModel::Child>::iterator ZookeeperModel::find(std::uint32_t mutex, std::uint32_t number) {
  std::vector<Child>& children = folders_[mutex].children;
  const auto at = std::lower_bound(children.begin(), children.end(), number,
                                   [](const Child& child, std::uint32_t wanted) { return child.number < wanted; });
  return at != children.end() && at->number == number ? at : children.end();
}

// The whole list is sent; what a client reads out of it is what the answer bears.
void ZookeeperModel::list(const ServerCall& call, ServerSteps& out) {
  std::vector<Child>& children = folders_[call.mutex].children;
  const NodeCall& asked = call.request.nodes;
  const auto own = asked.word == 0 ? find(call.mutex, asked.node)
                                   : std::find_if(children.begin(), children.end(),
                                                  [&](const Child& child) { return child.word == asked.word; });
  Children told;
  if (own != children.end()) {
    told.own = own->number;
    if (own != children.begin()) told.before = std::prev(own)->number;
  }
  answer(call, NodeAnswer::kDone, out).reply.number = told.packed();
}

// They were the connection's that the session had before.
void ZookeeperModel::forget_watches(std::uint32_t place) {
  for (Child& child : folders_[sessions_[place].mutex].children) std::erase(child.watchers, place);
}

void ZookeeperModel::look(const ServerCall& call, std::uint32_t place, ServerSteps& out) {
  const auto child = find(call.mutex, call.request.nodes.node);
  const bool there = child != folders_[call.mutex].children.end();
  ServerStep& step = answer(call, there ? NodeAnswer::kDone : NodeAnswer::kNoNode, out);
  if (!there) return;
  step.reply.number = child->session + 1;
  step.reply.token = child->czxid;
  const bool watched = std::count(child->watchers.begin(), child->watchers.end(), place) != 0;
  if (call.request.nodes.watch && !watched) child->watchers.push_back(place);
}

void ZookeeperModel::erase(const ServerCall& call, TrueTime now, ServerSteps& out) {
  const auto child = find(call.mutex, call.request.nodes.node);
  std::vector<Child>& children = folders_[call.mutex].children;
  const bool there = child != children.end();
  if (there) {
    ++zxid_;
    const auto before = out.end() - out.begin();
    remove(call.mutex, static_cast<std::size_t>(child - children.begin()), Going::kGivenBack, now, out);
    for (ServerStep* step = out.begin() + before; step != out.end(); ++step) step->cause = call.cause;
  }
  answer(call, there ? NodeAnswer::kDone : NodeAnswer::kNoNode, out);
}

// ---- what goes

void ZookeeperModel::end(std::uint32_t place, SessionEnd how, ServerNow now, ServerSteps& out) {
  ++zxid_;
  sessions_[place].open = false;
  const std::uint32_t mutex = sessions_[place].mutex;
  ServerStep& step = fact(place, out);
  step.kind = EventKind::kSessionEnded;
  step.detail = static_cast<std::uint8_t>(how);
  step.b = place + 1;
  // The server closes the connection, unless the client is about to.
  if (how != SessionEnd::kClosed) tell(place, StoreEventKind::kDisconnected, sessions_[place].client, step);
  const Going why = how == SessionEnd::kClosed    ? Going::kGivenBack
                    : how == SessionEnd::kExpired ? Going::kRanOut
                                                  : Going::kForced;
  std::vector<Child>& children = folders_[mutex].children;
  // From behind: what is granted in between would be the session's own.
  for (std::size_t index = children.size(); index-- > 0;)
    if (children[index].session == place) remove(mutex, index, why, now.elapsed, out);
}

void ZookeeperModel::remove(std::uint32_t mutex, std::size_t index, Going why, TrueTime now, ServerSteps& out) {
  std::vector<Child>& children = folders_[mutex].children;
  const Child gone = std::move(children[index]);
  children.erase(children.begin() + static_cast<std::ptrdiff_t>(index));
  const Name whose = sessions_[gone.session].client;
  ServerStep* step = &fact(gone.session, out);
  if (index > 0) {
    step->kind = EventKind::kDequeued;
  } else {
    step->fact = why == Going::kGivenBack ? ServerStep::Fact::kReleased
                 : why == Going::kRanOut  ? ServerStep::Fact::kExpired
                                          : ServerStep::Fact::kForgotten;
    step->token = gone.czxid;
  }
  for (const std::uint32_t watcher : gone.watchers) {
    if (step->publishes) step = &out.add(mutex);
    tell(watcher, StoreEventKind::kNodeDeleted, whose, *step);
  }
  if (index > 0 || children.empty()) return;
  fact(children.front().session, out).kind = EventKind::kDequeued;
  grant(mutex, now, out);
}

// One event to that client, if it is connected; it is told in the step.
void ZookeeperModel::tell(std::uint32_t watcher, StoreEventKind what, Name whose, ServerStep& step) {
  Session& session = sessions_[watcher];
  if (!session.connected || (!session.open && what != StoreEventKind::kDisconnected)) return;
  step.publishes = true;
  step.channel = session.client;
  step.message = {what, Name{}, whose, 0, watcher + 1, ++session.events};
}

void ZookeeperModel::grant(std::uint32_t mutex, TrueTime now, ServerSteps& out) {
  const Child& lowest = folders_[mutex].children.front();
  const Session& session = sessions_[lowest.session];
  ServerStep& step = fact(lowest.session, out);
  step.fact = ServerStep::Fact::kGranted;
  step.token = lowest.czxid;
  step.lease = std::max<Duration>(Duration::zero(), session.touched + session.length - now);
  step.node = session.node;
}

Name ZookeeperModel::owner(std::uint32_t mutex) const {
  const std::vector<Child>& children = folders_[mutex].children;
  return children.empty() ? Name{} : sessions_[children.front().session].client;
}

// ---- steps

ServerStep& ZookeeperModel::fact(std::uint32_t place, ServerSteps& out) const {
  ServerStep& step = out.add(sessions_[place].mutex);
  step.fact = ServerStep::Fact::kOther;
  step.tag = place;
  step.owner = sessions_[place].client;
  step.token = kNoToken;
  step.a = 0;
  return step;
}

ServerStep& ZookeeperModel::answer(const ServerCall& call, NodeAnswer said, ServerSteps& out) const {
  ServerStep& step = out.answer(call);
  if (call.request.nodes.session != 0) step.tag = place_of(call.request.nodes.session);
  step.reply.answer = static_cast<std::uint8_t>(said);
  step.reply.done = said == NodeAnswer::kDone;
  return step;
}

}  // namespace leasescope
