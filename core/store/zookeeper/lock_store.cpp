#include "core/store/zookeeper/lock_store.h"

#include <algorithm>
#include <utility>

#include "core/store/zookeeper/lock_name.h"
#include "core/store/zookeeper/node_name.h"
#include "core/store/zookeeper/way.h"

namespace leasescope::zookeeper {
namespace {

// Of a session in which somebody who has none only asks.
constexpr Duration kToAsk = std::chrono::seconds(4);
constexpr int kBeats = 10;  // in the length of a session

std::string name_in(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

LockStore::LockStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, WireNames& names,
                     StoreListener& listener)
    : loop_(&loop),
      names_(&names),
      listener_(&listener),
      calls_(loop, listener,
             [this](const Request& request) {
               Endpoint* const of = placed(request.session.thread, request.session.uid);
               if (of != nullptr && of->call == request.id) of->call = 0;
               // Who waits in the line has been answered, as far as that goes.
               const bool waits = of != nullptr && request.kind == RequestKind::kLock && of->waits && !of->making;
               if (!waits && kept_.wanted()) kept_.abandon("a request timed out");
             }),
      kept_(loop, url, way_to(url, route),
            {[this] { on_stands(); }, [this](const std::string& why) { on_broke(why); }, [this] { on_over(); }}),
      soon_(loop) {}

void LockStore::connect() {
  soon_.arm(Duration::zero(), [this] {
    ready_ = told_ = true;
    listener_->on_connected();
  });
}

void LockStore::send(const Request& request) {
  calls_.open(request, [&] { hand_on(request); });
}

void LockStore::hand_on(const Request& request) {
  mutex_ = request.mutex;
  contender_ = request.contender;
  folder_ = lock_folder_of(names_->text(request.mutex));
  if (request.kind == RequestKind::kOpenSession) return open(request);
  if (request.kind == RequestKind::kQuery) {
    if (!kept_.wanted()) kept_.begin(kToAsk);
    if (!kept_.stands()) return questions_.push_back(request.id);
    calls_.sent(request.id);
    query(request.id);
    return kept_.go_on();
  }
  if (!of_this_session(request)) return answer_soon(request.id, SessionAnswer::kSessionEnded);
  if (!kept_.stands()) return calls_.fail_soon(request.id, "not connected");
  calls_.sent(request.id);
  switch (request.kind) {
    case RequestKind::kHeartbeat:
      beat(request.id);
      break;
    case RequestKind::kLock:
      lock(request.id);
      break;
    case RequestKind::kUnlock:
      unlock(request.id);
      break;
    case RequestKind::kCloseSession: {
      std::vector<std::string> paths;
      for (const auto& [thread, of] : endpoints_)
        if (!of.path.empty()) paths.push_back(of.path);
      close(request.id, std::move(paths));
      break;
    }
    default:
      calls_.fail_soon(request.id, "no call of a session");
  }
  kept_.go_on();
}

bool LockStore::of_this_session(const Request& request) const {
  return given_ && kept_.number() != 0 && request.session.session == kept_.number();
}

// ---- the session

void LockStore::open(const Request& request) {
  endpoints_.clear();
  calls_.sent(request.id);
  opening_ = request.id;
  given_ = false;
  kept_.begin(request.session.wait);
}

void LockStore::on_stands() {
  if (ready_ && !std::exchange(told_, true)) listener_->on_connected();
  if (const std::uint64_t id = std::exchange(opening_, 0); id != 0) {
    // A session that ends sooner than its holder reckons with is none that a lock can rest on.
    if (kept_.session().length() < kept_.span()) {
      calls_.fail(id, "the server grants no session that lasts as long: see its maxSessionTimeout");
    } else {
      given_ = true;
      answer(id, SessionAnswer::kDone, kept_.number());
    }
  }
  for (const std::uint64_t id : std::exchange(questions_, {})) {
    if (!calls_.open_call(id)) continue;
    calls_.sent(id);
    query(id);
  }
  if (strays_) sweep();
  examine_all();  // what was watched is watched no more
}

void LockStore::on_broke(const std::string& reason) {
  if (std::exchange(told_, false)) listener_->on_disconnected(reason);
  for (auto& [thread, of] : endpoints_) of.making = false;
  for (auto& [thread, of] : endpoints_) of.call = 0;
  opening_ = 0;
  questions_.clear();
  calls_.break_line(false, reason);
}

void LockStore::on_over() {
  given_ = false;
  endpoints_.clear();
  if (!questions_.empty()) kept_.begin(kToAsk);
}

void LockStore::beat(std::uint64_t id) {
  kept_.session().look("/", [this, id](Outcome outcome, const NodeFacts&, const std::string&) {
    if (outcome != Outcome::kLineLost) answer(id, SessionAnswer::kDone);
  });
}

// Its nodes first, whose going the server answers; of the session's end nobody hears.
void LockStore::close(std::uint64_t id, std::vector<std::string> paths) {
  if (!paths.empty()) {
    const std::string next = paths.back();
    paths.pop_back();
    kept_.session().remove(next, [this, id, paths = std::move(paths)](Outcome outcome, const std::string& error) {
      if (outcome == Outcome::kNoNode || !failed(id, outcome, error)) close(id, paths);
    });
    return kept_.go_on();
  }
  soon_.arm(Duration::zero(), [this, id] {
    std::vector<std::uint64_t> waited;
    for (const auto& [thread, of] : endpoints_)
      if (of.call != 0) waited.push_back(of.call);
    endpoints_.clear();
    given_ = false;
    kept_.end();
    for (const std::uint64_t each : waited) answer(each, SessionAnswer::kSessionEnded);
    answer(id, SessionAnswer::kDone);
  });
}

// ---- a place in the line

LockStore::Endpoint& LockStore::endpoint(std::uint32_t thread) {
  return endpoints_.try_emplace(thread, *loop_).first->second;
}

LockStore::Endpoint* LockStore::placed(std::uint32_t thread, std::uint64_t uid) {
  const auto found = endpoints_.find(thread);
  return found == endpoints_.end() || found->second.uid != uid ? nullptr : &found->second;
}

void LockStore::lock(std::uint64_t id) {
  const Request& request = *calls_.find(id);
  const SessionCall& asked = request.session;
  Endpoint& of = endpoint(asked.thread);
  if (const auto said = of.locks.find(asked.uid); said != of.locks.end()) return answer_again(id, said->second);
  if (of.count > 0) return re_enter(id, of);
  if (of.waits && of.path.empty() && !of.making) {
    of.call = id;
    return resolve(asked.thread);
  }
  if (of.waits && of.uid == asked.uid) {
    of.call = id;
    return;
  }
  if (of.waits) cancel(of);
  take_place(of, request);
  make(asked.thread, asked.uid);
}

void LockStore::take_place(Endpoint& of, const Request& request) {
  const SessionCall& asked = request.session;
  of.uid = asked.uid;
  of.path.clear();
  of.waits = true;
  of.over = asked.wait == Duration::zero();
  of.call = request.id;
  if (of.over || asked.wait == Duration::max()) return of.gives_up.cancel();
  of.gives_up.arm(asked.wait, [this, thread = asked.thread, uid = asked.uid] {
    Endpoint* const place = placed(thread, uid);
    if (place == nullptr || !place->waits) return;
    place->over = true;
    if (!kept_.stands() || place->path.empty()) return;
    give_up(thread, uid);
    kept_.go_on();
  });
}

void LockStore::make(std::uint32_t thread, std::uint64_t uid) {
  Endpoint* const of = placed(thread, uid);
  if (of == nullptr || !kept_.stands()) return;
  of->making = true;
  const std::string path = folder_ + "/" + beginning_of_call(kept_.number(), thread, uid);
  kept_.session().create(
      path, names_->text(contender_), Session::Kind::kNumbered,
      [this, thread, uid](Outcome outcome, const std::string& made, std::int64_t czxid, const std::string& error) {
        Endpoint* const place = placed(thread, uid);
        strays_ = strays_ || place == nullptr;
        if (place == nullptr && outcome == Outcome::kOk) return sweep();
        if (place == nullptr || outcome == Outcome::kLineLost) return;
        if (outcome == Outcome::kNoNode) return make_folders(thread, uid, folders_to(folder_));
        place->making = false;
        if (outcome != Outcome::kOk) {
          place->waits = false;
          place->uid = 0;
          return calls_.fail(std::exchange(place->call, 0), error);
        }
        place->path = made;
        place->fence = static_cast<Token>(czxid);
        examine(thread);
      });
}

void LockStore::make_folders(std::uint32_t thread, std::uint64_t uid, std::vector<std::string> folders) {
  Endpoint* const of = placed(thread, uid);
  if (of == nullptr || !kept_.stands()) return;
  if (folders.empty()) return make(thread, uid);
  const std::string next = folders.front();
  folders.erase(folders.begin());
  kept_.session().create(next, "", Session::Kind::kContainer,
                         [this, thread, uid, folders = std::move(folders)](Outcome outcome, const std::string&,
                                                                           std::int64_t, const std::string& error) {
                           if (outcome == Outcome::kOk || outcome == Outcome::kNodeExists)
                             return make_folders(thread, uid, folders);
                           Endpoint* const place = placed(thread, uid);
                           if (place == nullptr || outcome == Outcome::kLineLost) return;
                           place->waits = place->making = false;
                           place->uid = 0;
                           calls_.fail(std::exchange(place->call, 0), error);
                         });
}

void LockStore::resolve(std::uint32_t thread) {
  list([this, thread](const std::vector<std::string>& line) {
    Endpoint& of = endpoint(thread);
    const std::uint64_t id = of.call;
    const Request* const request = calls_.find(id);
    if (request == nullptr || !of.waits || !of.path.empty() || of.making) return;
    const std::string beginning = beginning_of_thread(kept_.number(), thread);
    const auto own = std::find_if(line.begin(), line.end(),
                                  [&](const std::string& name) { return uid_of(name, beginning).has_value(); });
    if (own == line.end()) {
      take_place(of, *request);
      return make(thread, of.uid);
    }
    of.uid = *uid_of(*own, beginning);
    of.path = folder_ + "/" + *own;
    of.fence = kNoToken;
    if (of.uid == request->session.uid) return examine(thread);
    // Another call's, of which nobody heard: it holds, or waits no more.
    of.call = 0;
    if (own != line.begin()) return lock(id);
    of.waits = false;
    of.count = 1;
    lock(id);
  });
}

void LockStore::sweep() {
  list([this](const std::vector<std::string>& line) {
    strays_ = false;
    for (const std::string& name : line) {
      const bool placed = std::any_of(endpoints_.begin(), endpoints_.end(), [&](const auto& each) {
        const auto uid = uid_of(name, beginning_of_thread(kept_.number(), each.first));
        return uid && *uid == each.second.uid;
      });
      const bool own = name.rfind(beginning_of_session(kept_.number()), 0) == 0;
      if (own && !placed) kept_.session().remove(folder_ + "/" + name, [](Outcome, const std::string&) {});
    }
    kept_.go_on();
  });
}

void LockStore::examine_all() {
  std::vector<std::uint32_t> waiting;
  for (const auto& [thread, of] : endpoints_)
    if (of.waits && !of.path.empty()) waiting.push_back(thread);
  for (const std::uint32_t thread : waiting) examine(thread);
  kept_.go_on();
}

void LockStore::examine(std::uint32_t thread) {
  const std::uint64_t uid = endpoint(thread).uid;
  list([this, thread, uid](const std::vector<std::string>& line) {
    Endpoint* const of = placed(thread, uid);
    if (of == nullptr || !of->waits || of->path.empty()) return;
    const auto own = std::find(line.begin(), line.end(), name_in(of->path));
    if (own == line.end()) return lost(of->call, thread);
    if (own == line.begin()) return grant(thread, uid);
    if (of->over) return give_up(thread, uid);
    look_ahead(thread, uid, *(own - 1));
  });
}

// When the one before is gone.
void LockStore::look_ahead(std::uint32_t thread, std::uint64_t uid, const std::string& before) {
  kept_.session().look(
      folder_ + "/" + before,
      [this, thread, uid](Outcome outcome, const NodeFacts&, const std::string&) {
        if (outcome == Outcome::kNoNode && placed(thread, uid) != nullptr) examine(thread);
      },
      [this] { examine_all(); });
}

void LockStore::grant(std::uint32_t thread, std::uint64_t uid) {
  Endpoint& of = *placed(thread, uid);
  if (of.fence == kNoToken) {
    kept_.session().look(of.path, [this, thread, uid](Outcome outcome, const NodeFacts& facts, const std::string&) {
      Endpoint* const place = placed(thread, uid);
      if (place == nullptr || !place->waits || outcome == Outcome::kLineLost) return;
      if (outcome != Outcome::kOk) return lost(place->call, thread);
      place->fence = static_cast<Token>(facts.czxid);
      grant(thread, uid);
    });
    return;
  }
  of.waits = false;
  of.gives_up.cancel();
  of.count = 1;
  const Memo memo{SessionAnswer::kDone, of.fence, 1};
  of.locks = {{uid, memo}};
  of.unlocks.clear();
  answer_call(of, memo);
}

void LockStore::give_up(std::uint32_t thread, std::uint64_t uid) {
  kept_.session().remove(placed(thread, uid)->path, [this, thread, uid](Outcome outcome, const std::string&) {
    Endpoint* const of = placed(thread, uid);
    if (of == nullptr || !of->waits || (outcome != Outcome::kOk && outcome != Outcome::kNoNode)) return;
    leave(*of);
    const Memo memo{SessionAnswer::kNotLocked, kNoToken, 0};
    of->locks = {{uid, memo}};
    of->unlocks.clear();
    answer_call(*of, memo);
  });
}

// Its place goes to a newer call, or is given up: what stands there is taken away, and nobody waits for that.
void LockStore::cancel(Endpoint& of) {
  if (!of.path.empty()) kept_.session().remove(of.path, [](Outcome, const std::string&) {});
  leave(of);
  answer_call(of, {SessionAnswer::kCancelled, kNoToken, 0});
}

void LockStore::leave(Endpoint& of) {
  of.uid = 0;
  of.path.clear();
  of.count = 0;
  of.waits = of.making = of.over = false;
  of.leaving = 0;
  of.gives_up.cancel();
}

// ---- who holds

void LockStore::re_enter(std::uint64_t id, Endpoint& of) {
  const SessionCall asked = calls_.find(id)->session;
  kept_.session().look(of.path, [this, id, asked](Outcome outcome, const NodeFacts& facts, const std::string& error) {
    if (outcome == Outcome::kNoNode) return lost(id, asked.thread);
    if (failed(id, outcome, error)) return;
    Endpoint& holder = endpoint(asked.thread);
    if (holder.count == 0 || calls_.find(id) == nullptr) return;
    holder.fence = static_cast<Token>(facts.czxid);
    const Memo memo{SessionAnswer::kDone, holder.fence, ++holder.count};
    holder.locks[asked.uid] = memo;
    answer(id, memo.answer, memo.count, memo.fence);
  });
}

void LockStore::unlock(std::uint64_t id) {
  const SessionCall asked = calls_.find(id)->session;
  Endpoint& of = endpoint(asked.thread);
  if (const auto said = of.unlocks.find(asked.uid); said != of.unlocks.end()) return answer_again(id, said->second);
  if (of.count == 0) {
    if (of.waits) cancel(of);
    return answer_again(id, {SessionAnswer::kNotOwner, kNoToken, 0});
  }
  if (of.count > 1) {
    kept_.session().look(of.path, [this, id, asked](Outcome outcome, const NodeFacts&, const std::string& error) {
      if (outcome == Outcome::kNoNode) return lost(id, asked.thread);
      if (failed(id, outcome, error)) return;
      Endpoint& holder = endpoint(asked.thread);
      if (holder.count < 2 || calls_.find(id) == nullptr) return;
      const Memo memo{SessionAnswer::kDone, kNoToken, --holder.count};
      holder.unlocks[asked.uid] = memo;
      answer(id, memo.answer, memo.count);
    });
    return;
  }
  const bool again = std::exchange(of.leaving, asked.uid) == asked.uid;
  kept_.session().remove(of.path, [this, id, asked, again](Outcome outcome, const std::string& error) {
    if (outcome == Outcome::kNoNode && !again) return lost(id, asked.thread);
    if (outcome != Outcome::kNoNode && failed(id, outcome, error)) return;
    Endpoint& holder = endpoint(asked.thread);
    leave(holder);
    const Memo memo{SessionAnswer::kDone, kNoToken, 0};
    holder.locks.clear();
    holder.unlocks = {{asked.uid, memo}};
    answer(id, memo.answer);
  });
}

void LockStore::lost(std::uint64_t id, std::uint32_t thread) {
  endpoints_.erase(thread);
  answer(id, SessionAnswer::kSessionEnded);
}

// How often another holds his session alone knows.
void LockStore::query(std::uint64_t id) {
  list([this, id](const std::vector<std::string>& line) {
    const Request* const request = calls_.find(id);
    if (request == nullptr) return;
    if (line.empty()) return answer(id, SessionAnswer::kDone);
    const std::string& first = line.front();
    kept_.session().look(
        folder_ + "/" + first, [this, id, first](Outcome outcome, const NodeFacts& facts, const std::string& error) {
          const Request* const asked = calls_.find(id);
          if (asked == nullptr) return;
          if (outcome == Outcome::kNoNode) return query(id);
          if (failed(id, outcome, error)) return;
          const std::uint32_t thread = asked->session.thread;
          const bool own = of_this_session(*asked) && uid_of(first, beginning_of_thread(kept_.number(), thread));
          const auto of = endpoints_.find(thread);
          Reply reply;
          reply.begin(*asked);
          reply.owner = names_->intern(facts.data);
          reply.token = static_cast<Token>(facts.czxid);
          reply.number = own && of != endpoints_.end() ? std::max<std::uint64_t>(1, of->second.count) : 1;
          reply.done = own;
          calls_.finish(reply);
        });
    kept_.go_on();
  });
}

// ---- answers

void LockStore::list(Listed listed) {
  kept_.session().list(folder_, [listed = std::move(listed)](Outcome outcome, const NodeList& all, const std::string&) {
    if (outcome == Outcome::kOk || outcome == Outcome::kNoNode) listed(line_of(all.names));
  });
  kept_.go_on();
}

// A line that is lost ends all its calls.
bool LockStore::failed(std::uint64_t id, Outcome outcome, const std::string& error) {
  if (outcome == Outcome::kOk) return false;
  if (outcome != Outcome::kLineLost) calls_.fail(id, error);
  return true;
}

void LockStore::answer_call(Endpoint& of, const Memo& memo) {
  answer(std::exchange(of.call, 0), memo.answer, memo.count, memo.fence);
}

void LockStore::answer_again(std::uint64_t id, const Memo& memo) {
  kept_.session().look("/", [this, id, memo](Outcome outcome, const NodeFacts&, const std::string&) {
    if (outcome != Outcome::kLineLost) answer(id, memo.answer, memo.count, memo.fence);
  });
}

void LockStore::answer(std::uint64_t id, SessionAnswer with, std::uint64_t number, Token token) {
  const Request* const request = calls_.find(id);
  if (request == nullptr) return;
  Reply reply;
  reply.begin(*request);
  reply.answer = static_cast<std::uint8_t>(with);
  reply.number = number;
  reply.token = token;
  if (request->kind == RequestKind::kOpenSession) reply.remaining = kept_.span() / kBeats;
  calls_.finish(reply);
}

void LockStore::answer_soon(std::uint64_t id, SessionAnswer with) {
  Reply reply;
  reply.begin(*calls_.find(id));
  reply.answer = static_cast<std::uint8_t>(with);
  calls_.finish_soon(reply);
}

}  // namespace leasescope::zookeeper
