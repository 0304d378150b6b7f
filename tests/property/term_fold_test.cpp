// The rows in which terms are kept are the stretches that a pass over the history tells of, and by the order in which
// they are looked up all are found that can have been at a moment.
#include <algorithm>
#include <map>
#include <tuple>

#include "core/history/ownership.h"
#include "core/history/term_fold.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// Three owners, three mutexes and a store that is blind now and then; bounds overlap, as those of looks do.
struct AnyHistory {
  NameTable names;
  std::vector<Event> events;

  AnyHistory() {
    std::vector<Name> who, what{Name{}};
    for (const char* const name : {"a", "b", "c"}) who.push_back(names.intern(name));
    for (const char* const name : {"orders", "bills", "mail"}) what.push_back(names.intern(name));
    const Name store = names.intern("the store");
    std::int64_t now = 0;
    for (int i = *rc::gen::inRange(0, 80); i > 0; --i) {
      Event event;
      event.kind =
          *rc::gen::element(EventKind::kGranted, EventKind::kGranted, EventKind::kRenewed, EventKind::kReleased,
                            EventKind::kExpired, EventKind::kUnobservedBegan, EventKind::kUnobservedEnded);
      const bool of_store = event.kind == EventKind::kUnobservedBegan || event.kind == EventKind::kUnobservedEnded;
      event.node = of_store ? store : who[*rc::gen::inRange<std::size_t>(0, who.size())];
      event.mutex = what[*rc::gen::inRange<std::size_t>(of_store ? 0 : 1, what.size())];
      event.token = *rc::gen::inRange<std::uint64_t>(0, 4);
      event.a = 5;
      now += *rc::gen::inRange(0, 3);
      event.hi = TrueTime(Duration(now));
      event.lo = event.hi - Duration(std::min(now, *rc::gen::inRange<std::int64_t>(0, 9)));
      events.push_back(event);
    }
  }
};

using Key = std::tuple<std::uint32_t, bool, std::uint32_t>;  // mutex, observed, number

struct Kept {
  TermRow row;
  TrueTime least{};
};

// As a table keeps them, in batches of any size.
std::map<Key, Kept> kept_of(const AnyHistory& history) {
  std::map<Key, Kept> rows;
  TermFold fold;
  const auto store = [&] {
    const TermFold::Told told = fold.take();
    for (const TermRow& row : told.rows) {
      const Key key(row.mutex.handle, row.observed, row.number);
      RC_ASSERT(row.told_before == (rows.count(key) > 0));
      const TrueTime least = row.told_before ? rows[key].least : row.is.begin_lo;
      rows[key] = {row, least};
    }
    for (const LowerLeast& lower : told.lower)
      for (auto& [key, kept] : rows)
        if (std::get<0>(key) == lower.mutex.handle && std::get<1>(key) == lower.observed &&
            std::get<2>(key) < lower.before)
          kept.least = std::min(kept.least, lower.to);
  };
  for (const Event& event : history.events) {
    fold.append(event, history.names);
    if (*rc::gen::inRange(0, 3) == 0) store();
  }
  store();
  return rows;
}

// As core/history/team asks for them.
std::vector<const Kept*> found(const std::map<Key, Kept>& rows, Name mutex, bool observed, TrueTime at) {
  std::vector<const Kept*> all, out;
  for (const auto& [key, kept] : rows)
    if (std::get<0>(key) == mutex.handle && std::get<1>(key) == observed) all.push_back(&kept);
  for (std::size_t i = 1; i < all.size(); ++i) RC_ASSERT(all[i - 1]->least <= all[i]->least);
  for (auto next = all.rbegin(); next != all.rend(); ++next) {
    if ((*next)->least > at) continue;
    if ((*next)->row.is.begin_lo <= at && (*next)->row.is.end_hi > at) out.push_back(*next);
    if ((*next)->row.before_until <= at) break;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

bool same(const OwnedStretch& a, const OwnedStretch& b) {
  return a.owner == b.owner && a.token == b.token && a.begin_lo == b.begin_lo && a.begin_hi == b.begin_hi &&
         a.end_lo == b.end_lo && a.end_hi == b.end_hi && a.end == b.end;
}

}  // namespace

class TermFoldProperties : public QObject {
  Q_OBJECT
 private slots:
  void theRowsAreTheStretchesOfTheHistory() {
    QVERIFY(rc::check("rows", [] {
      const AnyHistory history;
      const auto rows = kept_of(history);
      std::map<std::uint32_t, TrueTime> met;
      for (const Event& event : history.events)
        if (!event.mutex.empty()) met.emplace(event.mutex.handle, event.hi);
      std::size_t told = 0;
      for (const auto& [handle, at] : met) {
        Ownership of({}, Name{handle});
        for (const Event& event : history.events) of.append(event, history.names);
        for (std::uint32_t i = 0; i < of.owned().size(); ++i, ++told)
          RC_ASSERT(same(rows.at({handle, true, i}).row.is, of.owned()[i]));
        for (std::uint32_t i = 0; i < of.unobserved().size(); ++i, ++told) {
          const OwnedStretch& row = rows.at({handle, false, i}).row.is;
          RC_ASSERT(row.begin_hi == of.unobserved()[i].begin && row.end_hi == of.unobserved()[i].end);
        }
      }
      RC_ASSERT(told == rows.size());
    }));
  }
  void whoeverIsLookedUpIsWhoeverAPassFinds() {
    QVERIFY(rc::check("moments", [] {
      const AnyHistory history;
      const auto rows = kept_of(history);
      for (const char* const name : {"orders", "bills", "mail"}) {
        const auto find = [&] {
          for (std::uint32_t i = 0; i < history.names.size(); ++i)
            if (history.names.text({i}) == name) return Name{i};
          return Name{};
        };
        const Name mutex = find();
        Ownership of({}, mutex);
        bool met = false;
        for (const Event& event : history.events) {
          of.append(event, history.names);
          met = met || event.mutex == mutex;
        }
        if (!met) continue;
        for (std::int64_t at = -1; at < 260; ++at) {
          const Ownership::Moment then = of.at(TrueTime(Duration(at)));
          const auto owned = found(rows, mutex, true, TrueTime(Duration(at)));
          RC_ASSERT(owned.size() == then.surely.size() + then.perhaps.size());
          for (const auto* const list : {&then.surely, &then.perhaps})
            for (const OwnedStretch* const each : *list)
              RC_ASSERT(std::any_of(owned.begin(), owned.end(), [&](const Kept* k) { return same(k->row.is, *each); }));
          RC_ASSERT(found(rows, mutex, false, TrueTime(Duration(at))).empty() == (then.unobserved == nullptr));
        }
      }
    }));
  }
};

LEASESCOPE_SUITE(TermFoldProperties)
#include "term_fold_test.moc"
