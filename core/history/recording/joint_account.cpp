#include "core/history/recording/joint_account.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/history/recording/joint_stretch.h"

namespace leasescope {
namespace {

// Of one owner no more than that are gone back through to find the same term: an observer who misses more than that
// between two looks tells of others.
constexpr std::size_t kBack = 16;

using Whose = std::pair<ToldStretch::What, std::uint32_t>;  // by the handle of the name
Whose whose(const ToldStretch& of) { return {of.what, of.begin.node.handle}; }

// An event, and its place among those of one moment: a mutex is seen before anything is told of it, and is no more
// after.
struct Placed {
  Event event;
  int place = 0;
};

void put_blind(const BlindStretch& each, const ToldMutex& of, const std::pair<EventKind, EventKind>& kinds,
               std::vector<Placed>& into) {
  Event event;
  event.node = of.store;
  event.mutex = of.mutex;
  event.kind = kinds.first;
  event.lo = event.hi = std::max(each.begin, TrueTime{});
  into.push_back({event, 1});
  if (each.end_hi == TrueTime::max()) return;
  event.kind = kinds.second;
  event.lo = std::max(event.hi, each.end_lo);
  event.hi = each.end_hi;
  into.push_back({event, -1});
}

// By when one who does not tell of it has looked, from that moment on and when it had surely begun: when he saw again
// after he was blind; where it has no end also, as he may have missed that between two looks, when he looked last
// before he was blind. None: he did not look any more.
std::optional<TrueTime> not_found_by(const ToldMutex& by, const ToldStretch& told, TrueTime from) {
  const TrueTime begun = told.begin.hi;
  auto next = std::partition_point(by.blind.begin(), by.blind.end(),
                                   [&](const BlindStretch& each) { return each.end_hi < from; });
  for (; next != by.blind.end(); ++next) {
    if (!told.end && next->begin > from && next->begin >= begun) return next->begin;
    if (next->end_hi != TrueTime::max() && next->end_lo >= begun) return next->end_hi;
  }
  return {};
}

// One mutex by all who tell of it.
class JointMutex {
 public:
  void add(const ToldMutex& of) { told_.push_back(&of); }
  void put(std::vector<Placed>& into);

 private:
  void join();
  void end_those_who_are_gone();
  void order();
  void bound_by_the_next();
  void bound_by_the_last();
  TrueTime last_known(const JointStretch& of) const;
  std::optional<TrueTime> gone_by(const JointStretch& of, TrueTime since) const;

  std::vector<const ToldMutex*> told_;
  std::vector<JointStretch> joint_;
};

void JointMutex::join() {
  std::vector<std::pair<const ToldStretch*, std::size_t>> all;
  for (std::size_t who = 0; who < told_.size(); ++who)
    for (const ToldStretch& each : told_[who]->stretches) all.emplace_back(&each, who);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first->begin.hi < b.first->begin.hi; });
  std::map<Whose, std::vector<std::size_t>> places;
  for (const auto& [stretch, who] : all) {
    std::vector<std::size_t>& theirs = places[whose(*stretch)];
    bool taken = false;
    for (std::size_t i = 0; i < std::min(theirs.size(), kBack) && !taken; ++i)
      taken = joint_[theirs[theirs.size() - 1 - i]].take(*stretch, who);
    if (taken) continue;
    theirs.push_back(joint_.size());
    joint_.emplace_back(*stretch, who);
  }
}

// Until when one that has no end was seen to last.
TrueTime JointMutex::last_known(const JointStretch& of) const {
  TrueTime out = of.told.begin.lo;
  for (std::size_t who = 0; who < told_.size(); ++who)
    if (of.is_by(who)) out = std::max(out, told_[who]->blind.back().begin);
  return out;
}

// By when it was over, as somebody does not tell of it who looked from `since` on.
std::optional<TrueTime> JointMutex::gone_by(const JointStretch& of, TrueTime since) const {
  std::optional<TrueTime> out;
  for (std::size_t who = 0; who < told_.size(); ++who) {
    if (of.is_by(who)) continue;
    const std::optional<TrueTime> looked = not_found_by(*told_[who], of.told, std::max(since, told_[who]->told_from));
    if (looked && (!out || *looked < *out)) out = looked;
  }
  return out;
}

void JointMutex::end_those_who_are_gone() {
  for (JointStretch& each : joint_) {
    if (each.told.end && !each.told.is_exclusive()) continue;
    const TrueTime since = each.told.end ? each.told.end->lo : last_known(each);
    const std::optional<TrueTime> by = gone_by(each, since);
    if (!by) continue;
    if (each.told.end) {
      each.is_over_by(std::max(*by, each.told.end->lo));
    } else {
      each.end_between(since, *by);
    }
  }
}

// By their begins; where the bounds of these leave it open, by their tokens, which rise.
void JointMutex::order() {
  std::stable_sort(joint_.begin(), joint_.end(),
                   [](const JointStretch& a, const JointStretch& b) { return a.told.begin.hi < b.told.begin.hi; });
  const auto is_wrong = [](const ToldStretch& a, const ToldStretch& b) {
    const bool tokens = a.begin.token != kNoToken && b.begin.token != kNoToken;
    return tokens && a.begin.token > b.begin.token && b.begin.lo <= a.begin.hi;
  };
  std::vector<std::size_t> alone;  // places of those who hold alone
  for (std::size_t i = 0; i < joint_.size(); ++i)
    if (joint_[i].told.is_exclusive()) alone.push_back(i);
  for (std::size_t i = 1; i < alone.size(); ++i)
    for (std::size_t j = i; j > 0 && is_wrong(joint_[alone[j - 1]].told, joint_[alone[j]].told); --j)
      std::swap(joint_[alone[j - 1]], joint_[alone[j]]);
}

// Who is in the way of another has ended when that begins: from the last to the first.
void JointMutex::bound_by_the_next() {
  TrueTime hold = TrueTime::max(), alone = TrueTime::max();
  std::map<Whose, TrueTime> own;
  for (auto each = joint_.rbegin(); each != joint_.rend(); ++each) {
    TrueTime& next_own = own.try_emplace(whose(each->told), TrueTime::max()).first->second;
    TrueTime limit = next_own;
    if (each->told.what == ToldStretch::What::kHold) limit = std::min(limit, each->told.is_exclusive() ? hold : alone);
    if (limit < TrueTime::max() && !each->told.end) each->end_between(last_known(*each), limit);
    each->is_over_by(limit);
    const TrueTime begin = next_own = each->told.begin.hi;
    if (each->told.what != ToldStretch::What::kHold) continue;
    hold = std::min(hold, begin);
    if (each->told.is_exclusive()) alone = std::min(alone, begin);
  }
}

void JointMutex::bound_by_the_last() {
  TrueTime hold = TrueTime::min(), alone = TrueTime::min();
  std::map<Whose, TrueTime> own;
  for (JointStretch& each : joint_) {
    TrueTime& last_own = own.try_emplace(whose(each.told), TrueTime::min()).first->second;
    TrueTime limit = last_own;
    if (each.told.what == ToldStretch::What::kHold) limit = std::max(limit, each.told.is_exclusive() ? hold : alone);
    each.begins_after(limit);
    if (!each.told.end) continue;
    last_own = each.told.end->lo;
    if (each.told.what != ToldStretch::What::kHold) continue;
    hold = std::max(hold, last_own);
    if (each.told.is_exclusive()) alone = std::max(alone, last_own);
  }
}

void JointMutex::put(std::vector<Placed>& into) {
  join();
  end_those_who_are_gone();
  order();
  bound_by_the_next();
  bound_by_the_last();
  std::vector<std::vector<BlindStretch>> blind;
  ToldMutex of;
  of.mutex = told_.front()->mutex;
  for (const ToldMutex* const each : told_) {
    blind.push_back(each->blind);
    if (of.store.empty()) of.store = each->store;
  }
  for (const BlindStretch& each : blind_of_all(blind))
    if (each.end_hi > TrueTime{}) put_blind(each, of, {EventKind::kUnobservedBegan, EventKind::kUnobservedEnded}, into);
  for (const JointStretch& each : joint_)
    for (const Event& event : each.events()) into.push_back({event, 0});
}

// A store is away where it is for all who watch it and have begun, and not ended.
void put_store(Name store, const std::vector<JointPart>& parts, std::vector<Placed>& into) {
  std::vector<std::vector<BlindStretch>> blind;
  TrueTime begun = TrueTime::min(), ended = TrueTime::min();
  for (const JointPart& part : parts) {
    const auto& away = part.account->stores();
    const auto told =
        std::find_if(away.begin(), away.end(), [&](const ToldMutex& each) { return each.store == store; });
    const bool watches = std::find(part.stores.begin(), part.stores.end(), store) != part.stores.end();
    if (told == away.end() && !watches) continue;
    const TrueTime from = part.account->begin(), to = part.account->now();
    blind.push_back(told != away.end() ? told->blind : std::vector<BlindStretch>{{TrueTime::min(), from, from}, {to}});
    begun = std::max(begun, from);
    ended = std::max(ended, to);
  }
  ToldMutex of;
  of.store = store;
  for (const BlindStretch& each : blind_of_all(blind))
    if (each.end_hi > begun && each.begin < ended)
      put_blind(each, of, {EventKind::kDisconnected, EventKind::kConnected}, into);
}

}  // namespace

std::vector<BlindStretch> blind_of_all(const std::vector<std::vector<BlindStretch>>& all) {
  std::vector<BlindStretch> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0) {
      out = all[i];
      continue;
    }
    std::vector<BlindStretch> both;
    auto a = out.cbegin();
    auto b = all[i].cbegin();
    while (a != out.cend() && b != all[i].cend()) {
      const bool a_first = a->end_hi <= b->end_hi;
      const BlindStretch& first = a_first ? *a : *b;
      const TrueTime begin = std::max(a->begin, b->begin);
      if (begin < first.end_hi) both.push_back({begin, std::max(begin, first.end_lo), first.end_hi});
      if (a_first) {
        ++a;
      } else {
        ++b;
      }
    }
    out = std::move(both);
  }
  return out;
}

std::vector<Event> joint_events(const std::vector<JointPart>& parts) {
  std::vector<JointMutex> mutexes;
  std::map<std::uint32_t, std::size_t> places;  // by the mutex's handle
  std::vector<Name> stores;
  for (const JointPart& part : parts) {
    for (const ToldMutex& each : part.account->mutexes()) {
      const auto [found, is_new] = places.try_emplace(each.mutex.handle, mutexes.size());
      if (is_new) mutexes.emplace_back();
      mutexes[found->second].add(each);
    }
    for (const ToldMutex& each : part.account->stores())
      if (std::find(stores.begin(), stores.end(), each.store) == stores.end()) stores.push_back(each.store);
  }
  std::vector<Placed> placed;
  for (JointMutex& each : mutexes) each.put(placed);
  for (const Name each : stores) put_store(each, parts, placed);
  std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return a.event.hi != b.event.hi ? a.event.hi < b.event.hi : a.place < b.place;
  });
  std::vector<Event> out;
  out.reserve(placed.size());
  for (const Placed& each : placed) {
    out.push_back(each.event);
    out.back().cause = 0;
  }
  return out;
}

}  // namespace leasescope
