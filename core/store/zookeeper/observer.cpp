#include "core/store/zookeeper/observer.h"

#include <algorithm>
#include <utility>

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
      terms_(terms),
      listener_(&listener),
      session_(loop, url, straight(),
               {[this] { on_stands(); }, [this](const std::string& why) { on_broke(why); },
                [this] { session_.begin(kSpan); }}),
      last_answer_(loop.now()),
      blind_since_(last_answer_),
      sweep_(loop) {}

void ZookeeperObserver::begin() {
  for (const std::string& mutex : terms_.mutexes) latches_[mutex];
  session_.begin(kSpan);
}

void ZookeeperObserver::on_stands() {
  for (auto& [mutex, latch] : latches_) latch.open = false;
  find();
}

void ZookeeperObserver::on_broke(const std::string& why) {
  sweep_.cancel();
  if (!std::exchange(blind_, true)) blind_since_ = last_answer_;
  listener_->on_blind(blind_since_, why);
}

void ZookeeperObserver::answered(TrueTime asked) {
  last_answer_ = loop_->now();
  figures_.latency = last_answer_ - asked;
  if (std::exchange(blind_, false)) listener_->on_sighted();
}

// ---- what there is

void ZookeeperObserver::find() {
  sweep_.arm(terms_.sweep, [this] { find(); });
  if (!session_.stands()) return;
  found_asked_ = loop_->now();
  if (terms_.mutexes.empty()) {
    ++figures_.commands;
    session_.session().list(
        kAll, [this](Outcome outcome, const auto& names, const std::string& error) { on_found(outcome, names, error); },
        [this] { find(); });
  } else {
    found_ = true;
  }
  for (Place& of : latches_) look(of);
  session_.go_on();
}

void ZookeeperObserver::on_found(Outcome outcome, const std::vector<std::string>& names, const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  answered(found_asked_);
  // Of what is not there nobody tells when it comes.
  if (outcome == Outcome::kNoNode) sweep_.arm(terms_.poll, [this] { find(); });
  if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) remark(kAll, error);
  for (const std::string& name : names) {
    if (is_fenced(name)) continue;
    if (const auto [place, is_new] = latches_.try_emplace(name); is_new) look(*place);
  }
  found_ = true;
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
  session_.session().list(
      folder_of(of.first),
      [this, &of](Outcome outcome, const auto& names, const std::string& error) {
        on_listed(of, outcome, names, error);
      },
      [this, &of] { look(of); });
  session_.go_on();
}

void ZookeeperObserver::on_listed(Place& of, Outcome outcome, const std::vector<std::string>& names,
                                  const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  answered(of.second.asked);
  if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) remark(folder_of(of.first), error);
  if (outcome == Outcome::kNoNode) sweep_.arm(terms_.poll, [this] { find(); });
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
  if (outcome != Outcome::kOk) {
    of.second.open = false;
    if (outcome != Outcome::kNoNode) return remark(folder_of(of.first), error);
    return look(of);  // it went in between
  }
  see(of, facts.data.empty() ? of.second.line.front() : facts.data, static_cast<Token>(facts.czxid));
}

void ZookeeperObserver::see(Place& of, const std::string& owner, Token token) {
  Latch& latch = of.second;
  Sighting seen;
  seen.mutex = of.first;
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
  const bool all =
      found_ && std::all_of(latches_.begin(), latches_.end(), [](const Place& of) { return of.second.known; });
  if (all && !std::exchange(told_all_, true)) listener_->on_all_seen(found_asked_);
}

void ZookeeperObserver::remark(const std::string& about, const std::string& error) {
  listener_->on_remark(about + ": " + error);
}

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener) {
  return std::make_unique<ZookeeperObserver>(loop, url, terms, listener);
}

}  // namespace leasescope::zookeeper
