#include "core/store/redis/cluster_observer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/store/redis/keys.h"
#include "core/store/redis/observer.h"
#include "core/store/redis/sentinel.h"

namespace leasescope::redis {
namespace {

using namespace std::chrono_literals;

constexpr Duration kBetweenQuestions = 1s;  // about who takes over, or what has moved
// Nobody answers: the servers may all have other addresses now, which the URL's hosts know.
constexpr Duration kScoutedAgain = 5s;

}  // namespace

// One that is watched: a master, or at first whoever the URL names.
class ClusterObserver::Member final : public ObserverListener, public ClusterListener {
 public:
  Member(ClusterObserver& of, const StoreUrl& url, const ObserverTerms& terms, std::optional<ClusterMaster> as)
      : master(std::move(as)), observer(*of.loop_, url, terms, *this, this), of_(of) {
    if (master) observer.keep_to(master->kept);
  }

  void on_seen(const Sighting& seen) override { of_.listener_->on_seen(seen); }
  void on_heard(const HeardChange& heard) override { of_.listener_->on_heard(heard); }
  void on_all_seen() override {
    all_seen = true;
    of_.tell_if_all();
  }
  void on_rest_refused(const std::string& why) override { of_.listener_->on_rest_refused(why); }
  void on_blind(TrueTime since, const std::string& why) override { of_.went_blind(*this, since, why); }
  void on_sighted() override { of_.sighted(*this); }
  void on_hidden(const std::string& mutex, std::string_view maker, TrueTime since) override {
    of_.listener_->on_hidden(mutex, maker, since);
  }
  void on_remark(const std::string& remark) override { of_.listener_->on_remark(remark); }
  // Each node tells of all.
  void on_belief(std::string_view text, std::string_view mutex) override {
    if (of_.keeper_of(mutex) == this) of_.listener_->on_belief(text, mutex);
  }
  void on_cluster(ClusterMap map) override { of_.told(std::move(map)); }
  void on_led_on() override { of_.ask_again(); }

  std::string name() const { return master ? text_of(master->server) : std::string(); }

  std::optional<ClusterMaster> master;
  bool blind = true, all_seen = false;
  TrueTime blind_since{};
  std::string reason;  // why it is blind; empty: it is not, or was not reached yet
  RedisObserver observer;

 private:
  ClusterObserver& of_;
};

ClusterObserver::ClusterObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                 ObserverListener& listener)
    : loop_(&loop), url_(url), terms_(terms), listener_(&listener), apply_(loop), ask_(loop), scout_(loop) {}

ClusterObserver::~ClusterObserver() = default;

void ClusterObserver::begin() { scout(); }

void ClusterObserver::scout() {
  epoch_ = 0;
  StoreUrl url = url_;
  url.others.insert(url.others.end(), known_.begin(), known_.end());
  members_.push_back(std::make_unique<Member>(*this, url, terms_, std::nullopt));
  members_.back()->observer.begin();
}

void ClusterObserver::scout_again() {
  if (scout_.armed()) return;
  scout_.arm(kScoutedAgain, [this] {
    if (!blind_ && !members_.empty()) return;
    for (const auto& each : members_) {
      make_homeless(each->observer.hide_all(each->blind_since));
      leave(*each);
    }
    members_.clear();
    scout();
  });
}

// ---- which masters there are

// From within an answer: whoever gave it may be watched no more. A node may not have heard yet what others know.
void ClusterObserver::told(ClusterMap map) {
  if (map.epoch < std::max(epoch_, told_ ? told_->epoch : 0)) return;
  told_ = std::move(map);
  apply_.arm(Duration{}, [this] { apply(); });
}

void ClusterObserver::apply() {
  const ClusterMap map = *std::exchange(told_, {});
  const std::vector<ClusterMaster>& masters = map.masters;
  epoch_ = map.epoch;
  known_.clear();
  for (const ClusterMaster& each : masters) known_.push_back(each.server);
  keep(masters);
  for (const ClusterMaster& each : masters) {
    const auto others = std::partition(homeless_.begin(), homeless_.end(),
                                       [&](const std::string& mutex) { return !each.has(Keys(mutex).lease); });
    const std::vector<std::string> its(others, homeless_.end());
    homeless_.erase(others, homeless_.end());
    const auto watched = std::find_if(members_.begin(), members_.end(),
                                      [&](const auto& member) { return member->master->id == each.id; });
    if (watched == members_.end())
      add(each, its);
    else if (!its.empty())
      (*watched)->observer.look_for(its);
  }
  if (members_.empty()) scout_again();  // nobody keeps what is asked for by its name
  tell_if_all();
}

// Whoever is not among them is left, as are keys that others keep now, and whoever answers no more and is said to have
// another address. Where the one that answers says that it is elsewhere, it may be so for the others alone.
void ClusterObserver::keep(const std::vector<ClusterMaster>& masters) {
  for (const auto& member : members_) {
    const auto same = std::find_if(masters.begin(), masters.end(), [&](const ClusterMaster& each) {
      return member->master && each.id == member->master->id;
    });
    const bool stays = same != masters.end() && (member->reason.empty() || same->server == member->master->server);
    const bool as_it_is = stays && same->kept == member->master->kept;
    if (as_it_is) continue;
    if (stays && terms_.mutexes.empty()) {
      member->master->kept = same->kept;
      make_homeless(member->observer.keep_to(same->kept));
      continue;
    }
    if (member->master) make_homeless(member->observer.hide_all(loop_->now()));
    leave(*member);
    member->master.reset();
  }
  members_.erase(std::remove_if(members_.begin(), members_.end(), [](const auto& member) { return !member->master; }),
                 members_.end());
}

void ClusterObserver::make_homeless(const std::vector<std::string>& mutexes) {
  homeless_.insert(homeless_.end(), mutexes.begin(), mutexes.end());
}

// What it counted stays counted. What it kept is not observed until whoever keeps it now answers.
void ClusterObserver::leave(const Member& member) {
  const ObserverFigures its = member.observer.figures();
  left_.commands += its.commands;
  left_.answers += its.answers;
  if (!member.reason.empty() && member.master) departed_.push_back(*member.master);
}

void ClusterObserver::tell_departed() {
  SlotSet blind;
  for (const auto& each : members_)
    if (each->master && each->blind) blind |= each->master->kept;
  const auto over = std::stable_partition(departed_.begin(), departed_.end(),
                                          [&](const ClusterMaster& each) { return (each.kept & blind).any(); });
  const std::vector<ClusterMaster> told(over, departed_.end());
  departed_.erase(over, departed_.end());
  for (const ClusterMaster& each : told) listener_->on_part(text_of(each.server), loop_->now(), {});
}

// Which of the mutexes that are asked for by name; none: no one.
std::optional<std::vector<std::string>> ClusterObserver::wanted_of(const ClusterMaster& master) const {
  std::vector<std::string> out;
  for (const std::string& mutex : terms_.mutexes)
    if (master.has(Keys(mutex).lease) || (terms_.foreign != Foreign::kNone && master.has(mutex))) out.push_back(mutex);
  if (out.empty() && !terms_.mutexes.empty()) return std::nullopt;
  return out;
}

void ClusterObserver::add(const ClusterMaster& master, const std::vector<std::string>& mutexes) {
  const auto wanted = wanted_of(master);
  if (!wanted) return;
  ObserverTerms terms = terms_;
  terms.mutexes = *wanted;
  StoreUrl url = url_;
  url.endpoint = master.server;
  url.others.clear();
  members_.push_back(std::make_unique<Member>(*this, url, terms, master));
  members_.back()->observer.look_for(mutexes);
  members_.back()->observer.begin();
}

// While a master does not answer, another may take its place.
void ClusterObserver::ask_again() {
  if (ask_.armed()) return;
  ask_.arm(kBetweenQuestions, [this] {
    const auto answers = [](const auto& member) { return !member->blind; };
    const auto found = std::find_if(members_.begin(), members_.end(), answers);
    if (found == members_.end()) return;
    (*found)->observer.ask_for_cluster();
    if (!std::all_of(members_.begin(), members_.end(), answers)) ask_again();
  });
}

// ---- who answers

// Whoever is not reached yet may still answer.
bool ClusterObserver::is_blind_beside(const Member& member) const {
  return std::all_of(members_.begin(), members_.end(),
                     [&](const auto& each) { return each.get() == &member || !each->reason.empty(); });
}

void ClusterObserver::went_blind(Member& member, TrueTime since, const std::string& why) {
  member.blind = true;
  member.blind_since = since;
  member.reason = why;
  if (is_blind_beside(member)) {
    blind_ = true;
    listener_->on_blind(since, member.master ? member.name() + ": " + why : why);
    if (member.master) scout_again();
    return;
  }
  member.observer.hide_all(since);
  listener_->on_part(member.name(), since, why);
  ask_again();
  tell_if_all();
}

void ClusterObserver::sighted(Member& member) {
  member.blind = false;
  const bool was_told = !std::exchange(member.reason, {}).empty() && member.master;
  if (std::exchange(blind_, false)) {
    listener_->on_sighted();
    for (const auto& each : members_)
      if (each->blind && !each->reason.empty()) listener_->on_part(each->name(), each->blind_since, each->reason);
  }
  if (was_told) listener_->on_part(member.name(), loop_->now(), {});
  if (member.master) tell_departed();
}

// What lies on a master that does not answer is not known.
void ClusterObserver::tell_if_all() {
  if (told_all_ || told_ || members_.empty()) return;
  bool all = true;
  for (const auto& each : members_) {
    if (each->all_seen) continue;
    if (each->reason.empty()) return;
    all = false;
  }
  if (all) {
    told_all_ = true;
    tell_departed();
    return listener_->on_all_seen();
  }
  for (const auto& each : members_)
    if (!each->all_seen && !blind_) return listener_->on_rest_refused(each->name() + ": " + each->reason);
}

// ---- as one store

const ClusterObserver::Member* ClusterObserver::keeper_of(std::string_view mutex) const {
  if (members_.size() == 1 && !members_.front()->master) return members_.front().get();  // a server that stands alone
  const std::size_t slot = slot_of(Keys(std::string(mutex)).lease);
  for (const auto& each : members_)
    if (each->master && each->master->kept.test(slot)) return each.get();
  return nullptr;
}

TrueTime ClusterObserver::quiet_until(const std::string& mutex) const {
  const Member* const of = keeper_of(mutex);
  return of == nullptr ? TrueTime::min() : of->observer.quiet_until(mutex);
}

// Whoever answered last answered in that time. Several clocks are one as far as its bounds have room for all of them.
ObserverFigures ClusterObserver::figures() const {
  ObserverFigures out = left_;
  TrueTime last = TrueTime::min();
  Duration lo = Duration::max(), hi = Duration::min(), age{};
  bool clocks = !members_.empty();
  for (const auto& each : members_) {
    const ObserverFigures its = each->observer.figures();
    out.commands += its.commands;
    out.answers += its.answers;
    if (each->observer.last_answer() > last && its.answers > 0) {
      last = each->observer.last_answer();
      out.latency = its.latency;
    }
    clocks = clocks && its.clock.has_value();
    if (!clocks) continue;
    lo = std::min(lo, its.clock->at_zero - its.clock->bound);
    hi = std::max(hi, its.clock->at_zero + its.clock->bound);
    age = std::max(age, its.clock->age);
  }
  if (clocks) out.clock = {lo + (hi - lo) / 2, (hi - lo + Duration(1)) / 2, age};
  return out;
}

std::string ClusterObserver::server() const {
  if (members_.empty()) return {};
  std::string one = members_.front()->observer.server();
  if (one.empty() || !members_.front()->master) return one;
  return fmt::format("{}, a cluster of {} master{}", one, known_.size(), known_.size() == 1 ? "" : "s");
}

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener) {
  return std::make_unique<ClusterObserver>(loop, url, terms, listener);
}

}  // namespace leasescope::redis
