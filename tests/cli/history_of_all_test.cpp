// `history RECORDING`: who owned what, of each mutex there is, at a moment or at all.
#include "tests/cli/program.h"
#include "tests/cli/watched_recording.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;
using nlohmann::json;

class HistoryOfAllTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString night_ = folder_.filePath(QStringLiteral("night.recording"));

 private slots:
  // taxes: c from 30 s on; orders: a from 1 to 20 s; billing: not observed from 10 s on. A minute is known.
  void initTestCase() {
    Recorder recorder({}, LeaseTerms{});
    const Name orders = recorder.intern("orders"), billing = recorder.intern("billing"),
               taxes = recorder.intern("taxes");
    const Name a = recorder.intern("a@host"), c = recorder.intern("c@host"),
               store = recorder.intern("redis://host:6379");
    recorder.append(told(EventKind::kGranted, a, orders, 1s, 1s, 33));
    recorder.append(told(EventKind::kGranted, c, billing, 2s, 2s, 7));
    recorder.append(told(EventKind::kUnobservedBegan, store, billing, 10s, 13s));
    recorder.append(told(EventKind::kReleased, a, orders, 20s, 20s, 33));
    recorder.append(told(EventKind::kGranted, c, taxes, 30s, 30s, 9));
    record(night_, recorder, 60s);
  }

  void aLineForEachMutex() {
    const Ran ran = leasescopectl({"history", night_, "--at", "03:12:15"});
    QVERIFY2(ran.exit == 0 && ran.err.isEmpty(), ran.out + ran.err);
    const QList<QByteArray> lines = ran.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY2(
        lines[0].startsWith("billing at 2026-11-28 03:12:15.000 UTC: not observed from 2026-11-28 03:12:10.000 on"),
        lines[0]);
    QVERIFY2(lines[1].startsWith("orders at 2026-11-28 03:12:15.000 UTC: a@host #33, from "), lines[1]);
    QVERIFY2(lines[2].contains(": nothing was known of it yet"), lines[2]);
    // What is said of one is what is said of it among all.
    QCOMPARE(leasescopectl({"history", "orders", night_, "--at", "03:12:15"}).out, lines[1] + '\n');
  }
  void asJsonToo() {
    const json all = leasescopectl({"history", night_, "--at", "15s", "--json"}).json();
    QCOMPARE(all["mutexes"].size(), std::size_t{3});
    QCOMPARE(all["mutexes"][1]["mutex"].get<std::string>(), std::string("orders"));
    QCOMPARE(all["mutexes"][1]["owners"][0]["owner"].get<std::string>(), std::string("a@host"));
    QVERIFY(all["mutexes"][2]["known"] == false);
  }
  void withoutAMomentAllOfIt() {
    const Ran ran = leasescopectl({"history", night_});
    QVERIFY2(ran.exit == 0, ran.err);
    for (const char* head : {"billing:\n", "orders:\n", "taxes:\n"}) QVERIFY2(ran.out.contains(head), ran.out);
  }
  // What was told of it then stands beside who owned it; of a recording without alerts nothing is said of them.
  void alertsStandBesideWhoOwned() {
    Recorder recorder({}, LeaseTerms{});
    const Name orders = recorder.intern("orders"), taxes = recorder.intern("taxes"), a = recorder.intern("a@host");
    recorder.append(told(EventKind::kGranted, a, orders, 1s, 1s, 33));
    recorder.append(told(EventKind::kGranted, a, taxes, 2s, 2s, 34));
    const auto note = [&](std::uint64_t alert, AlertDeed deed, std::chrono::seconds at,
                          std::chrono::seconds until = 0s) {
      return AlertNote{
          alert,          deed,   TrueTime(at),         TrueTime(std::max(at, until)), alert == 1 ? "slow" : "hot",
          "late_renewal", orders, "its renewal is late"};
    };
    const QString path = folder_.filePath(QStringLiteral("alerts.recording"));
    record(path, recorder, 60s,
           {{},
            std::vector<AlertNote>{note(1, AlertDeed::kBegan, 10s), note(1, AlertDeed::kAcknowledged, 12s),
                                   note(1, AlertDeed::kOver, 20s), note(2, AlertDeed::kBegan, 40s),
                                   note(2, AlertDeed::kMuted, 41s, 55s)}});
    const Ran then = leasescopectl({"history", "orders", path, "--at", "15s"});
    QVERIFY2(then.out.contains("a@host #33, from "), then.out);
    QVERIFY2(then.out.endsWith("; alert slow since 2026-11-28 03:12:10.000: its renewal is late\n"), then.out);
    QVERIFY(!leasescopectl({"history", "orders", path, "--at", "25s"}).out.contains("alert"));
    QVERIFY(!leasescopectl({"history", "taxes", path, "--at", "15s"}).out.contains("alert"));
    const QByteArray all = leasescopectl({"history", "orders", path}).out;
    QVERIFY2(all.contains("2026-11-28 03:12:10.000  2026-11-28 03:12:20.000  10s  alert slow: its renewal is late, "
                          "acknowledged at 2026-11-28 03:12:12.000\n"),
             all);
    QVERIFY2(all.contains("2026-11-28 03:12:40.000  and lasts  20s  alert hot: its renewal is late, muted until "
                          "2026-11-28 03:12:55.000\n"),
             all);
    const QByteArray late = leasescopectl({"history", "orders", path, "--from", "30s"}).out;
    QVERIFY2(late.contains("alert hot") && !late.contains("alert slow"), late);
    const json told =
        leasescopectl({"history", "orders", path, "--at", "45s", "--json"}).json()["mutexes"][0]["alerts"];
    QCOMPARE(told.size(), std::size_t{1});
    QCOMPARE(told[0]["rule"].get<std::string>(), std::string("hot"));
    QVERIFY(told[0]["end_ns"].is_null() && told[0]["acknowledged_ns"].is_null());
    QCOMPARE(told[0]["muted_until_ns"].get<qint64>(), qint64{55'000'000'000});
    QVERIFY(!leasescopectl({"history", "orders", night_, "--json"}).json()["mutexes"][0].contains("alerts"));
  }
  void whatIsNoRecordingIsNamed() {
    const Ran ran = leasescopectl({"history", "orders"});
    QCOMPARE(ran.exit, 2);
    SAYS(ran, "orders");
    QCOMPARE(leasescopectl({"history"}).exit, 2);
    const Ran other = leasescopectl({"history", "no-such", night_});
    QCOMPARE(other.exit, 2);
    SAYS(other, "no mutex \"no-such\" is in it; there are: orders, billing, taxes");
  }
};

LEASESCOPE_SUITE(HistoryOfAllTest)
#include "history_of_all_test.moc"
