#include "core/history/term_fold.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

OwnedStretch as_owned(const OwnedStretch& of) { return of; }

OwnedStretch as_owned(const UnobservedStretch& of) {
  OwnedStretch out;
  out.begin_lo = out.begin_hi = of.begin;
  out.end_lo = out.end_hi = of.end;
  return out;
}

}  // namespace

TermFold::Mutex& TermFold::met(const Event& event) {
  const auto found = mutexes_.find(event.mutex.handle);
  if (found != mutexes_.end()) return found->second;
  Mutex& made = mutexes_.emplace(event.mutex.handle, Mutex(event.mutex)).first->second;
  made.of.take_over(of_none_);
  told_.met.push_back(event.mutex);
  told_.met_at.push_back(event.hi);
  return made;
}

void TermFold::append(const Event& event, const NameTable& names) {
  const Change change = standing_.append(event, names);
  if (event.mutex.empty()) {
    const bool told_of_all = event.kind == EventKind::kUnobservedBegan || event.kind == EventKind::kUnobservedEnded;
    if (!told_of_all) return;
    of_none_.append(event, change, standing_);
    for (auto& [handle, each] : mutexes_) {
      each.of.append(event, change, standing_);
      take_changes(Name{handle}, each, event.hi);
    }
    return;
  }
  Mutex& of = met(event);
  of.of.append(event, change, standing_);
  take_changes(event.mutex, of, event.hi);
}

void TermFold::take_changes(Name mutex, Mutex& of, TrueTime told) {
  TermRow blank;
  blank.mutex = mutex;
  blank.told = told;
  note(blank, of.of.owned(), of.owned);
  blank.observed = false;
  note(blank, of.of.unobserved(), of.unobserved);
  of.of.forget_what_is_over();
}

// `now` begins with those that were open before, and goes on with what has begun.
template <class Stretches>
void TermFold::note(const TermRow& blank, const Stretches& now, Kind& of) {
  const std::size_t before = of.open.size();
  for (std::size_t i = 0; i < before; ++i)
    if (!now[i].lasts()) of.over = std::max(of.over, as_owned(now[i]).end_hi);
  for (std::size_t i = before; i < now.size(); ++i) {
    TermRow row = blank;
    row.is = as_owned(now[i]);
    row.number = of.next++;
    const bool some_last = std::any_of(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(i),
                                       [](const auto& each) { return each.lasts(); });
    row.before_until = some_last ? TrueTime::max() : of.over;
    if (row.is.begin_lo < of.least) told_.lower.push_back({row.mutex, row.observed, row.number, row.is.begin_lo});
    of.least = row.is.begin_lo;
    of.open.push_back({row.number, told_.rows.size(), row.told, row.before_until});
    told_.rows.push_back(row);
    if (!now[i].lasts()) of.over = std::max(of.over, row.is.end_hi);
  }
  for (std::size_t i = 0; i < before; ++i) {
    if (now[i].lasts()) continue;
    const Open& open = of.open[i];
    if (open.row != kTaken) {
      told_.rows[open.row].is = as_owned(now[i]);
      continue;
    }
    TermRow row = blank;
    row.is = as_owned(now[i]);
    row.number = open.number;
    row.told_before = true;
    row.told = open.told;
    row.before_until = open.before_until;
    told_.rows.push_back(row);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < now.size(); ++i)
    if (now[i].lasts()) of.open[kept++] = of.open[i];
  of.open.resize(kept);
}

TermFold::Told TermFold::take() {
  for (const TermRow& row : told_.rows) {
    Mutex& of = mutexes_.at(row.mutex.handle);
    for (Open& open : (row.observed ? of.owned : of.unobserved).open) open.row = kTaken;
  }
  standing_.forget_gone();
  return std::exchange(told_, Told{});
}

}  // namespace leasescope
