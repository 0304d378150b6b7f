// Those who wait for a lease on Redis are nowhere but in the count of who listens to it: that somebody waits is told
// from one count to the next, and a rule that nobody should wait for so long holds by that, and no more.
#include "core/alerts/alert_engine.h"
#include "core/alerts/alert_kinds.h"
#include "core/contend/driver/contention.h"
#include "core/observe/watched_row.h"
#include "core/store/redis/store_type.h"
#include "tests/store/watching.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr milliseconds kSweep{300};  // so often they are counted
constexpr milliseconds kStuck{1500};
constexpr milliseconds kPatience{8000};

AlertRule stuck() {
  AlertRule out;
  out.name = "stuck";
  out.kind = find_alert_kind("waiters_stuck");
  out.length = kStuck;
  return out;
}

WatchTerms counting() {
  WatchTerms out;
  out.look.sweep = kSweep;
  return out;
}

// One who wants it, and keeps it once he has it.
class Contender {
 public:
  Contender(QtLoop& loop, const StoreUrl& url, const std::string& id) {
    Contention::Events events;
    events.acquired = [this](Token, TrueTime) { contention_->acquired_done(); };
    events.confirmed = [](TrueTime) {};
    events.released = [this](DisbeliefReason) { contention_->work_done(); };
    events.others = [](const std::string&) {};
    events.trouble = [](const std::string&) {};
    events.stopped = [this] { stopped_ = true; };
    contention_ =
        std::make_unique<Contention>(loop, url, id, "orders", LeaseTerms{}, milliseconds(1000), std::move(events));
    contention_->start();
  }
  bool owns() const {
    return wait_until([this] { return contention_->owns(); }, kPatience);
  }
  bool stops() {
    contention_->stop();
    return wait_until([this] { return stopped_; }, kPatience);
  }

 private:
  std::unique_ptr<Contention> contention_;
  bool stopped_ = false;
};

// By that rule, of all that is seen.
class Judge {
 public:
  Judge(Watching& of, QtLoop& loop) : of_(&of), loop_(&loop) {}

  const AlertList& alerts() {
    const History& history = of_->watch.history();
    for (; judged_ < history.last(); ++judged_) engine_.append(history.event(judged_ + 1), history.names);
    engine_.advance(loop_->now(), history.names);
    return engine_.alerts();
  }
  // So many have begun, and the last of them lasts, or does not.
  bool comes_to(std::size_t count, bool lasts) {
    return wait_until([&] { return alerts().size() == count && alerts()[count - 1].lasts() == lasts; }, kPatience);
  }

 private:
  Watching* of_;
  QtLoop* loop_;
  AlertEngine engine_{{stuck()}};
  Sequence judged_ = 0;
};

}  // namespace

class WaitersCountedTest : public QObject {
  Q_OBJECT

  QtLoop loop_;

  // Of that kind, told of somebody.
  static std::vector<Event> told(Watching& of, EventKind kind) {
    std::vector<Event> out;
    const History& history = of.watch.history();
    for (const Event& event : history.events)
      if (event.kind == kind && history.names.text(event.node) == "somebody") out.push_back(event);
    return out;
  }

 private slots:
  void whoIsStuckIsToldOfAndWhoIsNotAnyMoreIsOver() {
    PrivateServer server(redis::store_type());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    Contender a(loop_, server.url(), "a");
    QVERIFY(a.owns());
    Watching of(loop_, server.url(), counting());
    QVERIFY(of.sees("orders", "a"));
    Judge judge(of, loop_);
    // Its owner listens as well, and does not wait.
    wait_until([] { return false; }, kStuck + 3 * kSweep);
    QCOMPARE(judge.alerts().size(), std::size_t{0});
    QVERIFY(told(of, EventKind::kQueued).empty());

    const TrueTime before = loop_.now();
    auto b = std::make_unique<Contender>(loop_, server.url(), "b");
    QVERIFY(judge.comes_to(1, true));
    const std::string& words = judge.alerts()[0].words;
    QVERIFY2(words.find("somebody waits, and for more than 1500ms it has gone to nobody; a owns it") == 0,
             words.c_str());
    QCOMPARE(told(of, EventKind::kQueued).size(), std::size_t{1});
    const Event came = told(of, EventKind::kQueued)[0];
    QVERIFY(came.lo >= before - 2 * kSweep && came.hi >= before);
    QVERIFY2(came.hi - came.lo < 4 * kSweep, "between two counts");
    QCOMPARE(row_of(*of.find("orders"), loop_.now()).waiters, std::optional<std::uint32_t>(1));
    // He gives up.
    QVERIFY(b->stops());
    b.reset();
    QVERIFY(judge.comes_to(1, false));
    QCOMPARE(told(of, EventKind::kDequeued).size(), std::size_t{1});

    // The next one waits until it goes to him.
    Contender c(loop_, server.url(), "c");
    QVERIFY(judge.comes_to(2, true));
    QVERIFY(a.stops());
    QVERIFY(c.owns() && judge.comes_to(2, false));
    wait_until([] { return false; }, kStuck + 3 * kSweep);
    QCOMPARE(judge.alerts().size(), std::size_t{2});
    QVERIFY(c.stops());
  }
};

LEASESCOPE_SUITE(WaitersCountedTest)
#include "waiters_counted_test.moc"
