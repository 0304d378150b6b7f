// What an observer does where its server is a node of a cluster (cluster_observer.h).
#include <algorithm>
#include <utility>

#include "core/store/redis/advice.h"
#include "core/store/redis/observer.h"

namespace leasescope::redis {

using Kind = RespValue::Kind;

void RedisObserver::ask_for_cluster() {
  if (may_ask_for_cluster_ && requests_->up()) ask(Asked::kCluster, nullptr, {"CLUSTER", "NODES"});
}

// Where it is not told, this node is watched alone.
void RedisObserver::on_cluster(const RespValue& answer) {
  may_ask_for_cluster_ = !is_refusal(answer);
  auto map = answer.kind == Kind::kText ? read_cluster(answer.text, requests_->server(), url_.sealed)
                                        : std::optional<ClusterMap>();
  if (map) return cluster_->on_cluster(*std::move(map));
  if (slots_) return;
  say_role();
  await_no_cluster();
}

// What was said to lie elsewhere is looked at anew, and said to.
void RedisObserver::await_no_cluster() {
  if (!std::exchange(awaits_cluster_, false)) return;
  for (const auto& [name, of] : watched_)
    if (of->elsewhere) look_at(*of, loop_->now());
  tell_if_all();
  pump();
}

std::vector<std::string> RedisObserver::keep_to(const SlotSet& kept) {
  slots_ = kept;
  awaits_cluster_ = false;
  std::vector<Watched*> others;
  for (const auto& [name, of] : watched_) {
    of->dropped = !keeps(of->keys.lease);  // what comes back is told of again
    if (of->dropped) others.push_back(of.get());
  }
  std::vector<std::string> out;
  for (Watched* const of : others) {
    if (of->known) listener_->on_hidden(of->mutex, {}, loop_->now());
    out.push_back(of->mutex);
    if (of->open == 0) drop(*of);
  }
  foreign_.keep_to([this](std::string_view key) { return keeps(key); });
  rescans_ = true;  // what has come is found
  if (scan_next_.armed()) rescan();
  return out;
}

// From the first key on, once no batch is under way.
void RedisObserver::rescan() {
  rescans_ = false;
  cursor_ = kStart;
  scan_next_.arm(Duration{}, [this] { scan(); });
}

void RedisObserver::look_for(const std::vector<std::string>& mutexes) {
  for (const std::string& mutex : mutexes) look_at(watched(mutex), loop_->now());
  pump();
}

std::vector<std::string> RedisObserver::hide_all(TrueTime since) {
  std::vector<std::string> out;
  for (const auto& [name, of] : watched_) {
    if (of->dropped) continue;
    out.push_back(of->mutex);
    if (!of->known) continue;
    // Where nothing was asked, it may have been told that nothing changed.
    listener_->on_hidden(of->mutex, {}, std::max(since, quiet_until(of->mutex)));
  }
  foreign_.hide_all(since);
  return out;
}

void RedisObserver::drop(Watched& of) {
  if (of.waits) due_.erase(of.due);
  if (!of.known) --first_looks_;
  watched_.erase(of.mutex);
  tell_if_all();
}

}  // namespace leasescope::redis
