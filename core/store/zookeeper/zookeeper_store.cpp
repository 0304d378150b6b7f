#include "core/store/zookeeper/zookeeper_store.h"

#include <algorithm>
#include <utility>

#include "core/store/zookeeper/node_name.h"
#include "core/store/zookeeper/way.h"

namespace leasescope::zookeeper {
namespace {

Name nobody() { return {}; }

// Who comes next asks at once, and the server would write the session's end down before it answers.
constexpr Duration kCourtesy = std::chrono::milliseconds(10);

}  // namespace

ZookeeperStore::ZookeeperStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, WireNames& names,
                               StoreListener& listener)
    : loop_(&loop),
      url_(url),
      names_(&names),
      listener_(&listener),
      calls_(loop, listener, [this](const Request&) { lose("a request timed out"); }),
      resolver_(loop),
      servers_(resolver_, url, way_to(url, route)),
      pump_(loop),
      soon_(loop),
      goodbye_(loop),
      burial_(loop) {}

ZookeeperStore::~ZookeeperStore() { drop(); }

void ZookeeperStore::connect() {
  soon_.arm(Duration::zero(), [this] {
    ready_ = true;
    listener_->on_connected();
  });
}

void ZookeeperStore::send(const Request& request) {
  calls_.open(request, [&] { hand_on(request); });
}

void ZookeeperStore::hand_on(const Request& request) {
  if (request.kind == RequestKind::kConnect) return open(request);
  if (!stands_) return calls_.fail_soon(request.id, "not connected");
  calls_.sent(request.id);
  switch (request.kind) {
    case RequestKind::kHeartbeat:
      beat(request.id);
      break;
    case RequestKind::kCloseSession:
      close_session(request.id);
      break;
    case RequestKind::kCreate:
      create(request.id);
      break;
    case RequestKind::kChildren:
      list(request.id);
      break;
    case RequestKind::kLook:
      look(request.id);
      break;
    case RequestKind::kDelete:
      remove(request.id);
      break;
    default:
      calls_.fail_soon(request.id, "no call of nodes");
  }
  pump_.go_on();
}

// ---- the connection

void ZookeeperStore::open(const Request& request) {
  drop();
  if (request.nodes.session == 0) {
    identity_ = {};
    events_ = 0;
    nodes_.clear();
    own_.clear();
  }
  opening_ = request.id;
  span_ = request.nodes.span;
  calls_.sent(request.id);
  servers_.next([this](const tl::expected<ServerWalk::Next, std::string>& next) {
    if (!next) return lose_soon(next.error());
    begin(next->address);
  });
}

void ZookeeperStore::begin(const Endpoint& address) {
  session_ =
      std::make_unique<Session>(url_, address, span_, identity_, [this](Session::State state) { on_state(state); });
  pump_.drive(*session_);
}

void ZookeeperStore::on_state(Session::State state) {
  const std::uint64_t opening = std::exchange(opening_, 0);
  switch (state) {
    case Session::State::kStands:
      stands_ = true;
      servers_.arrived();
      identity_ = session_->identity();
      return answer(opening, NodeAnswer::kDone, static_cast<std::uint64_t>(identity_.id));
    case Session::State::kOver:
      drop();
      return answer(opening, NodeAnswer::kSessionEnded);
    case Session::State::kRefused:
      drop();
      return calls_.fail(opening, "the server refused the login");
    case Session::State::kLost:
      opening_ = opening;
      return lose(std::string(session_->trouble()));
  }
}

void ZookeeperStore::lose(const std::string& reason) {
  const bool stood = stands_;
  const std::uint64_t session = static_cast<std::uint64_t>(identity_.id);
  opening_ = 0;
  drop();
  // Before its calls end: it is not to send the next one on a connection that is no more.
  if (stood) {
    StoreEvent event;
    event.kind = StoreEventKind::kDisconnected;
    event.session = session;
    event.number = events_;
    listener_->on_store_event(event, loop_->now());
  }
  calls_.break_line(true, reason);
  calls_.break_line(false, reason);
}

void ZookeeperStore::lose_soon(const std::string& reason) {
  soon_.arm(Duration::zero(), [this, reason] { lose(reason); });
}

void ZookeeperStore::drop() {
  stands_ = false;
  goodbye_.cancel();  // it was this session's
  watched_.clear();
  servers_.cancel();
  pump_.stop();
  if (session_ == nullptr) return;
  session_->forget();
  buried_.push_back(std::move(session_));
  burial_.arm(Duration::zero(), [this] { buried_.clear(); });
}

// ---- the calls

void ZookeeperStore::create(std::uint64_t id) {
  const Request& request = *call(id);
  const std::string folder = folder_of(names_->text(request.mutex));
  session_->create(
      folder + "/" + beginning_of(request.nodes.word), names_->text(request.contender), Session::Kind::kNumbered,
      [this, id, folder](Outcome outcome, const std::string& path, std::int64_t czxid, const std::string& error) {
        if (outcome == Outcome::kNoNode) return make_folders(id, folders_to(folder));
        if (!failed(id, outcome, error)) on_made(id, path, czxid);
      });
}

void ZookeeperStore::make_folders(std::uint64_t id, std::vector<std::string> folders) {
  if (call(id) == nullptr || !stands_) return;
  if (folders.empty()) return create(id);
  const std::string next = folders.front();
  folders.erase(folders.begin());
  session_->create(next, "", Session::Kind::kContainer,
                   [this, id, folders = std::move(folders)](Outcome outcome, const std::string&, std::int64_t,
                                                            const std::string& error) {
                     if (outcome == Outcome::kNodeExists || !failed(id, outcome, error)) make_folders(id, folders);
                   });
}

void ZookeeperStore::on_made(std::uint64_t id, const std::string& path, std::int64_t czxid) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const auto number = number_of(name);
  if (!number) return calls_.fail(id, "the server made a node of another name");
  nodes_[*number] = name;
  own_ = path;
  answer(id, NodeAnswer::kDone, *number, static_cast<Token>(czxid));
}

void ZookeeperStore::list(std::uint64_t id) {
  session_->list(folder_of(names_->text(call(id)->mutex)),
                 [this, id](Outcome outcome, const NodeList& list, const std::string& error) {
                   const bool none = outcome == Outcome::kNoNode;
                   if (!none && failed(id, outcome, error)) return;
                   if (const Request* const request = call(id)) on_listed(*request, list.names);
                 });
}

void ZookeeperStore::on_listed(const Request& request, const std::vector<std::string>& names) {
  const std::vector<std::string> all = in_order(names);
  const std::string beginning = request.nodes.word == 0 ? std::string() : beginning_of(request.nodes.word);
  Children found;
  std::uint32_t before = 0;
  nodes_.clear();
  for (const std::string& name : all) {
    const std::uint32_t number = *number_of(name);
    nodes_[number] = name;
    const bool own = beginning.empty() ? number == request.nodes.node : name.rfind(beginning, 0) == 0;
    if (own && found.own == 0) found = {number, before};
    before = number;
  }
  if (found.own != 0) own_ = path_of(request, found.own);
  answer(request.id, NodeAnswer::kDone, found.packed());
}

void ZookeeperStore::look(std::uint64_t id) {
  const Request& request = *call(id);
  const std::string path = path_of(request, request.nodes.node);
  if (path.empty()) return answer_soon(id, NodeAnswer::kNoNode);
  Session::Gone gone;
  // The server tells a client once of a node, however often it asked to be told.
  const bool watch = request.nodes.watch && watched_.count(path) == 0;
  if (watch)
    gone = [this, path, mutex = request.mutex] {
      watched_.erase(path);
      happened(mutex);
    };
  session_->look(
      path,
      [this, id, path, watch](Outcome outcome, const NodeFacts& facts, const std::string& error) {
        if (outcome == Outcome::kNoNode) return answer(id, NodeAnswer::kNoNode);
        if (failed(id, outcome, error)) return;
        if (watch) watched_.insert(path);
        answer(id, NodeAnswer::kDone, static_cast<std::uint64_t>(facts.owner), static_cast<Token>(facts.czxid),
               facts.data.empty() ? nobody() : names_->intern(facts.data));
      },
      std::move(gone));
}

void ZookeeperStore::remove(std::uint64_t id) {
  const Request& request = *call(id);
  const std::string path = path_of(request, request.nodes.node);
  if (path.empty()) return answer_soon(id, NodeAnswer::kNoNode);
  session_->remove(path, [this, id](Outcome outcome, const std::string& error) {
    if (outcome == Outcome::kNoNode) return answer(id, NodeAnswer::kNoNode);
    if (!failed(id, outcome, error)) answer(id, NodeAnswer::kDone);
  });
}

// Its node first, whose going the server answers; of the session's end nobody hears, and so it can wait.
void ZookeeperStore::close_session(std::uint64_t id) {
  const auto close = [this, id] {
    goodbye_.arm(kCourtesy, [this, id] {
      if (session_ != nullptr) session_->close();
      drop();
      answer(id, NodeAnswer::kDone);
    });
  };
  if (own_.empty()) return close();
  session_->remove(own_, [this, id, close](Outcome outcome, const std::string& error) {
    if (outcome == Outcome::kNoNode || !failed(id, outcome, error)) close();
  });
}

// Anything that is answered is a sign of life; the library's own pings are answered to it alone.
void ZookeeperStore::beat(std::uint64_t id) {
  session_->look("/", [this, id](Outcome outcome, const NodeFacts&, const std::string&) {
    if (outcome != Outcome::kLineLost) answer(id, NodeAnswer::kDone, events_);
  });
}

void ZookeeperStore::happened(Name mutex) {
  if (!stands_) return;
  StoreEvent event;
  event.kind = StoreEventKind::kNodeDeleted;
  event.mutex = mutex;
  event.session = static_cast<std::uint64_t>(identity_.id);
  event.number = ++events_;
  listener_->on_store_event(event, loop_->now());
}

void ZookeeperStore::answer(std::uint64_t id, NodeAnswer with, std::uint64_t number, Token token, Name owner) {
  const Request* const request = call(id);
  if (request == nullptr) return;
  Reply reply;
  reply.begin(*request);
  reply.answer = static_cast<std::uint8_t>(with);
  reply.number = number;
  reply.token = token;
  reply.owner = owner;
  if (request->kind == RequestKind::kConnect && session_ != nullptr) reply.remaining = session_->length();
  calls_.finish(reply);
}

void ZookeeperStore::answer_soon(std::uint64_t id, NodeAnswer with) {
  Reply reply;
  reply.begin(*call(id));
  reply.answer = static_cast<std::uint8_t>(with);
  calls_.finish_soon(reply);
}

// A line that is lost ends all its calls, and is told of once.
bool ZookeeperStore::failed(std::uint64_t id, Outcome outcome, const std::string& error) {
  if (outcome == Outcome::kOk) return false;
  if (outcome != Outcome::kLineLost) calls_.fail(id, error);
  return true;
}

// Empty: it was not there when the children were seen last.
std::string ZookeeperStore::path_of(const Request& request, std::uint32_t node) const {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return {};
  return folder_of(names_->text(request.mutex)) + "/" + found->second;
}

}  // namespace leasescope::zookeeper
