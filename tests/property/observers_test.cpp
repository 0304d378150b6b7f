// Two observers of one mutex, with clocks of their own, slow answers and gaps: how far their clocks are apart is said
// truly, and so is who owned it, at every moment that one of them observed.
#include <random>
#include <set>

#include <rapidcheck.h>

#include "core/history/ownership.h"
#include "core/history/recording/joint_account.h"
#include "core/history/recording/offset_between.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class ObserversProperties : public QObject {
  Q_OBJECT
 private slots:
  void theOffsetAndTheOwnersAreTrue();
  void theOffsetIsTrueWhileClocksGoApart();
  void mostTellTheOffsetAmongSomeWhoLie();
};

namespace {

constexpr std::int64_t kMs = 1'000'000, kBegin = 1'700'000'000'000'000'000;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }

 private:
  std::mt19937_64 engine_;
};

// None shorter than what lies between two looks.
std::vector<TrueTerm> any_truth(Dice& dice) {
  std::vector<TrueTerm> out;
  std::int64_t at = kBegin + dice.between(0, 2'000 * kMs);
  Token token = 0;
  for (std::int64_t terms = dice.between(6, 30); terms > 0; --terms) {
    const std::int64_t end = at + dice.between(1'000 * kMs, 4'000 * kMs);
    token += static_cast<Token>(dice.between(1, 3));
    out.push_back({std::string(1, static_cast<char>('a' + dice.between(0, 2))), token, at, end});
    at = end + (dice.between(0, 2) == 0 ? 0 : dice.between(0, 1'500 * kMs));
  }
  return out;
}

std::vector<Look> any_looks(Dice& dice, std::int64_t end) {
  std::vector<Look> out;
  std::int64_t at = kBegin + dice.between(0, 3'000 * kMs);
  const std::int64_t last = end - dice.between(0, 3'000 * kMs), slow = dice.between(1, 100) * kMs;
  while (out.size() < 2 || at < last) {
    Look look;
    if (!out.empty() && dice.between(0, 20) == 0) {
      look.after_blindness = true;
      at += dice.between(100 * kMs, 6'000 * kMs);
    }
    look.asked = at;
    look.at = look.asked + dice.between(0, slow);
    look.answered = look.at + dice.between(0, slow);
    at = look.answered + dice.between(10 * kMs, 300 * kMs);
    out.push_back(look);
  }
  return out;
}

// Who owned it by those events.
Ownership owners(const std::vector<Event>& events, const NameTable& names, Name mutex) {
  Ownership out(Legend{}, mutex);
  for (const Event& event : events) out.append(event, names);
  return out;
}

bool sees(const Ownership& by, TrueTime at) { return at >= TrueTime{} && by.at(at).unobserved == nullptr; }

void check_moment(const Ownership::Moment& told, const TrueTerm* truth, NameTable& names) {
  RC_ASSERT(told.surely.size() <= (truth == nullptr ? 0U : 1U));
  if (truth == nullptr) return;
  bool named = false;
  for (const OwnedStretch* const each : told.surely) {
    RC_ASSERT(std::string(names.text(each->owner)) == truth->owner);
    RC_ASSERT(each->token == truth->token);
    named = true;
  }
  for (const OwnedStretch* const each : told.perhaps)
    named = named || (names.text(each->owner) == truth->owner && each->token == truth->token);
  RC_ASSERT(named);
}

}  // namespace

void ObserversProperties::theOffsetAndTheOwnersAreTrue() {
  QVERIFY(rc::check("of two observers", [](std::uint64_t seed) {
    Dice dice(seed);
    const std::vector<TrueTerm> truth = any_truth(dice);
    const std::int64_t end = truth.back().end + 2'000 * kMs;
    const std::int64_t ahead_a = dice.between(-5'000, 5'000) * kMs,
                       ahead_b = dice.between(-5'000'000, 5'000'000) * 1000;
    NameTable names;
    const Seen a = seen(truth, any_looks(dice, end), ahead_a, names);
    const Seen b = seen(truth, any_looks(dice, end), ahead_b, names);
    ObservedAccount of_a = a.account(), of_b = b.account();
    const auto offset = offset_between(of_a, of_b, Duration(b.epoch_ns - a.epoch_ns));
    const bool known = offset && offset->is_known();
    RC_CLASSIFY(known);
    if (offset) RC_ASSERT(offset->agree == offset->shared);  // nobody lies
    if (!known) return;
    const Duration apart(ahead_b - ahead_a);
    RC_ASSERT(offset->bounds.lo <= apart && apart <= offset->bounds.hi);

    const std::int64_t epoch = std::min(a.epoch_ns, b.epoch_ns - offset->bounds.hi.count());
    of_a.shift(Duration(a.epoch_ns - epoch), Duration(a.epoch_ns - epoch));
    of_b.shift(Duration(b.epoch_ns - epoch) - offset->bounds.hi, Duration(b.epoch_ns - epoch) - offset->bounds.lo);
    const std::vector<Event> events = joint_events({{&of_a, {}}, {&of_b, {}}});
    std::set<Token> granted;
    for (const Event& event : events) {
      RC_ASSERT(event.lo <= event.hi && event.lo >= TrueTime{});
      if (event.kind == EventKind::kGranted) RC_ASSERT(granted.insert(event.token).second);  // each once
    }
    const Name mutex = names.intern("orders");
    const Ownership by_a = owners(a.events, names, mutex), by_b = owners(b.events, names, mutex);
    const Ownership both = owners(events, names, mutex);
    for (const OwnedStretch& each : by_a.owned()) RC_ASSERT(granted.count(each.token) == 1);
    for (const OwnedStretch& each : by_b.owned()) RC_ASSERT(granted.count(each.token) == 1);

    std::vector<std::int64_t> moments;
    for (const TrueTerm& each : truth)
      for (const std::int64_t at : {each.begin, each.end})
        for (const std::int64_t beside : {-1, 0, 1}) moments.push_back(at + beside);
    for (int i = 0; i < 300; ++i) moments.push_back(dice.between(kBegin, end));
    for (const std::int64_t at : moments) {
      const bool by_one = sees(by_a, a.local(at + ahead_a)), by_other = sees(by_b, b.local(at + ahead_b));
      const TrueTime moment(Duration(at + ahead_a - epoch));
      if (by_one) RC_ASSERT(sees(both, moment));
      if (!sees(both, moment)) continue;
      RC_ASSERT(by_one || by_other);
      check_moment(both.at(moment), owner_at(truth, at), names);
    }
  }));
}

// The second clock runs by up to twice the tolerance faster or slower than the first, now so, now so; nobody lies.
void ObserversProperties::theOffsetIsTrueWhileClocksGoApart() {
  QVERIFY(rc::check("of clocks that go apart", [](std::uint64_t seed) {
    Dice dice(seed);
    NameTable names;
    ObservedAccount a, b;
    std::vector<std::int64_t> ahead{dice.between(0, 2'000 * kMs)};  // at each moment when the rate changes
    std::int64_t at = 0;
    const std::int64_t unsure = dice.between(1, 200) * kMs;
    for (Token token = 1; token < 40; ++token) {
      const std::int64_t passed = dice.between(1, 600) * 1'000 * kMs;
      at += passed;
      ahead.push_back(ahead.back() +
                      passed / 1'000'000 * dice.between(-2 * kClockTolerancePpm, 2 * kClockTolerancePpm));
      if (dice.between(0, 3) == 0) continue;  // no grant
      Event event;
      event.kind = EventKind::kGranted;
      event.node = names.intern("a");
      event.mutex = names.intern("orders");
      event.token = token;
      event.lo = TrueTime(Duration(at - dice.between(0, unsure)));
      event.hi = TrueTime(Duration(at + dice.between(0, unsure)));
      RC_ASSERT(a.tell(event));
      event.lo = TrueTime(Duration(at + ahead.back() - dice.between(0, unsure)));
      event.hi = TrueTime(Duration(at + ahead.back() + dice.between(0, unsure)));
      RC_ASSERT(b.tell(event));
    }
    a.finish(TrueTime(Duration(at)));
    b.finish(TrueTime(Duration(at + ahead.back())));
    const auto offset = offset_between(a, b, {});
    if (!offset) return;
    for (const std::int64_t each : ahead)
      RC_ASSERT(offset->bounds.lo <= Duration(each) && Duration(each) <= offset->bounds.hi);
  }));
}

// Bounds around one offset, and fewer that have nothing to do with it and lie apart from them.
void ObserversProperties::mostTellTheOffsetAmongSomeWhoLie() {
  QVERIFY(rc::check("of a majority", [](std::uint64_t seed) {
    Dice dice(seed);
    const std::int64_t truth = dice.between(-1'000, 1'000) * kMs;
    std::vector<OffsetBounds> all;
    const std::int64_t right = dice.between(4, 40), wrong = dice.between(0, right - 1);
    for (std::int64_t i = 0; i < right; ++i)
      all.push_back({Duration(truth - dice.between(0, 100 * kMs)), Duration(truth + dice.between(0, 100 * kMs))});
    for (std::int64_t i = 0; i < wrong; ++i) {
      const std::int64_t from = truth + dice.between(101, 5'000) * kMs;
      all.push_back({Duration(from), Duration(from + dice.between(0, 200 * kMs))});
    }
    for (std::size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(i) - 1))]);
    const auto offset = agreed_offset(all);
    RC_ASSERT(offset.has_value());
    RC_ASSERT(offset->is_known());
    RC_ASSERT(offset->agree == static_cast<std::size_t>(right) && offset->shared == all.size());
    RC_ASSERT(offset->bounds.lo <= Duration(truth) && Duration(truth) <= offset->bounds.hi);
  }));
}

LEASESCOPE_SUITE(ObserversProperties)
#include "observers_test.moc"
