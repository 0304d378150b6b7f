#include "core/store/zookeeper/observer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/store/zookeeper/advice.h"
#include "core/store/zookeeper/node_name.h"

namespace leasescope::zookeeper {
namespace {

constexpr Duration kSpan = std::chrono::seconds(10);  // of the observer's own session
constexpr const char* kAll = "/simba";

// The folders of fenced locks lie beside (lock_name.h).
bool is_fenced(std::string_view name) {
  constexpr std::string_view kEnd = ":fenced";
  return name.size() > kEnd.size() && name.substr(name.size() - kEnd.size()) == kEnd;
}

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
  for (const std::string& mutex : terms_.mutexes)
    if (mutex.substr(0, 1) != "/") latches_[mutex];
  session_.begin(kSpan);
}

// The watches of the connection before are gone with it.
void ZookeeperObserver::on_stands() {
  all_watched_ = false;
  for (auto& [mutex, latch] : latches_) latch.open = latch.watched = false;
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
  const auto of = latches_.find(mutex);
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
      kAll, [this](Outcome outcome, const auto& names, const std::string& error) { on_found(outcome, names, error); },
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
    if (is_fenced(name)) continue;
    if (const auto [place, is_new] = latches_.try_emplace(name); is_new) look(*place);
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
      folder_of(of.first),
      [this, &of](Outcome outcome, const auto& names, const std::string& error) {
        on_listed(of, outcome, names, error);
      },
      std::move(changed));
  session_.go_on();
}

void ZookeeperObserver::on_listed(Place& of, Outcome outcome, const std::vector<std::string>& names,
                                  const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  answered(of.second.asked);
  const bool existed = std::exchange(of.second.exists, outcome == Outcome::kOk);
  if (outcome != Outcome::kOk) of.second.watched = false;  // where that list was to leave a watch, it left none
  if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) return hide(of, error);
  // Whoever is asked for by name may come; of the others /simba tells.
  if (outcome == Outcome::kNoNode && !terms_.mutexes.empty()) soon_.arm(terms_.poll, [this] { find(); });
  if (of.second.exists && !existed) of.second.again = true;  // now it can be watched
  of.second.line = in_order(names);
  if (of.second.line.empty()) return see(of, "", kNoToken);
  ++figures_.commands;
  session_.session().look(
      folder_of(of.first) + "/" + of.second.line.front(),
      [this, &of](Outcome read, const NodeFacts& facts, const std::string& why) { on_read(of, read, facts, why); });
  session_.go_on();
}

void ZookeeperObserver::on_read(Place& of, Outcome outcome, const NodeFacts& facts, const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  answered(of.second.asked);
  if (outcome == Outcome::kNoNode) {  // it went in between
    of.second.open = false;
    return look(of);
  }
  if (outcome != Outcome::kOk) return hide(of, error);
  see(of, facts.data.empty() ? of.second.line.front() : facts.data, static_cast<Token>(facts.czxid));
}

// Who may not look at it does not know that nobody leads.
void ZookeeperObserver::hide(Place& of, const std::string& error) {
  of.second.open = false;
  of.second.known = true;
  remark(folder_of(of.first), error);
  listener_->on_hidden(of.first, {}, of.second.asked);
  tell_if_all();
  if (of.second.again) look(of);
}

void ZookeeperObserver::see(Place& of, const std::string& owner, Token token) {
  Latch& latch = of.second;
  Sighting seen;
  seen.mutex = of.first;
  seen.system = "latch";
  seen.owner = owner;
  seen.token = token;
  seen.waiters = static_cast<std::uint32_t>(latch.line.empty() ? 0 : latch.line.size() - 1);
  if (latch.line.size() > 1) seen.queue.assign(latch.line.begin() + 1, latch.line.end());
  for (const std::string& node : latch.line)
    seen.raw.emplace_back(folder_of(of.first) + "/" + node, node == latch.line.front() ? owner : "");
  seen.asked = latch.asked;
  seen.answered = loop_->now();
  latch.open = false;
  latch.known = true;
  listener_->on_seen(seen);
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
