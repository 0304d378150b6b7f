// The long columns of the chart answer what a walk over everything would.
#include <algorithm>
#include <optional>
#include <random>

#include <rapidcheck.h>

#include "tests/support/suite.h"
#include "ui/timeline/tracks/interval_track.h"
#include "ui/timeline/tracks/mark_track.h"
#include "ui/timeline/tracks/packed_rows.h"
#include "ui/timeline/tracks/peaks.h"
#include "ui/timeline/tracks/span_track.h"

using namespace leasescope;

namespace {

TrueTime at(std::int64_t ns) { return TrueTime(Duration(ns)); }
std::int64_t up_to(std::int64_t most) { return *rc::gen::inRange<std::int64_t>(0, most + 1); }
bool yes(int of) { return *rc::gen::inRange(0, of) == 0; }

bool same(const LeaseSpan& a, const LeaseSpan& b) {
  return a.start == b.start && a.end == b.end && a.ttl_end == b.ttl_end && a.lease_end == b.lease_end &&
         a.token == b.token && a.contender == b.contender && a.mutex == b.mutex && a.ending == b.ending &&
         a.renewal == b.renewal && a.shared == b.shared && a.slot == b.slot;
}

// Leases one after the other, some beside gaps, some within bounds, the last perhaps without an end.
struct Leases {
  std::vector<LeaseSpan> list;
  SpanTrack track;
  std::int64_t now = 0;

  void grow(int count) {
    for (int i = 0; i < count; ++i) {
      LeaseSpan span;
      if (!list.empty()) span = list.back();
      span.renewal = !list.empty() && !yes(4);
      if (!span.renewal || yes(9)) {
        span.contender = static_cast<int>(up_to(3));
        span.token = static_cast<Token>(up_to(50));
        span.shared = yes(3);
        span.slot = static_cast<std::uint16_t>(up_to(2));
      }
      now += yes(3) ? up_to(40) : 0;
      span.start = {at(now), at(now + (yes(5) ? up_to(3) : 0))};
      span.end = {kOpenEnd, kOpenEnd};
      span.ending = SpanEnd::kOpen;
      span.lease_end = yes(6) ? kOpenEnd : span.start.hi + Duration(30);
      span.ttl_end = span.lease_end == kOpenEnd ? kOpenEnd : span.lease_end - Duration(up_to(12));
      list.push_back(span);
      track.push_back(span);
      now = span.start.hi.time_since_epoch().count() + up_to(yes(5) ? 100 : 6);
      if (i + 1 < count || !yes(3)) end_last();
    }
  }
  void end_last() {
    const Moment end{at(now), at(now + (yes(5) ? up_to(2) : 0))};
    now = end.hi.time_since_epoch().count();
    const auto change = [&](LeaseSpan& span) {
      span.end = end;
      span.ending = SpanEnd::kReleased;
      if (span.lease_end != kOpenEnd) span.ttl_end = span.lease_end;
    };
    change(list.back());
    track.amend(list.size() - 1, change);
  }
  std::int64_t apart(std::size_t i) const {
    const LeaseSpan& span = list[i];
    if (span.open()) return INT64_MAX;
    const std::int64_t gap = i == 0 || list[i - 1].open() ? 0 : (span.start.lo - list[i - 1].end.hi).count();
    return std::max((span.end.hi - span.start.lo).count(), gap);
  }
};

// Of all sizes, from none to 64 bits, and signs: what is kept in few bytes has to come back from many.
class AnyNumbers {
 public:
  explicit AnyNumbers(std::uint64_t seed) : draws_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return draws_() % bound; }
  bool yes(std::uint64_t of) { return below(of) == 0; }
  std::uint64_t bits(int most) { return yes(4) ? 0 : draws_() >> (64 - 1 - below(static_cast<std::uint64_t>(most))); }
  std::int64_t number() {
    const auto size = static_cast<std::int64_t>(bits(64));
    return yes(3) ? ~size : size;
  }

 private:
  std::mt19937_64 draws_;
};

constexpr int kBitsOfTime = 45;  // some ten hours

// One after the other, with numbers of all sizes: some alike for long, some each another.
LeaseSpan next_of(AnyNumbers& any, const std::vector<LeaseSpan>& list) {
  LeaseSpan span;
  if (!list.empty() && !any.yes(3)) span = list.back();
  span.renewal = any.yes(2);
  if (any.yes(3)) span.token = static_cast<Token>(any.number());
  if (any.yes(3)) span.contender = static_cast<int>(any.number());
  if (any.yes(5)) span.mutex = static_cast<int>(any.number());
  if (any.yes(5)) span.slot = static_cast<std::uint16_t>(any.bits(16));
  if (any.yes(5)) span.shared = !span.shared;
  const TrueTime hi = (list.empty() ? at(0) : list.back().start.hi) + Duration(any.bits(kBitsOfTime));
  span.start = {any.yes(2) ? hi : hi - Duration(any.bits(kBitsOfTime)), hi};
  span.end = {kOpenEnd, kOpenEnd};
  span.ending = SpanEnd::kOpen;
  span.lease_end = any.yes(5) ? kOpenEnd : hi + Duration(any.bits(kBitsOfTime));
  span.ttl_end = any.yes(2) ? span.lease_end : span.lease_end - Duration(any.bits(kBitsOfTime));
  return span;
}

// Any end, and another promise, as a renewal of what it hangs on brings it.
void change_end(AnyNumbers& any, LeaseSpan& span) {
  const TrueTime hi = span.start.hi + Duration(any.bits(kBitsOfTime));
  span.end = {any.yes(2) ? hi : hi - Duration(any.bits(kBitsOfTime)), hi};
  span.ending = static_cast<SpanEnd>(any.below(static_cast<std::uint64_t>(SpanEnd::kUnseen) + 1));
  if (any.yes(6)) span.end = {kOpenEnd, kOpenEnd};
  if (!any.yes(4)) return;
  span.lease_end = span.start.hi + Duration(any.bits(kBitsOfTime));
  span.ttl_end = span.lease_end - Duration(any.bits(kBitsOfTime));
}

// What leases are like, each begun where the one before it ended and put without an end, which comes later: so they
// are folded.
struct Kind {
  int renewals = 0;
  bool live = false;     // of a live store: a begin and an end lie within 3 ms
  bool tokens = false;   // any 64 bits; else one more each time
  bool lengthy = false;  // hours, of a store that takes up to a second; else 100 ms
  bool own = false;      // each of another contender, of another mutex, with another transition
};

SpanTrack leases_of(const Kind& kind, std::size_t count) {
  AnyNumbers any(1);
  const std::int64_t length = kind.lengthy ? 3'600'000'000'000 : 100'000'000;
  const std::uint64_t bound = kind.lengthy ? 1'000'000'000 : 3'000'000;
  const auto known = [&](std::int64_t ns) {
    return Moment{kind.live ? at(ns) - Duration(static_cast<std::int64_t>(any.below(bound))) : at(ns), at(ns)};
  };
  SpanTrack track;
  LeaseSpan span;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * length, end = begin + length;
    span.renewal = i % static_cast<std::size_t>(kind.renewals + 1) != 0;
    span.start = known(begin);
    if (!span.renewal) {
      span.token = kind.tokens ? static_cast<Token>(any.below(UINT64_MAX)) : span.token + 1;
      span.contender = static_cast<int>(kind.own ? any.below(1'000'000) : i / (kind.renewals + 1U) % 5);
      span.mutex = static_cast<int>(kind.own ? any.below(1'000'000) : 0);
    }
    span.lease_end = at(end + 200);
    span.ttl_end = at(end) - Duration(static_cast<std::int64_t>(kind.own ? any.below(10'000'000'000) : 0));
    track.push_back(span);
    track.amend(i, [&](LeaseSpan& last) { last.end = known(end); });
  }
  return track;
}

double beside(const SpanTrack& track) {
  return static_cast<double>(track.bytes_beside()) / static_cast<double>(track.size());
}

struct Interval {
  std::int64_t begin = 0, end = 0;
  bool meets(std::int64_t from, std::int64_t to) const { return begin <= to && end >= from; }
};

}  // namespace
Q_DECLARE_METATYPE(Kind)

class TracksTest : public QObject {
  Q_OBJECT
 private slots:
  void leasesComeBackAsTheyWerePut() {
    const bool held = rc::check("leases in columns", [] {
      Leases leases;
      leases.grow(*rc::gen::inRange(1, 90));
      RC_ASSERT(leases.track.size() == leases.list.size());
      RC_ASSERT(leases.track.has_shared() ==
                std::any_of(leases.list.begin(), leases.list.end(), [](const LeaseSpan& span) { return span.shared; }));
      for (std::size_t i = 0; i < leases.list.size(); ++i) RC_ASSERT(same(leases.track[i], leases.list[i]));
    });
    QVERIFY(held);
  }

  void whatIsLookedForAmongLeasesIsWhatAWalkFinds() {
    const bool held = rc::check("search among leases", [] {
      Leases leases;
      leases.grow(yes(10) ? *rc::gen::inRange(1'000, 2'500) : *rc::gen::inRange(1, 400));  // of one chunk, and of more
      const std::vector<LeaseSpan>& list = leases.list;
      const auto first = [&](auto is) {
        return static_cast<std::size_t>(std::find_if(list.begin(), list.end(), is) - list.begin());
      };
      SpanTrack::Cursor cursor(leases.track);
      for (int k = 0; k < 20; ++k) {
        const TrueTime t = at(up_to(leases.now + 10));
        RC_ASSERT(leases.track.first_ending_after(t) == first([&](const LeaseSpan& span) { return span.end.hi > t; }));
        RC_ASSERT(leases.track.first_starting_at(t) ==
                  first([&](const LeaseSpan& span) { return span.start.hi >= t; }));
        const auto from = static_cast<std::size_t>(up_to(static_cast<std::int64_t>(list.size())));
        const std::int64_t least = up_to(80);
        std::size_t next = from;
        while (next < list.size() && leases.apart(next) <= least) ++next;
        RC_ASSERT(leases.track.next_apart(from, Duration(least)) == next);
        const bool longer = std::any_of(list.begin(), list.end(), [&](const LeaseSpan& span) {
          return span.open() || (span.end.hi - span.start.lo).count() > least;
        });
        RC_ASSERT(leases.track.lasts_longer(Duration(least)) == longer);
        if (from == list.size()) continue;
        std::size_t begin = from, end = from + 1;
        while (begin > 0 && list[begin].renewal) --begin;
        while (end < list.size() && list[end].renewal) ++end;
        RC_ASSERT(leases.track.holding_first(from) == begin);
        RC_ASSERT(leases.track.holding_end(from) == end);
        const std::size_t last = from + 1 + static_cast<std::size_t>(up_to(5));
        if (last > list.size()) continue;
        bool mixed = false;
        for (std::size_t i = from; i < last; ++i) mixed = mixed || list[i].contender != list[from].contender;
        if (!mixed || list[from].contender != list[last - 1].contender) RC_ASSERT(cursor.mixed(from, last) == mixed);
        if (mixed) RC_ASSERT(cursor.mixed(from, last));
        RC_ASSERT(same(cursor[from], list[from]));
        RC_ASSERT(cursor.contender(last - 1) == list[last - 1].contender);
      }
    });
    QVERIFY(held);
  }

  void leasesOfAnyNumbersComeBackAsTheyWerePut() {
    const bool held = rc::check("leases of any numbers", [](std::uint64_t seed) {
      AnyNumbers any(seed);
      std::vector<LeaseSpan> list;
      SpanTrack track;
      const std::size_t count = 1 + any.below(3'000);
      while (list.size() < count) {
        list.push_back(next_of(any, list));
        track.push_back(list.back());
        if (any.yes(9)) continue;  // it stays open
        const std::size_t changed = any.yes(4) ? any.below(list.size()) : list.size() - 1;
        change_end(any, list[changed]);
        track.amend(changed, [&](LeaseSpan& span) {
          const LeaseSpan& now = list[changed];
          span.end = now.end, span.ending = now.ending, span.lease_end = now.lease_end, span.ttl_end = now.ttl_end;
        });
      }
      const SpanTrack copy = track;
      SpanTrack::Cursor forwards(copy), anywhere(track);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t other = any.below(count);
        RC_ASSERT(same(track[i], list[i]));
        RC_ASSERT(same(forwards[i], list[i]));
        RC_ASSERT(same(anywhere[other], list[other]));
        RC_ASSERT(track.start_of(i) == list[i].start);
        RC_ASSERT(track.end_of(i) == list[i].end.hi);
        RC_ASSERT(!track.exact(i) || (list[i].start.exact() && list[i].end.exact()));
      }
    });
    QVERIFY(held);
  }

  void numbersInRowsComeBackAsTheyWerePut() {
    const bool held = rc::check("packed rows", [](std::uint64_t seed) {
      AnyNumbers any(seed);
      PackedRows<3> rows;
      std::vector<PackedRows<3>::Row> list;
      const std::size_t count = 1 + any.below(2'500);
      // Alike, in order, and of all sizes; now and then there is one far from all others.
      const auto row_at = [&](std::size_t i) {
        const auto far = any.yes(500) ? any.number() : std::int64_t{7};
        return PackedRows<3>::Row{far, static_cast<std::int64_t>(i) - 1'000, any.number()};
      };
      for (std::size_t i = 0; i < count; ++i) {
        list.push_back(row_at(i));
        rows.push_back(list.back());
        const std::size_t changed = any.below(list.size());
        if (any.yes(3)) rows.set(changed, list[changed] = row_at(changed));
      }
      rows.push_back(list.emplace_back(PackedRows<3>::Row{INT64_MIN, INT64_MAX, -1}));
      RC_ASSERT(rows.size() == list.size());
      for (std::size_t i = 0; i < list.size(); ++i) RC_ASSERT(rows[i] == list[i]);
    });
    QVERIFY(held);
  }

  // As ui/timeline/tracks/README.md has it: 28 in columns, and beside them never more than 30.
  void aLeaseTakesNoMoreThanTheReadmeSays_data() {
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<double>("most");
    const auto row = [](const char* name, Kind kind, double most) { QTest::newRow(name) << kind << most; };
    row("renewed, known exactly", {63, false, false, false, false}, 1);
    row("never renewed, known exactly", {0, false, false, false, false}, 4);
    row("renewed, of a live store", {63, true, false, false, false}, 7);
    row("never renewed, of a live store", {0, true, false, false, false}, 10);
    row("renewed, known exactly, any tokens", {63, false, true, false, false}, 1);
    row("never renewed, known exactly, any tokens", {0, false, true, false, false}, 10);
    row("never renewed, of a live store, any tokens", {0, true, true, false, false}, 16);
    row("never renewed, known exactly, for hours", {0, false, false, true, false}, 4);
    row("renewed, of a slow live store, for hours, any tokens", {63, true, true, true, false}, 10);
    row("never renewed, of a slow live store, for hours, any tokens", {0, true, true, true, false}, 18);
    row("the same, each of its own contender, mutex and transition", {0, true, true, true, true}, 29);
  }
  void aLeaseTakesNoMoreThanTheReadmeSays() {
    QFETCH(Kind, kind);
    QFETCH(double, most);
    constexpr std::size_t kCount = 65'536;
    const SpanTrack track = leases_of(kind, kCount);
    QCOMPARE(track.column_bytes(), 28 * kCount);
    QVERIFY2(beside(track) <= most && beside(track) > most - 2, qPrintable(QString::number(beside(track))));
  }

  // With what stands ready for more of them.
  void norDoesItInALaneOfFew() {
    for (const std::size_t count : {300, 1'025, 3'000, 10'241})
      for (const bool lengthy : {false, true}) {
        const SpanTrack track = leases_of({0, true, true, lengthy, false}, count);
        QVERIFY2(beside(track) <= 30, qPrintable(QString::number(beside(track))));
      }
  }

  // While values are appended and old ones rise and fall, of less than one node up to four levels.
  void theNextHighValueIsTheOneAWalkFinds() {
    const bool held = rc::check("peaks", [](std::uint64_t seed) {
      AnyNumbers any(seed);
      std::vector<std::int64_t> list;
      Peaks<std::int64_t> peaks;
      const auto value = [&](std::size_t i) { return list[i]; };
      const std::size_t count = any.yes(8) ? 4'096 + any.below(1'000) : any.below(300);
      const std::size_t spread = any.yes(2) ? 5 : 1'000;
      const auto draw = [&] { return static_cast<std::int64_t>(any.below(spread)) - 2; };
      while (list.size() < count) {
        list.push_back(draw());
        peaks.update(list.size() - 1, value);
        if (!any.yes(3)) continue;
        const std::size_t changed = any.yes(2) ? list.size() - 1 : any.below(list.size());
        list[changed] = draw();
        peaks.update(changed, value);
      }
      RC_ASSERT(peaks.size() == list.size());
      for (int k = 0; k < 50; ++k) {
        const std::size_t from = any.below(list.size() + 1);
        const std::int64_t bound = draw();
        const auto found = std::find_if(list.begin() + static_cast<std::ptrdiff_t>(from), list.end(),
                                        [bound](std::int64_t each) { return each > bound; });
        RC_ASSERT(peaks.first_above(from, bound, value) == static_cast<std::size_t>(found - list.begin()));
      }
    });
    QVERIFY(held);
  }

  // Also when their ends move, and when they come out of order.
  void everyStretchThatIsMetIsCalledOrToldOfByAnother() {
    const bool held = rc::check("intervals", [] {
      IntervalTrack track;
      std::vector<Interval> list;
      const int count = *rc::gen::inRange(0, 120);
      for (int i = 0; i < count; ++i) {
        const std::int64_t begin = up_to(10) * 100 + i * 7 + up_to(20);
        list.push_back({begin, yes(5) ? INT64_MAX : begin + up_to(yes(4) ? 500 : 10)});
        track.put(static_cast<std::uint32_t>(i), at(list.back().begin), at(list.back().end));
        const auto moved = static_cast<std::size_t>(up_to(i));
        if (!yes(3)) continue;
        list[moved].end = list[moved].begin + up_to(60);
        track.put(static_cast<std::uint32_t>(moved), at(list[moved].begin), at(list[moved].end));
      }
      RC_ASSERT(track.size() == list.size());
      for (const std::int64_t grain : {0, 1, 25}) {
        const std::int64_t from = up_to(1'800), to = from + up_to(900);
        std::vector<bool> told(list.size());
        std::int64_t before = INT64_MIN;
        track.each(at(from), at(to), [&](std::uint32_t i) {
          const Interval& found = list[i];
          if (!found.meets(from, to) || told[i] || found.begin < before) RC_FAIL("called out of order or for nothing");
          before = found.begin;
          told[i] = true;
          for (std::size_t k = 0; k < list.size(); ++k)
            if (list[k].begin >= found.begin && list[k].end < found.begin + grain) told[k] = true;
          return at(found.begin + grain - 1);
        });
        for (std::size_t i = 0; i < list.size(); ++i) RC_ASSERT(told[i] || !list[i].meets(from, to));
      }
    });
    QVERIFY(held);
  }

  void aRunHoldsThoseThatFollowEachOtherCloselyAndNoneIsPassedOver() {
    const bool held = rc::check("runs", [] {
      IntervalTrack track;
      std::int64_t begin = 0;
      const int count = *rc::gen::inRange(0, 200);
      for (int i = 0; i < count; ++i) {
        begin += up_to(yes(4) ? 60 : 6);
        track.put(static_cast<std::uint32_t>(i), at(begin), yes(9) ? kOpenEnd : at(begin + up_to(yes(5) ? 90 : 5)));
        if (!yes(4)) continue;
        const auto moved = static_cast<std::uint32_t>(up_to(i));
        for (std::size_t k = 0; k < track.size(); ++k)
          if (track.of(k) == moved) {
            track.put(moved, track.begin(k), track.begin(k) + Duration(up_to(30)));
            break;
          }
      }
      const std::int64_t least = up_to(12), from = up_to(begin + 1), to = from + up_to(400);
      const auto length = [&](std::size_t i) { return (track.end(i) - track.begin(i)).count(); };
      const auto apart = [&](std::size_t i) {
        return std::max(length(i), (track.begin(i) - track.begin(i - 1)).count());
      };
      std::size_t seen = 0;
      TrueTime told = at(from - 1);
      const auto pass_over = [&](std::size_t until) {
        for (; seen < until; ++seen) {
          const Interval passed{track.begin(seen).time_since_epoch().count(),
                                track.end(seen).time_since_epoch().count()};
          if (passed.end > told.time_since_epoch().count()) RC_ASSERT(!passed.meets(from, to));
        }
      };
      track.each_run(at(from), at(to), Duration(least), [&](std::size_t first, std::size_t end) {
        pass_over(first);
        if (end > first + 1) RC_ASSERT(length(first) <= least);
        for (std::size_t i = first + 1; i < end; ++i) RC_ASSERT(apart(i) <= least);
        if (length(first) <= least && end < track.size()) RC_ASSERT(apart(end) > least);
        seen = end;
        return told = track.begin(first);
      });
      pass_over(track.size());
    });
    QVERIFY(held);
  }

  void theNextMarkAndTheOneThatTellsMostAreFound() {
    const bool held = rc::check("marks", [] {
      MarkTrack track;
      std::vector<std::pair<std::int64_t, std::uint8_t>> list;
      std::int64_t now = 0;
      const int count = *rc::gen::inRange(1, 500);
      for (int i = 0; i < count; ++i) {
        now += yes(3) ? 0 : up_to(9);
        list.emplace_back(now, static_cast<std::uint8_t>(up_to(3)));
        track.push_back(at(now), list.back().second);
      }
      const auto first_at = [&](std::int64_t t, std::size_t from) {
        while (from < list.size() && list[from].first < t) ++from;
        return from;
      };
      for (int k = 0; k < 20; ++k) {
        const std::int64_t t = up_to(now + 5);
        RC_ASSERT(track.first_at(at(t)) == first_at(t, 0));
        const auto i = static_cast<std::size_t>(up_to(count - 1));
        const std::size_t next = track.next_at(at(t), i, static_cast<std::size_t>(up_to(20)));
        RC_ASSERT(next == first_at(t, i + 1));
        std::size_t highest = i;
        for (std::size_t m = i; m < next; ++m)
          if (list[m].second > list[highest].second) highest = m;
        if (next > i && list[next - 1].second == list[highest].second) highest = next - 1;
        RC_ASSERT(track.highest(i, next) == highest);
      }
    });
    QVERIFY(held);
  }
};

LEASESCOPE_SUITE(TracksTest)
#include "tracks_test.moc"
