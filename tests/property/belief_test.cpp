#include "core/observe/belief.h"

#include <rapidcheck.h>

#include "core/observe/belief_clock.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// Of letters that JSON writes in several ways.
rc::Gen<std::string> name(std::size_t least) {
  const auto letter = rc::gen::element<std::string>("a", "Z", "9", "\"", "\\", "}", "{", " ", "\n", "\x01", "\xc3\xa9",
                                                    "\xf0\x9f\x94\x92", "/", "@");
  return rc::gen::map(rc::gen::suchThat(rc::gen::container<std::vector<std::string>>(letter),
                                        [least](const auto& all) { return all.size() >= least && all.size() <= 60; }),
                      [](const std::vector<std::string>& all) {
                        std::string out;
                        for (const std::string& each : all) out += each;
                        return out;
                      });
}

Belief any_belief() {
  Belief out;
  out.mutex = *name(1);
  out.owner = *name(1);
  out.what =
      *rc::gen::element(Belief::What::kOwns, Belief::What::kNotOwner, Belief::What::kWaits, Belief::What::kStopped);
  out.fence = static_cast<Token>(*rc::gen::inRange<std::int64_t>(0, INT64_MAX));
  if (*rc::gen::arbitrary<bool>()) out.left = Duration(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000'000));
  out.sent_ms = *rc::gen::inRange<std::int64_t>(0, 4'000'000'000'000);
  out.number = static_cast<std::uint64_t>(*rc::gen::inRange<std::int64_t>(1, INT64_MAX));
  out.host = *name(0);
  out.pid = *rc::gen::inRange<std::int64_t>(0, INT32_MAX);
  out.store = *name(0);
  return out;
}

}  // namespace

class BeliefProperties : public QObject {
  Q_OBJECT
 private slots:
  void whatIsWrittenReadsBackEqual() {
    QVERIFY(rc::check("parse(text(belief)) == belief", [] {
      const Belief belief = any_belief();
      const std::string text = belief_text(belief);
      RC_PRE(!text.empty());
      const auto read = parse_belief(text);
      RC_ASSERT(read.has_value());
      RC_ASSERT(*read == belief);
    }));
  }
  // A byte that has changed on the way makes another message, or none, and never breaks the reader.
  void anyTextIsReadOrRefused() {
    QVERIFY(rc::check("no text breaks the reader", [] {
      std::string text = belief_text(any_belief());
      RC_PRE(!text.empty());
      const auto changes = *rc::gen::inRange(1, 5);
      for (int i = 0; i < changes; ++i)
        text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
      const auto read = parse_belief(text);
      if (!read) RC_ASSERT(!read.error().empty());
      if (read) RC_ASSERT(!read->mutex.empty() && read->number > 0);
    }));
  }
  // Whatever the clock is off by, and however long messages take: it happened within the bounds.
  void theMomentLiesWithinItsBounds() {
    QVERIFY(rc::check("lo <= sent <= hi", [] {
      const auto off = *rc::gen::inRange<std::int64_t>(-100'000'000'000, 100'000'000'000);  // ns, ahead of ours
      const auto delays = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int64_t>>(
          rc::gen::inRange<std::int64_t>(0, 900'000'000)));  // ns; the quickest is no slower than a second
      BeliefClock clock;
      TrueTime sent = TrueTime(std::chrono::seconds(1000));
      for (const std::int64_t delay : delays) {
        sent += std::chrono::seconds(2);
        const TrueTime arrived = sent + Duration(delay);
        const std::int64_t shows = (sent.time_since_epoch().count() + off) / 1'000'000;
        clock.heard(shows, arrived);
        const auto bounds = clock.moment(shows, arrived);
        RC_ASSERT(bounds.lo <= sent);
        RC_ASSERT(sent <= bounds.hi);
        // A millisecond is rounded away of what it shows.
        RC_ASSERT(bounds.hi <= arrived + std::chrono::milliseconds(1));
      }
    }));
  }
};

LEASESCOPE_SUITE(BeliefProperties)
#include "belief_test.moc"
