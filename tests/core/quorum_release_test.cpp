// A release of the quorum lock: what is given back when, and how the unlock ends.
#include "tests/core/quorum_servers.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class QuorumReleaseTest : public QObject {
  Q_OBJECT
 private slots:
  void itHoldsForAsLongAsItWasToldAndRests();
  void aStopGivesBackWhatItHolds();
  void whatWasLostIsUnlockedInVain_data();
  void whatWasLostIsUnlockedInVain();
  void itIsUnlockedWhereAMajorityGaveItBack_data();
  void itIsUnlockedWhereAMajorityGaveItBack();
  void whoAsksAnewKnowsNotWhatBecameOfTheLast();
  void aStopWaitsForWhatTheServersSay();
  void aStopEndsThoughItsReEntryIsDenied();
};

void QuorumReleaseTest::itHoldsForAsLongAsItWasToldAndRests() {
  QuorumServers of([](QuorumSetting& setting) {
    setting.plan.hold = 200ms;
    setting.plan.rest = 3s;
  });
  of.start_and_hold();
  of.pass(200ms);
  QVERIFY(!of.contender().believes());
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{0});  // its work has not come to its end
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
  of.pass(3s - 1ns);
  QCOMPARE(of.count(RequestKind::kObtain), std::size_t{5});
  of.pass(1ns);
  QCOMPARE(of.count(RequestKind::kObtain), std::size_t{10});
}

void QuorumReleaseTest::aStopGivesBackWhatItHolds() {
  QuorumServers of;
  of.start_and_hold();
  of.input(Stop{});
  QVERIFY(!of.contender().believes());
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
  for (const std::uint8_t server : {0, 1, 2}) of.give_back(server, true);
  of.pass(0s);
  QCOMPARE(of.count(RequestKind::kUnsubscribe), std::size_t{5});
  QCOMPARE(of.contender().status(), Status::kInitial);
  QCOMPARE(of.notes.back().kind, EventKind::kStopped);
}

void QuorumReleaseTest::whatWasLostIsUnlockedInVain_data() {
  QTest::addColumn<QString>("how");
  for (const char* how : {"stolen", "its watchdog", "left after a pause"}) QTest::newRow(how) << how;
}
void QuorumReleaseTest::whatWasLostIsUnlockedInVain() {
  QFETCH(QString, how);
  QuorumServers of([](QuorumSetting& setting) { setting.plan.hold = 3s; });
  of.start_and_hold();
  if (how == "stolen") of.hear_theft();
  if (how == "its watchdog") of.stand_still(kTtl), of.input(TimerFired{QuorumTimer::kWatch});
  if (how == "left after a pause") of.stand_still(kTtl), of.input(TimerFired{QuorumTimer::kCycle});
  QVERIFY(!of.unlocked());
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});  // whatever may be left of it
  QVERIFY(of.unlocked() == Ending::kFailed);
}

void QuorumReleaseTest::itIsUnlockedWhereAMajorityGaveItBack_data() {
  QTest::addColumn<QString>("said");  // server by server: it had it, it had not, or no answer
  QTest::addColumn<int>("ending");
  const auto row = [](const char* said, Ending ending) { QTest::newRow(said) << said << static_cast<int>(ending); };
  row("yyy", Ending::kOk);
  row("nnyyy", Ending::kOk);
  row("yy??y", Ending::kOk);
  row("nnnnn", Ending::kFailed);
  row("yynnn", Ending::kUnknown);  // a majority until it began to give it back, or not
  row("nnnn?", Ending::kUnknown);
  row("?????", Ending::kUnknown);
}
void QuorumReleaseTest::itIsUnlockedWhereAMajorityGaveItBack() {
  QFETCH(QString, said);
  QFETCH(int, ending);
  QuorumServers of([](QuorumSetting& setting) { setting.plan.hold = 200ms; });
  of.start_and_hold();
  of.pass(200ms);
  of.input(WorkDone{});
  for (int server = 0; server < said.size(); ++server) {
    QVERIFY(!of.unlocked());
    const auto from = static_cast<std::uint8_t>(server);
    of.give_back(from, said[server] == 'y', said[server] == '?' ? Ending::kUnknown : Ending::kOk);
    if (!of.unlocked()) of.give_back(from, true);  // an answer that comes twice is one
  }
  QCOMPARE(of.unlocked(), std::optional(static_cast<Ending>(ending)));
}

void QuorumReleaseTest::whoAsksAnewKnowsNotWhatBecameOfTheLast() {
  QuorumServers of([](QuorumSetting& setting) {
    setting.plan.hold = 200ms;
    setting.plan.rest = 1ms;
  });
  of.start_and_hold();
  of.pass(200ms);
  of.input(WorkDone{});
  of.pass(1ms);
  QVERIFY(of.unlocked() == Ending::kUnknown);
  QCOMPARE(of.notes.back().kind, EventKind::kInvoked);
  for (const std::uint8_t server : {0, 1, 2, 3, 4}) of.give_back(server, true);
  QCOMPARE(of.noted(EventKind::kReturned), std::size_t{2});
}

void QuorumReleaseTest::aStopWaitsForWhatTheServersSay() {
  QuorumServers of;
  of.start_and_hold();
  of.input(Stop{});
  of.input(WorkDone{});
  of.pass(1ms);
  QCOMPARE(of.contender().status(), Status::kStopping);
  for (const std::uint8_t server : {0, 1, 2}) of.give_back(server, true);
  of.pass(0s);
  QCOMPARE(of.contender().status(), Status::kInitial);
  QVERIFY(of.unlocked() == Ending::kOk);
}

// Who denies it one more handle may be for it all the same, and is asked to give that back.
void QuorumReleaseTest::aStopEndsThoughItsReEntryIsDenied() {
  QuorumServers of([](QuorumSetting& setting) { setting.plan.handles = 2; });
  of.start_and_hold();
  of.pass(0s);
  of.input(Stop{});
  of.deny_all();
  of.input(WorkDone{});
  QCOMPARE(of.count(RequestKind::kGiveBack), std::size_t{5});
  for (const std::uint8_t server : {0, 1, 2}) of.give_back(server, true);
  of.pass(0s);
  QVERIFY(of.unlocked() == Ending::kOk);
  QCOMPARE(of.contender().status(), Status::kInitial);
}

LEASESCOPE_SUITE(QuorumReleaseTest)
#include "quorum_release_test.moc"
