// `replay` of a night that was watched: what of it is laid before others, of some mutexes and some minutes.
#include <QRegularExpression>
#include <map>

#include "tests/cli/program.h"
#include "tests/cli/watched_recording.h"
#include "tests/support/other_readers.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

// orders: a from 1 to 20 s, nobody until b comes at 25 s; billing: c from 2 s on. A minute is known.
void watch_a_night(const QString& path) {
  Recorder recorder({}, LeaseTerms{});
  const Name orders = recorder.intern("orders"), billing = recorder.intern("billing");
  const Name a = recorder.intern("a@host"), b = recorder.intern("b@host"), c = recorder.intern("c<script>");
  recorder.append(told(EventKind::kGranted, a, orders, 1s, 1200ms, 33));
  recorder.append(told(EventKind::kGranted, c, billing, 2s, 2s, 7));
  recorder.append(told(EventKind::kReleased, a, orders, 20s, 20s, 33));
  recorder.append(told(EventKind::kGranted, b, orders, 25s, 25s, 34));
  record(path, recorder, 60s);
}

constexpr const char* kRules =
    "schema = 1\n\n[[rule]]\nname = \"nobody\"\nkind = \"no_owner\"\nmutex = \"orders\"\nfor = \"2s\"\n";

// The same night, by a watch with rules: nobody had orders from 22 to 25 s, which was acknowledged at 24 s; billing was
// in one's hands for too long from 40 s on, which was muted at 41 s for an hour.
void watch_a_night_with_rules(const QString& path) {
  Recorder recorder({}, LeaseTerms{});
  const Name orders = recorder.intern("orders"), billing = recorder.intern("billing");
  const Name a = recorder.intern("a@host"), b = recorder.intern("b@host"), c = recorder.intern("c<script>");
  recorder.append(told(EventKind::kGranted, a, orders, 1s, 1200ms, 33));
  recorder.append(told(EventKind::kGranted, c, billing, 2s, 2s, 7));
  recorder.append(told(EventKind::kReleased, a, orders, 20s, 20s, 33));
  recorder.append(told(EventKind::kGranted, b, orders, 25s, 25s, 34));
  const auto note = [](std::uint64_t alert, AlertDeed deed, Duration at, Duration until, Name mutex) {
    return AlertNote{alert,
                     deed,
                     TrueTime(at),
                     TrueTime(until),
                     alert == 1 ? "nobody" : "late <b>",
                     alert == 1 ? "no_owner" : "late_renewal",
                     mutex,
                     alert == 1 ? "nobody has owned it for more than 2s" : "renewed with 1s left"};
  };
  WatchSettings settings;
  settings.stores = {{"redis://host:6379", 1'500'000'000, "likely", true}};
  settings.mutexes = "*";
  settings.rules = kRules;
  record(
      path, recorder, 60s,
      {settings, std::vector<AlertNote>{
                     note(1, AlertDeed::kBegan, 22s, 22s, orders), note(1, AlertDeed::kAcknowledged, 24s, 24s, orders),
                     note(1, AlertDeed::kOver, 25s, 25s, orders), note(2, AlertDeed::kBegan, 40s, 40s, billing),
                     note(2, AlertDeed::kMuted, 41s, 3641s, billing)}});
}

// orders: a from 1 s on, and released within a gap from 5 to 40 s; billing: c from 2 s on, until the store does not
// answer any more at 10 s.
void watch_a_night_with_gaps(const QString& path) {
  Recorder recorder({}, LeaseTerms{});
  const Name orders = recorder.intern("orders"), billing = recorder.intern("billing");
  const Name a = recorder.intern("a@host"), c = recorder.intern("c@host"), store = recorder.intern("redis://host:6379");
  recorder.append(told(EventKind::kGranted, a, orders, 1s, 1s, 33));
  recorder.append(told(EventKind::kGranted, c, billing, 2s, 2s, 7));
  recorder.append(told(EventKind::kUnobservedBegan, store, billing, 10s, 13s));
  recorder.append(told(EventKind::kReleased, a, orders, 5s, 40s, 33));
  record(path, recorder, 3600s);
}

// orders: of d1 at 03:30 on the 28th, of d2 on the 29th, of d3 on the 30th, for a minute each; up to 05:00 on the 30th.
void watch_three_nights(const QString& path) {
  Recorder recorder({}, LeaseTerms{});
  const Name orders = recorder.intern("orders");
  for (int day = 1; day <= 3; ++day) {
    const Name who = recorder.intern("d" + std::to_string(day));
    const Duration at = (day - 1) * 24h + 18min;
    recorder.append(told(EventKind::kGranted, who, orders, at, at, static_cast<Token>(day)));
    recorder.append(told(EventKind::kReleased, who, orders, at + 1min, at + 1min, static_cast<Token>(day)));
  }
  record(path, recorder, 49h + 48min);
}

}  // namespace

class EvidenceTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString night_ = folder_.filePath(QStringLiteral("night.recording"));

  // The page's table of that name, a row each, cells between bars.
  QStringList rows(const QStringList& arguments, const QString& table) {
    const QString page = folder_.filePath(QStringLiteral("page.html"));
    QFile::remove(page);
    const Ran ran = leasescopectl(QStringList{"replay", recording_, "--report", page} + arguments);
    if (ran.exit != 0) return {QString::fromUtf8(ran.err)};
    page_ = QString::fromUtf8(read_whole(page));
    const QRegularExpression whole(QStringLiteral("<table id=\"%1\">.*?<tbody>(.*?)</tbody>").arg(table),
                                   QRegularExpression::DotMatchesEverythingOption);
    QStringList out;
    for (QString row : whole.match(page_).captured(1).split(QStringLiteral("</tr>"), Qt::SkipEmptyParts)) {
      row.replace(QStringLiteral("</td>"), QStringLiteral("|")).remove(QRegularExpression(QStringLiteral("<[^>]*>")));
      if (!row.trimmed().isEmpty()) out << row.trimmed();
    }
    return out;
  }
  // What `replay --json` tells of it, of a recording.
  json watched(const QString& recording, const QStringList& arguments = {}) {
    const Ran ran = leasescopectl(QStringList{"replay", recording, "--json"} + arguments);
    if (ran.exit != 0) return ran.err.toStdString();
    return ran.json().value("watched", json("not there"));
  }
  QString ruled() {
    const QString path = folder_.filePath(QStringLiteral("ruled.recording"));
    if (!QFile::exists(path)) watch_a_night_with_rules(path);
    return path;
  }
  QString page_;
  QString recording_ = night_;

 private slots:
  void initTestCase() { watch_a_night(night_); }

  void theReportSaysWhoOwnedWhatByTheWallClock() {
    QCOMPARE(rows({}, "owners"),
             QStringList({"orders|a@host|#33|03:12:01.000 … 03:12:01.200|03:12:20.000|≥ 18.800 s|released|",
                          "billing|c&lt;script&gt;|#7|03:12:02.000||58.000 s|owns it still, as far as was seen|",
                          "orders|b@host|#34|03:12:25.000||35.000 s|owns it still, as far as was seen|"}));
  }

  // A watch has no contenders, resources or terms of its own.
  void nothingIsInItThatNobodyHasSeen() {
    QVERIFY(!rows({}, "owners").isEmpty());
    QVERIFY(!page_.contains("ledger") && !page_.contains(">watched<") && !page_.contains("runs it again"));
  }

  // Whoever was seen to own it when the store fell silent may have lost it a second later, and what ended within a gap
  // lasted until the gap and no longer, for all that is known.
  void ofWhatWasNotObservedNoLengthIsClaimed() {
    recording_ = folder_.filePath(QStringLiteral("gaps.recording"));
    watch_a_night_with_gaps(recording_);
    const QStringList shown = rows({}, "owners");
    recording_ = night_;
    QCOMPARE(shown, QStringList({"orders|a@host|#33|03:12:01.000|03:12:05.000 … 03:12:40.000|≥ 4.000 s|released|",
                                 "billing|c@host|#7|03:12:02.000||≥ 8.000 s|not observed from 03:12:10.000 on: it may "
                                 "own it still|"}));
  }

  void onlyTheMutexesThatAreAskedForAreInIt() {
    const QStringList shown = rows({"--mutex", "bill*"}, "owners");
    QCOMPARE(shown.size(), 1);
    QVERIFY2(shown.first().startsWith("billing|"), qPrintable(shown.first()));
    QVERIFY(!page_.contains("a@host") && page_.contains("Only bill* is reported"));
    QCOMPARE(rows({"--mutex", "billing", "--mutex", "orders"}, "owners").size(), 3);
  }

  void minutesOfTheNightAreAskedForByTheClock() {
    const QStringList shown = rows({"--from", "03:12:22", "--to", "03:12:40", "--mutex", "orders"}, "owners");
    QCOMPARE(shown.size(), 1);
    QVERIFY2(shown.first().startsWith("orders|b@host|#34|"), qPrintable(shown.first()));
    QCOMPARE(rows({"--from", "22s", "--to", "40s", "--mutex", "orders"}, "owners"), shown);
  }

  // Of three nights: what is said of the one moment says which day the other is of.
  void aMomentWithoutADayIsThatNextToTheOther_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QStringList>("owners");
    QTest::newRow("the last") << "03:00"
                              << "04:00" << QStringList{"d3"};
    QTest::newRow("a day at the begin") << "2026-11-29 03:00"
                                        << "04:00" << QStringList{"d2"};
    QTest::newRow("a day at the end") << "03:00"
                                      << "2026-11-29 04:00" << QStringList{"d2"};
    QTest::newRow("over midnight") << "23:50"
                                   << "04:00" << QStringList{"d3"};
    QTest::newRow("of the day before, as the last day has no such end") << "03:10"
                                                                        << "09:00" << QStringList{"d2"};
    QTest::newRow("after so long") << "1h"
                                   << "04:00" << QStringList{"d2"};
  }
  void aMomentWithoutADayIsThatNextToTheOther() {
    QFETCH(const QString, from);
    QFETCH(const QString, to);
    QFETCH(const QStringList, owners);
    recording_ = folder_.filePath(QStringLiteral("nights.recording"));
    if (!QFile::exists(recording_)) watch_three_nights(recording_);
    const QStringList shown = rows({"--from", from, "--to", to}, "owners");
    recording_ = night_;
    QStringList who;
    for (const QString& each : shown) who << each.section('|', 1, 1);
    QCOMPARE(who, owners);
    // `history` means the same nights.
    const Ran ran = leasescopectl(
        {"history", "orders", folder_.filePath("nights.recording"), "--from", from, "--to", to, "--json"});
    QCOMPARE(ran.exit, 0);
    QStringList told;
    const json history = ran.json();
    for (const json& each : history["mutexes"][0]["owned"])
      told << QString::fromStdString(each["owner"].get<std::string>());
    QCOMPARE(told, owners);
  }

  void itSaysWhenTheRulesHeldOrThatNoneDid() {
    const QString rules =
        write_file(folder_, "rules.toml",
                   "schema = 1\n[[rule]]\nname = \"nobody\"\nkind = \"no_owner\"\nmutex = \"orders\"\n"
                   "for = \"2s\"\n");
    const QStringList shown = rows({"--alerts", rules}, "alerts");
    QCOMPARE(shown.size(), 1);
    QVERIFY2(shown.first().startsWith("nobody|orders|03:12:22.000|03:12:25.000|3.000 s|"), qPrintable(shown.first()));
    QVERIFY(rows({"--alerts", rules, "--mutex", "billing"}, "alerts").isEmpty());
    QVERIFY(page_.contains("The one rule held at no time."));
  }

  void theJsonTellsOwnersWithTheirBounds() {
    const json told = watched(night_);
    QVERIFY2(told.is_object(), told.dump().c_str());
    QCOMPARE(told["epoch_unix_ns"].get<qint64>(), kBegin.toMSecsSinceEpoch() * 1'000'000);
    QCOMPARE(told["to_ns"].get<qint64>(), qint64{60'000'000'000});
    QCOMPARE(told["mutexes"].size(), std::size_t{2});
    const json& orders = told["mutexes"][0];
    QCOMPARE(orders["mutex"].get<std::string>(), std::string("orders"));
    QCOMPARE(orders["owned"].size(), std::size_t{2});
    const json& first = orders["owned"][0];
    QCOMPARE(first["owner"].get<std::string>(), std::string("a@host"));
    QCOMPARE(first["token"].get<int>(), 33);
    QCOMPARE(first["begin_from_ns"].get<qint64>(), qint64{1'000'000'000});
    QCOMPARE(first["begin_ns"].get<qint64>(), qint64{1'200'000'000});
    QCOMPARE(first["end_ns"].get<qint64>(), qint64{20'000'000'000});
    QCOMPARE(first["ended"].get<std::string>(), std::string("released"));
    QCOMPARE(first["proved_ns"].get<qint64>(), qint64{18'800'000'000});
    QVERIFY(first["at_least"].get<bool>());
    const json& last = orders["owned"][1];
    QVERIFY(last["ended"].is_null() && last["end_ns"].is_null() && !last["at_least"].get<bool>());
    QCOMPARE(last["proved_ns"].get<qint64>(), qint64{35'000'000'000});
    // What the recording does not keep is not told to be nothing.
    QVERIFY(told["fired"].is_null() && told["settings"].is_null() && told["would_fire"].is_null());
    QVERIFY(told["only"].is_null());
  }

  void theJsonTellsWhatWasNotObserved() {
    const QString path = folder_.filePath("gaps-json.recording");
    watch_a_night_with_gaps(path);
    const json told = watched(path);
    const json& billing = told["mutexes"][1];
    QCOMPARE(billing["unobserved"].size(), std::size_t{1});
    QCOMPARE(billing["unobserved"][0]["begin_ns"].get<qint64>(), qint64{10'000'000'000});
    QVERIFY(billing["unobserved"][0]["end_ns"].is_null());
    const json& owner = billing["owned"][0];
    QCOMPARE(owner["last_seen_ns"].get<qint64>(), qint64{10'000'000'000});
    QCOMPARE(owner["proved_ns"].get<qint64>(), qint64{8'000'000'000});
    QVERIFY(owner["at_least"].get<bool>());
  }

  void theJsonTellsWhatFiredBesideWhatWouldFire() {
    const json told = watched(ruled());
    QCOMPARE(told["fired"].size(), std::size_t{2});
    const json& nobody = told["fired"][0];
    QCOMPARE(nobody["rule"].get<std::string>(), std::string("nobody"));
    QCOMPARE(nobody["kind"].get<std::string>(), std::string("no_owner"));
    QCOMPARE(nobody["mutex"].get<std::string>(), std::string("orders"));
    QCOMPARE(nobody["from_ns"].get<qint64>(), qint64{22'000'000'000});
    QCOMPARE(nobody["to_ns"].get<qint64>(), qint64{25'000'000'000});
    QCOMPARE(nobody["acknowledged_ns"].get<qint64>(), qint64{24'000'000'000});
    QVERIFY(nobody["muted_ns"].is_null());
    const json& late = told["fired"][1];
    QVERIFY(late["to_ns"].is_null() && late["acknowledged_ns"].is_null());
    QCOMPARE(late["muted_ns"].get<qint64>(), qint64{41'000'000'000});
    QCOMPARE(late["muted_until_ns"].get<qint64>(), qint64{3'641'000'000'000});
    QVERIFY(told["would_fire"].is_null());
    const QString other = write_file(folder_, "other.toml", QByteArray(kRules).replace("2s", "1s"));
    const json would = watched(ruled(), {"--alerts", other});
    QCOMPARE(would["fired"].size(), std::size_t{2});
    QCOMPARE(would["would_fire"].size(), std::size_t{1});
    QCOMPARE(would["would_fire"][0]["from_ns"].get<qint64>(), qint64{21'000'000'000});
  }

  void theJsonTellsHowItWasLookedAt() {
    const json settings = watched(ruled())["settings"];
    QCOMPARE(settings["stores"].size(), std::size_t{1});
    const json& store = settings["stores"][0];
    QCOMPARE(store["store"].get<std::string>(), std::string("redis://host:6379"));
    QCOMPARE(store["poll_ns"].get<qint64>(), qint64{1'500'000'000});
    QCOMPARE(store["foreign"].get<std::string>(), std::string("likely"));
    QVERIFY(store["beliefs"].get<bool>() && !settings["belief_socket"].get<bool>());
    // Which are rules that can be looked for again.
    const QString rules = write_file(folder_, "again.toml", settings["rules"].get<std::string>().c_str());
    QCOMPARE(watched(ruled(), {"--alerts", rules})["would_fire"].size(), std::size_t{1});
  }

  void theJsonIsOfTheMutexesAndMinutesThatAreAskedFor() {
    const json billing = watched(ruled(), {"--mutex", "bill*"});
    QCOMPARE(billing["mutexes"].size(), std::size_t{1});
    QCOMPARE(billing["fired"].size(), std::size_t{1});
    QCOMPARE(billing["fired"][0]["mutex"].get<std::string>(), std::string("billing"));
    QVERIFY(billing["only"] == json::array({"bill*"}));
    const json minutes = watched(ruled(), {"--from", "03:12:22", "--to", "03:12:30"});
    QCOMPARE(minutes["from_ns"].get<qint64>(), qint64{22'000'000'000});
    QCOMPARE(minutes["to_ns"].get<qint64>(), qint64{30'000'000'000});
    QCOMPARE(minutes["fired"].size(), std::size_t{1});
    QCOMPARE(minutes["mutexes"][0]["owned"].size(), std::size_t{1});
    QCOMPARE(minutes["mutexes"][0]["owned"][0]["owner"].get<std::string>(), std::string("b@host"));
    QVERIFY(watched(ruled(), {"--from", "30s", "--to", "35s"})["fired"].empty());
  }

  void ofARunTheJsonHasNothingOfAWatch() {
    const QString run = folder_.filePath("run.recording");
    QVERIFY(leasescopectl({"run", "healthy", "--record", run}).exit < 2);
    QVERIFY(watched(run) == json("not there"));
  }

  void theReportTellsWhatFiredThatNightBesideWhatWouldHave() {
    const QString other = write_file(folder_, "sooner.toml", QByteArray(kRules).replace("2s", "1s"));
    recording_ = ruled();
    const QStringList fired = rows({"--alerts", other}, "fired"), would = rows({"--alerts", other}, "alerts"),
                      billing = rows({"--mutex", "billing"}, "fired");
    recording_ = night_;
    QCOMPARE(fired, QStringList({"nobody|orders|03:12:22.000|03:12:25.000|3.000 s|nobody has owned it for more than 2s|"
                                 "acknowledged at 03:12:24.000|",
                                 "late &lt;b&gt;|billing|03:12:40.000||20.000 s|renewed with 1s left|"
                                 "muted at 03:12:41.000 until 04:12:41.000|"}));
    QCOMPARE(would.size(), 1);
    QVERIFY2(would.first().startsWith("nobody|orders|03:12:21.000|"), qPrintable(would.first()));
    QCOMPARE(billing, fired.mid(1));
    // Of one that does not keep it, it is not said that nothing did.
    QVERIFY(rows({}, "fired").isEmpty());
    QVERIFY(page_.contains("Which alerts fired is not kept in this recording.") && !page_.contains("No alert fired"));
  }

  void theReportTellsHowTheWatchLooked() {
    recording_ = ruled();
    rows({}, "owners");
    recording_ = night_;
    for (const char* const words : {"redis://host:6379", "looked at each 1.500 s where it tells nobody of changes",
                                    "locks of other makers, also likely ones", "beliefs of processes heard", "[[rule]]",
                                    "for = &quot;2s&quot;", "how this watch looked, and its rules of alerts"})
      QVERIFY2(page_.contains(words), words);
    QVERIFY(!page_.contains("runs it again") && !page_.contains("ttl = &quot;"));
    rows({}, "owners");
    QVERIFY(page_.contains("its recording does not say how this watch looked"));
  }

  // On paper there are the same owners, alerts and settings as in the page.
  void onPaperItIsTheSame() {
    const QString paper = folder_.filePath("evidence.pdf");
    const Ran ran = leasescopectl({"replay", ruled(), "--report", paper});
    QVERIFY2(ran.exit == 0, ran.err);
    const Read read = read_by(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), paper, QStringLiteral("-")});
    QVERIFY2(read.done, read.why);
    // In the type of sentences a colon between figures has a shape of its own, which a reader of the text does not
    // know.
    const QRegularExpression answered(QStringLiteral("acknowledged at 03.12.24\\.000")),
        muted(QStringLiteral("muted at 03.12.41\\.000 until 04.12.41\\.000"));
    for (const QRegularExpression& answer : {answered, muted})
      QVERIFY2(answer.match(read.out).hasMatch(), qPrintable(answer.pattern() + ("\n" + read.out)));
    for (const char* const words : {"Owners", "a@host", "b@host", "c<script>", "#33", "03:12:01.200", "03:12:20.000",
                                    "18.800", "Fired", "late <b>", "03:12:22.000", "What was not observed", "Settings",
                                    "redis://host:6379", "1.500", "[[rule]]", "for = \"2s\""})
      QVERIFY2(read.out.contains(QString::fromUtf8(words)), qPrintable(words + ("\n" + read.out)));
    QVERIFY(!read.out.contains("runs it again"));
  }

  // Whoever is given the recording has the same evidence, to the byte.
  void theSameRecordingGivesTheSameBytes_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("HTML") << "twice.html";
    QTest::newRow("PDF") << "twice.pdf";
    QTest::newRow("CSV") << "twice.csv";
    QTest::newRow("SVG") << "twice.svg";
  }
  void theSameRecordingGivesTheSameBytes() {
    QFETCH(const QString, name);
    const QString copy = folder_.filePath("copy.recording"), path = folder_.filePath(name);
    const auto made = [&](const QString& recording) {
      QFile::remove(path);
      const Ran ran = leasescopectl({"replay", recording, "--report", path, "--json"});
      QList<QByteArray> out;
      if (ran.exit != 0) return out << ran.err;
      return out << ran.out << read_whole(path);
    };
    const QList<QByteArray> first = made(ruled());
    QVERIFY2(first.size() == 2 && first[0].contains("\"watched\"") && first[1].size() > 100, first.first());
    QFile::remove(copy);
    QVERIFY(QFile::copy(ruled(), copy));
    QVERIFY(made(copy) == first);
  }

  void whatCannotBeAskedForIsBadInput_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("a mutex that is not there")
        << QStringList{"--mutex", "order"} << "--mutex order: no such mutex is in ";
    QTest::newRow("a mutex that comes later")
        << QStringList{"--mutex", "billing", "--to", "1500ms"} << "--mutex billing: no such mutex is in ";
    QTest::newRow("... which is said") << QStringList{"--mutex", "billing", "--to", "1500ms"}
                                       << "night.recording before --to 1500ms; there is: orders";
    QTest::newRow("a time before it") << QStringList{"--from", "03:11"} << "the recording is from 2026-11-28 03:12:00";
    QTest::newRow("no time") << QStringList{"--from", "3:1x"} << "--from ";
    QTest::newRow("no rules") << QStringList{"--alerts", "/none.toml"} << "/none.toml";
  }
  void whatCannotBeAskedForIsBadInput() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const Ran ran = leasescopectl(QStringList{"replay", night_} + arguments);
    QCOMPARE(ran.exit, 2);
    SAYS(ran, says.toUtf8());
    if (arguments == QStringList{"--mutex", "order"}) SAYS(ran, "there are: orders, billing");
  }

  // What is left is numbered anew, and what each came of is still what it came of.
  void theEventsOfOneMutexHaveTheirCausesStill() {
    const QString run = folder_.filePath("many.recording"), all = folder_.filePath("all.jsonl"),
                  some = folder_.filePath("some.jsonl");
    QVERIFY(leasescopectl({"run", "healthy", "--set", "mutex.count=3", "--record", run}).exit < 2);
    QVERIFY(leasescopectl({"replay", run, "--history", all}).exit < 2);
    const std::vector<json> whole = lines(all);
    std::string mutex;
    for (const json& each : whole)
      if (each.contains("mutex")) mutex = each["mutex"];
    QVERIFY(leasescopectl({"replay", run, "--mutex", QString::fromStdString(mutex), "--history", some}).exit < 2);
    std::map<std::int64_t, const json*> before;
    std::vector<const json*> expected;
    for (const json& each : whole) {
      before[each["seq"]] = &each;
      if (!each.contains("mutex") || each["mutex"] == mutex) expected.push_back(&each);
    }
    const std::vector<json> chosen = lines(some);
    QCOMPARE(chosen.size(), expected.size());
    QVERIFY(chosen.size() < whole.size());
    int causes = 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      QCOMPARE(chosen[i]["seq"].get<std::size_t>(), i + 1);
      QVERIFY(same(chosen[i], *expected[i]));
      if (!chosen[i].contains("cause")) continue;
      ++causes;
      const std::size_t cause = chosen[i]["cause"].get<std::size_t>();
      QVERIFY(cause >= 1 && cause <= i);
      QVERIFY(same(chosen[cause - 1], *before[(*expected[i])["cause"]]));
    }
    QVERIFY(causes > 0);
  }

 private:
  // Without the line that says what it is a history of.
  static std::vector<json> lines(const QString& path) {
    std::vector<json> out;
    for (const QByteArray& line : read_whole(path).split('\n')) {
      const json each = json::parse(line.toStdString(), nullptr, false);
      if (each.is_object() && each.contains("seq")) out.push_back(each);
    }
    return out;
  }
  // But for their numbers.
  static bool same(json a, json b) {
    for (const char* key : {"seq", "cause"}) a.erase(key), b.erase(key);
    return a == b;
  }
};

LEASESCOPE_SUITE(EvidenceTest)
#include "evidence_test.moc"
