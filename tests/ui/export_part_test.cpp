// Of a watch a part is exported: what came in a stretch of it, of some of its mutexes, as `replay --from --to --mutex`
// has it of a recording.
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <algorithm>

#include "core/history/recording/recording_writer.h"
#include "core/observe/watch_record.h"
#include "simulator/scenario/reader.h"
#include "tests/support/answers_with.h"
#include "tests/support/watched_by_hand.h"
#include "tests/support/window_suite.h"
#include "ui/panels/export_part_dialog.h"
#include "ui/panels/report_export.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/report/report_format.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

TrueTime at(Duration since) { return TrueTime{} + since; }

// Two mutexes: orders goes to beta at 110 s and to gamma at 120 s, bills to pay-two at 115 s.
void happen(WatchedByHand& hand) {
  hand.tell(WatchedByHand::seen("orders", "api-alpha", 1, 60s));
  hand.tell(WatchedByHand::seen("bills", "pay-one", 1, 60s));
  hand.all_seen();
  hand.pass(10s);
  hand.tell(WatchedByHand::seen("orders", "api-beta", 2, 60s));
  hand.pass(5s);
  hand.tell(WatchedByHand::seen("bills", "pay-two", 2, 60s));
  hand.pass(5s);
  hand.tell(WatchedByHand::seen("orders", "api-gamma", 3, 60s));
  hand.pass(10s);
}

WantedPart ordersFor13Seconds() { return {std::pair(at(112s), at(125s)), {"ord*"}}; }

}  // namespace

class ExportPartTest : public WindowSuite {
  Q_OBJECT

  QString recorded() {
    const QString path = home_.filePath(QStringLiteral("night.recording"));
    if (QFile::exists(path)) return path;
    WatchedByHand hand;
    happen(hand);
    auto writer = RecordingWriter::create(path.toStdString());
    if (!writer) return {};
    (*writer)->head(watch_header(hand.watch(), "1.0", 1'764'345'600'000'000'000));
    (*writer)->note(hand.watch().seen_history(), {});
    RecordedOutcome outcome;
    outcome.simulated_ns = outcome.wall_ns = hand.now().time_since_epoch().count();
    hand.watch().end();
    return (*writer)->finish(hand.watch().history(), outcome) ? path : QString();
  }
  static RecordingsPerspective& recordings(TestWindow& window) {
    return *static_cast<RecordingsPerspective*>(window.perspective(QStringLiteral("recordings")));
  }
  void openIn(TestWindow& window) {
    const QString path = recorded();
    QVERIFY(!path.isEmpty());
    show(window);
    window.open(path);
    QTRY_COMPARE_WITH_TIMEOUT(recordings(window).recording().state(), RunState::kFinished, kPatience);
  }
  int exports_ = 0;

  // By the menu, each into a file of its own; empty: nothing was written.
  QByteArray exported(TestWindow& window, std::string_view ending) {
    const std::vector<ReportFormat>& formats = report_formats();
    const auto which = static_cast<std::size_t>(report_format_of(ending) - formats.data());
    const QString path = home_.filePath(QStringLiteral("part%1").arg(++exports_) + QString::fromLatin1(ending.data()));
    QSignalSpy written(recordings(window).exporter(), &ReportExport::written);
    const AnswersWith answer(path, false);
    recordings(window).action(exportAction(which))->trigger();
    if (!QTest::qWaitFor([&] { return written.size() == 1; }, kPatience)) return {};
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

 private slots:
  void initTestCase() { WindowSuite::initTestCase(); }

  void aPartComesToWhatHappenedInIt() {
    WatchedByHand hand;
    happen(hand);
    const History& all = hand.watch().history();
    const auto scenario = read_scenario(watch_scenario(), "watch.toml");
    QVERIFY(scenario.has_value());
    History page;
    page.names = all.names;
    page.legend = all.legend;
    ReportedPart part(ordersFor13Seconds(), "live", *scenario, page);
    for (std::size_t i = 0; i < all.events.size(); i += 3) {
      const std::size_t before = page.events.size();
      const auto from = all.events.begin() + static_cast<std::ptrdiff_t>(i);
      page.events.insert(page.events.end(), from,
                         from + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, all.events.size() - i)));
      part.take(page, before);
    }
    page.now = all.now;
    Outcome outcome;
    part.finish(page, outcome);
    QCOMPARE(all.summary.handoffs, std::uint64_t{3});
    QCOMPARE(page.summary.handoffs, std::uint64_t{1});
    QCOMPARE(outcome.summary.handoffs, std::uint64_t{1});
    QVERIFY(page.now == at(125s) && outcome.simulated == Duration(13s));
    QCOMPARE(outcome.not_judged, std::string("some mutexes of a run, from 112.000 to 125.000 s"));
    QVERIFY(!page.events.empty() && page.events.size() < all.events.size());
    for (const Event& event : page.events) {
      QVERIFY(event.at() <= at(125s));
      QVERIFY(event.mutex.empty() || page.names.text(event.mutex) == "orders");
    }
  }

  void whatFiredOfOtherMutexesIsNotInIt() {
    WatchedByHand hand;
    happen(hand);
    History frame = hand.watch().ended();
    const auto scenario = read_scenario(watch_scenario(), "watch.toml");
    const ReportedPart part(ordersFor13Seconds(), "live", *scenario, frame);
    WatchAccount account;
    account.fired.emplace();
    for (const auto& [kind, subject] :
         {std::pair("no_owner", "orders"), std::pair("no_owner", "bills"), std::pair("store_away", "redis://host")}) {
      AlertNote& note = account.fired->emplace_back();
      note.kind = kind;
      note.subject = frame.names.intern(subject);
    }
    part.choose(account, frame.names);
    QCOMPARE(account.fired->size(), std::size_t{2});
    QCOMPARE(frame.names.text(account.fired->front().subject), std::string_view("orders"));
    QCOMPARE(account.fired->back().kind, std::string("store_away"));
  }

  void whatIsAskedForIsWhatThereIs() {
    PartOffer offer;
    offer.seen = {at(100s), at(130s)};
    offer.mutexes = {"orders @ redis://a", "orders @ redis://b", "bills @ redis://a"};
    ExportPartDialog all(offer);
    QVERIFY(all.all()->isChecked() && !all.measured()->isEnabled());
    QVERIFY(all.part().all());
    all.seen()->click();
    all.mutexes()->setText(QStringLiteral("ord*, bills"));
    QVERIFY2(all.button()->isEnabled(), qPrintable(all.error()));
    QVERIFY(all.part().stretch == std::optional(offer.seen));
    QCOMPARE(all.part().mutexes, (std::vector<std::string>{"ord*", "bills"}));
    all.mutexes()->setText(QStringLiteral("bills, taxes"));
    QVERIFY(!all.button()->isEnabled());
    QCOMPARE(all.error(), QString("No mutex was seen that is called taxes"));
    offer.measured = {at(110s), at(112s)};
    offer.chosen = "orders @ redis://b";
    ExportPartDialog measured(offer);
    measured.findChild<QPushButton*>(QStringLiteral("exportChosen"))->click();
    QVERIFY(measured.measured()->isChecked());
    QVERIFY(measured.part().stretch == offer.measured);
    QCOMPARE(measured.part().mutexes, std::vector<std::string>{"orders @ redis://b"});
  }

  void ofARecordingOfAWatchAPartIsExported() {
    TestWindow window;
    openIn(window);
    PartOffer offered;
    recordings(window).askPartWith([&](const PartOffer& offer) {
      offered = offer;
      return std::optional(ordersFor13Seconds());
    });
    const QByteArray leases = exported(window, ".csv");
    QVERIFY2(leases.contains("api-beta") && leases.contains("api-gamma"), leases);
    QVERIFY2(!leases.contains("api-alpha") && !leases.contains("pay-"), leases);
    QCOMPARE(offered.mutexes.size(), std::size_t{2});
    QVERIFY(offered.seen.first >= TrueTime{} && offered.seen.second <= recordings(window).recording().now());
    const QByteArray events = exported(window, ".events.csv");
    QVERIFY2(events.contains("api-gamma") && events.count('\n') > 2, events);
    QVERIFY2(!events.contains("pay-") && !events.contains("bills") && !events.contains("granted,1"), events);
    const QByteArray page = exported(window, ".html");
    QVERIFY(page.contains("api-beta") && page.contains("api-gamma"));
    QVERIFY(!page.contains("pay-one") && !page.contains("pay-two") && !page.contains("bills"));
    QVERIFY2(page.contains("Only ord* is reported") && page.contains("112.000"), page.left(4'000));
    // Nothing asked for less: all of it.
    recordings(window).askPartWith([](const PartOffer&) { return std::optional(WantedPart{}); });
    const QByteArray whole = exported(window, ".csv");
    QVERIFY2(whole.contains("api-alpha") && whole.contains("pay-two"), whole);
  }

  void whoAsksForNothingAfterAllIsAskedForNoFile() {
    TestWindow window;
    openIn(window);
    int asked = 0;
    recordings(window).askPartWith([&](const PartOffer&) {
      ++asked;
      return std::optional<WantedPart>();
    });
    recordings(window).action(exportAction(0))->trigger();
    QCOMPARE(asked, 1);
    QVERIFY(!recordings(window).exporter()->busy());
  }
};

LEASESCOPE_SUITE(ExportPartTest)
#include "export_part_test.moc"
