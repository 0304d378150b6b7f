#include "core/check/offence.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <unordered_set>

namespace leasescope::check {
namespace {

using Index = std::uint32_t;
using Indices = std::vector<Index>;  // sorted
using Sets = std::vector<Indices>;

Indices without(const Indices& all, const Indices& less) {
  Indices out;
  std::set_difference(all.begin(), all.end(), less.begin(), less.end(), std::back_inserter(out));
  return out;
}

Indices both(const Indices& a, const Indices& b) {
  Indices out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

bool hit(const Indices& set, const Indices& by) {
  return std::any_of(set.begin(), set.end(), [&](Index op) { return std::binary_search(by.begin(), by.end(), op); });
}

// Fewest members such that every set has one of them, at most `limit`; by branching on the sets not yet hit.
bool hit_all(const Sets& sets, std::size_t limit, Indices& chosen, const OutOfTime& out_of_time) {
  const auto open = std::find_if(sets.begin(), sets.end(), [&](const Indices& set) { return !hit(set, chosen); });
  if (open == sets.end()) return true;
  if (chosen.size() == limit || (out_of_time && out_of_time())) return false;
  const Indices latest_first(open->rbegin(), open->rend());
  for (const Index op : latest_first) {
    Indices more = both(chosen, {op});
    if (!hit_all(sets, limit, more, out_of_time)) continue;
    chosen = std::move(more);
    return true;
  }
  return false;
}

// A set of calls offends when no order is left of them whatever became of all other calls, each of which may have taken
// effect in its own time or not at all. More calls in it leave no more orders. So an offending set has a member in
// common with every set of calls that can be left out to make the rest legal; the smallest that has is looked for, and
// where it turns out not to offend, what an order of it leaves out is one set more to be met.
class Shortest {
 public:
  Shortest(const Model& model, const std::vector<Op>& ops, Index stuck, const OutOfTime& out_of_time)
      : model_(model), ops_(ops), stuck_(stuck), out_of_time_(out_of_time) {
    for (Index i = 0; i < ops.size(); ++i) {
      if (ops[stuck].returned < ops[i].called) continue;
      begun_.push_back(i);
      if (!ops[i].must || ops[stuck].returned < ops[i].returned) continue;
      known_.push_back(i);
      if (ops[i].returned == ops[stuck].returned) last_.push_back(i);
    }
  }

  Offence find();

 private:
  // The order that is left when these are certain and all else may be; none: they offend.
  struct Tried {
    Searched::Found found;
    Indices taken;
  };
  Tried try_these(const Indices& certain) const;
  std::optional<bool> offends(const Indices& certain) const;
  Indices largest_with(Indices taken) const;
  bool legal_alone(const Indices& certain) const;
  void add_all(Indices& taken, const Indices& more, std::size_t from, std::size_t to) const;
  std::optional<Indices> some_offence() const;
  Indices thinned(Indices offending) const;
  Offence told(Indices ops, bool shortest) const;
  bool late() const { return out_of_time_ && out_of_time_(); }
  std::vector<Op> op_list(const Indices& which, const Indices& certain) const;

  const Model model_;
  const std::vector<Op>& ops_;
  const Index stuck_;
  const OutOfTime& out_of_time_;
  Indices begun_;  // by the return of the op that no order allows: what comes later cannot matter
  Indices known_;  // ... and returned by then, having taken effect
  Indices last_;   // ... at that very moment: without them there is an order
};

// What has not returned by then may take effect or not; what is known but not certain may, until it returns.
std::vector<Op> Shortest::op_list(const Indices& which, const Indices& certain) const {
  std::vector<Op> out;
  out.reserve(which.size());
  for (const Index i : which) {
    Op op = ops_[i];
    const bool known = std::binary_search(known_.begin(), known_.end(), i);
    op.must = known && std::binary_search(certain.begin(), certain.end(), i);
    if (!known) op.returned = kNever;
    out.push_back(op);
  }
  return out;
}

// A client of whom nothing is certain helps nobody: without its calls an order stays one. A search that is short asks
// for no time by itself.
Shortest::Tried Shortest::try_these(const Indices& certain) const {
  if (late()) return {Searched::kOutOfTime, {}};
  std::unordered_set<std::uint32_t> clients;
  for (const Index i : certain) clients.insert(ops_[i].call->client.handle);
  const bool all = model_.kind == ModelKind::kMutex;
  Indices which;
  for (const Index i : begun_)
    if (all || clients.count(ops_[i].call->client.handle) > 0) which.push_back(i);
  const Searched searched = search(model_, op_list(which, certain), out_of_time_);
  Tried out{searched.found, {}};
  for (const Index at : searched.order) out.taken.push_back(which[at]);
  std::sort(out.taken.begin(), out.taken.end());
  return out;
}

std::optional<bool> Shortest::offends(const Indices& certain) const {
  const Searched::Found found = try_these(certain).found;
  if (found == Searched::kOutOfTime) return std::nullopt;
  return found == Searched::kIllegal;
}

// Whether these took effect and none of the others whose outcome is known.
bool Shortest::legal_alone(const Indices& certain) const {
  if (late()) return false;
  const Indices unknown = without(begun_, known_);
  return search(model_, op_list(both(certain, unknown), certain), out_of_time_).found == Searched::kLegal;
}

// Adds of `more` what it can, in halves.
void Shortest::add_all(Indices& taken, const Indices& more, std::size_t from, std::size_t to) const {
  if (from == to || late()) return;
  Indices grown = both(
      taken, Indices(more.begin() + static_cast<std::ptrdiff_t>(from), more.begin() + static_cast<std::ptrdiff_t>(to)));
  if (legal_alone(grown)) {
    taken = std::move(grown);
  } else if (to - from > 1) {
    const std::size_t middle = from + (to - from) / 2;
    add_all(taken, more, from, middle);
    add_all(taken, more, middle, to);
  }
}

// As much as there is an order of beside these.
Indices Shortest::largest_with(Indices taken) const {
  Indices known;
  std::set_intersection(taken.begin(), taken.end(), known_.begin(), known_.end(), std::back_inserter(known));
  const Indices more = without(known_, known);
  add_all(known, more, 0, more.size());
  return known;
}

// One that offends, not far from its end if there is one: two calls, or the last few.
std::optional<Indices> Shortest::some_offence() const {
  constexpr std::size_t kNear = 64;
  const Indices last{stuck_};
  Indices near = without(known_, last);
  std::sort(near.begin(), near.end(), [&](Index a, Index b) { return ops_[a].returned > ops_[b].returned; });
  for (std::size_t i = 0; i < std::min(near.size(), kNear); ++i)
    if (offends(both(last, {near[i]})).value_or(false)) return both(last, {near[i]});
  for (std::size_t size = 4;; size *= 2) {
    const std::size_t count = std::min(size, near.size());
    Indices these(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count));
    std::sort(these.begin(), these.end());
    these = both(these, last);
    const auto offending = offends(these);
    if (!offending) return std::nullopt;
    if (*offending) return thinned(std::move(these));
    if (count == near.size()) return std::nullopt;
  }
}

// Without each of those that it can do without; when time is up, without those that were found by then.
Indices Shortest::thinned(Indices offending) const {
  for (std::size_t part = (offending.size() + 1) / 2; part > 0; part = part == 1 ? 0 : (part + 1) / 2) {
    for (std::size_t from = 0; from < offending.size();) {
      const auto begin = offending.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end = offending.begin() + static_cast<std::ptrdiff_t>(std::min(from + part, offending.size()));
      Indices fewer = without(offending, Indices(begin, end));
      const auto still = fewer.empty() ? std::optional(false) : offends(fewer);
      if (!still) return offending;
      if (*still)
        offending = std::move(fewer);
      else
        from += part;
    }
  }
  return offending;
}

Offence Shortest::told(Indices ops, bool shortest) const {
  std::sort(ops.begin(), ops.end(), [&](Index a, Index b) {
    return std::tie(ops_[a].returned, ops_[a].called) < std::tie(ops_[b].returned, ops_[b].called);
  });
  return {std::move(ops), shortest};
}

Offence Shortest::find() {
  const std::optional<Indices> found = offends({stuck_}).value_or(false) ? Indices{stuck_} : some_offence();
  const Indices known = found.value_or(known_);
  Sets to_meet{last_};
  for (;;) {
    Indices fewest;
    std::size_t limit = 1;
    while (limit < known.size() && !hit_all(to_meet, limit, fewest, out_of_time_)) {
      fewest.clear();
      ++limit;
    }
    const bool up = late();
    if (up || limit >= known.size()) return told(known, !up);  // none has fewer
    const Tried tried = try_these(fewest);
    if (tried.found == Searched::kIllegal) return told(fewest, true);
    if (tried.found == Searched::kOutOfTime) return told(known, false);
    if (known.size() == 2 && last_.size() == 1) return told(known, true);  // there is one set of one call to try
    to_meet.push_back(without(known_, largest_with(tried.taken)));
  }
}

}  // namespace

Offence shortest_offence(const Model& model, const std::vector<Op>& ops, std::uint32_t stuck,
                         const OutOfTime& out_of_time) {
  return Shortest(model, ops, stuck, out_of_time).find();
}

}  // namespace leasescope::check
