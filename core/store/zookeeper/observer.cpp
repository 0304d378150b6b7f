#include "core/store/zookeeper/observer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/store/zookeeper/advice.h"
#include "core/store/zookeeper/lock_name.h"
#include "core/store/zookeeper/node_name.h"

namespace leasescope::zookeeper {
namespace {

constexpr Duration kSpan = std::chrono::seconds(10);  // of the observer's own session
constexpr const char* kAll = "/simba";

constexpr std::size_t kMostNamed = 20;  // of a fenced lock's line: of the others their nodes are told

ServerWalk::Way straight() {
  return [](const Endpoint& server) { return server; };
}

}  // namespace

ZookeeperObserver::ZookeeperObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                     ObserverListener& listener)
    : loop_(&loop),
      url_(url),
      terms_(terms),
      listener_(&listener),
      session_(loop, url, straight(),
               {[this] { on_stands(); }, [this](const std::string& why) { on_broke(why); },
                [this] { session_.begin(kSpan); }}),
      foreign_(loop, terms, session_,
               {[this](const Sighting& seen) { listener_->on_seen(seen); },
                [this](const std::string& mutex, std::string_view maker, TrueTime since) {
                  listener_->on_hidden(mutex, maker, since);
                },
                [this] { tell_if_all(); }, [this](TrueTime asked) { answered(asked); },
                [this](const std::string& remark) { listener_->on_remark(remark); },
                [this](const std::string& folder, const std::string& error) { remark(folder, error); }}),
      blind_since_(loop.now()),
      heard_(blind_since_),
      sweep_(loop),
      round_(loop),
      soon_(loop),
      beat_(loop) {}

void ZookeeperObserver::begin() {
  // A path is another maker's lock: no latch has such a name.
  for (const std::string& mutex : terms_.mutexes) {
    if (mutex.substr(0, 1) == "/") continue;
    meet(folder_of(mutex), mutex, false);
    meet(lock_folder_of(mutex), mutex, true);
  }
  session_.begin(kSpan);
}

// Null: it was met before.
ZookeeperObserver::Place* ZookeeperObserver::meet(const std::string& folder, std::string_view mutex, bool fenced) {
  const auto [place, is_new] = latches_.try_emplace(folder);
  if (!is_new) return nullptr;
  place->second.mutex = mutex;
  place->second.fenced = fenced;
  return &*place;
}

// The watches of the connection before are gone with it.
void ZookeeperObserver::on_stands() {
  all_watched_ = false;
  for (auto& [folder, latch] : latches_) latch.open = latch.watched = false;
  find();
  go_round();
  beat();
}

void ZookeeperObserver::on_broke(const std::string& why) {
  sweep_.cancel();
  soon_.cancel();
  round_.cancel();
  beat_.cancel();
  foreign_.lose_line();
  if (!std::exchange(blind_, true)) blind_since_ = heard_;
  listener_->on_blind(blind_since_, advised_to_watcher(why, url_));
}

// A session's answers and the news of its watches come in order; of what is being looked at the news has come.
TrueTime ZookeeperObserver::quiet_until(const std::string& mutex) const {
  const auto of = latches_.find(folder_of(mutex));
  return of == latches_.end() || of->second.open ? TrueTime::min() : heard_;
}

// Where nothing changes nothing is told: an answer says that this is why.
void ZookeeperObserver::beat() {
  beat_.arm(terms_.poll, [this] { beat(); });
  if (!session_.stands()) return;
  ++figures_.commands;
  session_.session().measure(kAll, [this, asked = loop_->now()](Outcome outcome, const NodeSize&, const std::string&) {
    if (outcome != Outcome::kLineLost) answered(asked);
  });
  session_.go_on();
}

void ZookeeperObserver::answered(TrueTime asked) {
  heard_ = std::max(heard_, asked);
  figures_.latency = loop_->now() - asked;
  ++figures_.answers;
  if (std::exchange(blind_, false)) listener_->on_sighted();
}

// Locks of other makers are anywhere, and nothing tells of a new one.
void ZookeeperObserver::go_round() {
  if (terms_.foreign == Foreign::kNone) return;
  round_.arm(terms_.sweep, [this] { go_round(); });
  foreign_.go_round();
}

// ---- what there is

void ZookeeperObserver::find() {
  sweep_.arm(terms_.sweep, [this] { find(); });
  if (!session_.stands()) return;
  found_asked_ = loop_->now();
  if (terms_.mutexes.empty())
    list_all();
  else
    found_ = true;
  for (Place& of : latches_) look(of);
  session_.go_on();
  tell_if_all();  // there may be none to look at
}

// A watch stands until it fires, and one is enough; of a node that is not there the server keeps none.
void ZookeeperObserver::list_all() {
  ++figures_.commands;
  Session::Gone changed;
  if (all_exist_ && !all_watched_) {
    all_watched_ = true;
    changed = [this] {
      all_watched_ = false;
      find();
    };
  }
  session_.session().list(
      kAll,
      [this](Outcome outcome, const NodeList& list, const std::string& error) { on_found(outcome, list.names, error); },
      std::move(changed));
}

void ZookeeperObserver::on_found(Outcome outcome, const std::vector<std::string>& names, const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  answered(found_asked_);
  const bool existed = std::exchange(all_exist_, outcome == Outcome::kOk);
  if (outcome != Outcome::kOk) all_watched_ = false;  // where that list was to leave a watch, it left none
  if (outcome != Outcome::kOk) soon_.arm(terms_.poll, [this] { find(); });  // nobody tells when it comes
  if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) return refuse(error);
  refused_.clear();
  for (const std::string& name : names) {
    const auto fenced = mutex_of_lock_folder(name);
    if (Place* const is_new = meet(folder_of(name), fenced.value_or(name), fenced.has_value())) look(*is_new);
  }
  found_ = true;
  tell_if_all();
  if (all_exist_ && !existed) find();  // now it can be watched
}

// The mutexes that are known by now may be looked at all the same, and so may the locks of other makers.
void ZookeeperObserver::refuse(const std::string& error) {
  refused_ = advised_to_watcher(fmt::format("{}: {}: what is in it is not observed", kAll, error), url_, kAll);
  listener_->on_remark(refused_);
  tell_if_all();
}

// ---- one of them

void ZookeeperObserver::look(Place& of) {
  if (!session_.stands()) return;
  if (std::exchange(of.second.open, true)) {
    of.second.again = true;
    return;
  }
  of.second.again = false;
  of.second.asked = loop_->now();
  ++figures_.commands;
  Session::Gone changed;
  if (of.second.exists && !of.second.watched) {
    of.second.watched = true;
    changed = [this, &of] {
      of.second.watched = false;
      look(of);
    };
  }
  session_.session().list(
      of.first,
      [this, &of](Outcome outcome, const NodeList& list, const std::string& error) {
        on_listed(of, outcome, list, error);
      },
      std::move(changed));
  session_.go_on();
}

void ZookeeperObserver::on_listed(Place& of, Outcome outcome, const NodeList& list, const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  answered(of.second.asked);
  const bool existed = std::exchange(of.second.exists, outcome == Outcome::kOk);
  if (outcome != Outcome::kOk) of.second.watched = false;  // where that list was to leave a watch, it left none
  if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) return hide(of, error);
  // Whoever is asked for by name may come; of the others /simba tells.
  if (outcome == Outcome::kNoNode && !terms_.mutexes.empty()) soon_.arm(terms_.poll, [this] { find(); });
  if (of.second.exists && !existed) of.second.again = true;  // now it can be watched
  of.second.line = of.second.fenced ? line_of(list.names) : in_order(list.names);
  if (list.changed > 0) of.second.changed = list.changed;  // that an empty folder goes changes nothing
  of.second.owners.clear();
  of.second.token = kNoToken;
  read_next(of);
}

void ZookeeperObserver::read_next(Place& of) {
  const Latch& latch = of.second;
  if (latch.owners.size() >= std::min(latch.line.size(), latch.fenced ? kMostNamed : 1)) return see(of);
  ++figures_.commands;
  session_.session().look(
      of.first + "/" + latch.line[latch.owners.size()],
      [this, &of](Outcome read, const NodeFacts& facts, const std::string& why) { on_read(of, read, facts, why); });
  session_.go_on();
}

void ZookeeperObserver::on_read(Place& of, Outcome outcome, const NodeFacts& facts, const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  answered(of.second.asked);
  Latch& latch = of.second;
  if (outcome == Outcome::kNoNode && latch.owners.empty()) {  // it went in between
    latch.open = false;
    return look(of);
  }
  if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) return hide(of, error);
  const std::string& node = latch.line[latch.owners.size()];
  if (latch.owners.empty()) {
    latch.token = static_cast<Token>(facts.czxid);
    latch.session = fmt::format("session 0x{:x}", static_cast<std::uint64_t>(facts.owner));
  }
  // That one who waited has gone is told by the watch.
  latch.owners.push_back(latch.fenced ? endpoint_text(node, facts.data) : facts.data.empty() ? node : facts.data);
  read_next(of);
}

// Who may not look at it does not know that nobody leads.
void ZookeeperObserver::hide(Place& of, const std::string& error) {
  of.second.open = false;
  of.second.known = true;
  remark(of.first, error);
  listener_->on_hidden(of.second.mutex, of.second.fenced ? kOwnMaker : std::string_view(), of.second.asked);
  tell_if_all();
  if (of.second.again) look(of);
}

// Whoever asks for a mutex by name is not told of a fenced lock that was never there. Of those who wait for a latch
// their nodes are told, as any client of Curator's may stand there.
void ZookeeperObserver::see(Place& of) {
  Latch& latch = of.second;
  latch.open = false;
  latch.known = true;
  latch.met = latch.met || latch.exists || !latch.fenced;
  if (latch.met) {
    Sighting seen;
    seen.mutex = latch.mutex;
    if (latch.fenced) seen.maker = kOwnMaker;
    seen.system = latch.fenced ? "fenced lock" : "latch";
    if (!latch.owners.empty()) seen.owner = latch.owners.front();
    seen.token = latch.token;
    seen.changes = latch.changed;  // whoever comes where nobody stands owns it
    for (std::size_t i = 0; i < latch.line.size(); ++i) {
      const std::string who = i < latch.owners.size() ? latch.owners[i] : "";
      const bool holds = latch.fenced && i == 0;
      seen.raw.emplace_back(of.first + "/" + latch.line[i], holds ? fmt::format("{} ({})", who, latch.session) : who);
      if (i > 0) seen.queue.push_back(latch.fenced && !who.empty() ? who : latch.line[i]);
    }
    seen.waiters = static_cast<std::uint32_t>(seen.queue.size());
    seen.asked = latch.asked;
    seen.answered = loop_->now();
    listener_->on_seen(seen);
  }
  tell_if_all();
  if (latch.again) look(of);
}

void ZookeeperObserver::tell_if_all() {
  const bool foreign = terms_.foreign == Foreign::kNone || foreign_.all_seen();
  const bool seen =
      foreign && std::all_of(latches_.begin(), latches_.end(), [](const Place& of) { return of.second.known; });
  if (seen && found_ && !std::exchange(told_all_, true)) listener_->on_all_seen();
  if (seen && !found_ && !refused_.empty()) listener_->on_rest_refused(refused_);
}

void ZookeeperObserver::remark(const std::string& about, const std::string& error) {
  listener_->on_remark(advised_to_watcher(about + ": " + error, url_, about));
}

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener) {
  return std::make_unique<ZookeeperObserver>(loop, url, terms, listener);
}

}  // namespace leasescope::zookeeper
