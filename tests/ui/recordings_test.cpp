// Recordings in the window: saved from the Lab, opened, read in part, refused; and that each perspective is left and
// found as it was.
#include <QAbstractItemModelTester>
#include <QDockWidget>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFile>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>

#include "core/history/history_lines.h"
#include "core/history/recording/recording_reader.h"
#include "tests/support/heartbeat.h"
#include "tests/support/recorded_file.h"
#include "tests/support/recordings.h"
#include "tests/support/window_suite.h"
#include "ui/lab/run_saver.h"
#include "ui/models/words.h"
#include "ui/panels/cursor_panel.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/scrubber.h"
#include "ui/panels/summary_bar.h"
#include "ui/recordings/recent_recordings.h"
#include "ui/recordings/recordings_panel.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/theme/look.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

RecordingsPerspective& recordings(MainWindow& window) {
  return *static_cast<RecordingsPerspective*>(window.perspective(QStringLiteral("recordings")));
}

void write(const QString& path, const std::string& text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(text.data(), static_cast<qint64>(text.size())), static_cast<qint64>(text.size()));
}

// Bytes in the middle of the file, which are those of events, are turned round.
void damage(const QString& path) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadWrite));
  const qint64 middle = file.size() / 2;
  file.seek(middle);
  QByteArray bytes = file.read(400);
  for (char& byte : bytes) byte = static_cast<char>(~byte);
  file.seek(middle);
  file.write(bytes);
}

}  // namespace

class RecordingsTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void init() {
    UiSuite::init();
    QSettings().clear();
  }

  void whatIsOpenedIsTheRunThatWasRecorded() {
    const QString path = file("gc-pause.recording");
    const Recorded was = record(path, "gc-pause");
    TestWindow window;
    show(window);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&recordings(window)));
    QCOMPARE(fromText(difference(*session.history(), was.history)), QString());
    QCOMPARE(session.outcome().as_expected, was.outcome.as_expected);
    QCOMPARE(session.traceHash(), was.outcome.trace_hash);
    QTRY_COMPARE(recordings(window).results()->incidents()->rowCount(), static_cast<int>(was.history.incidents.size()));
    QCOMPARE(recordings(window).view()->timeline()->data().incidents().size(), was.history.incidents.size());
    QTRY_VERIFY(session.selectedIncident() >= 0);  // the worst is told of at once
    QVERIFY(window.windowTitle().startsWith(QStringLiteral("gc-pause.recording")));
  }

  void itsPlayheadGoesAnywhereAndStepsByEvents() {
    const QString path = file("healthy.recording");
    record(path, "healthy");
    TestWindow window;
    show(window);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    const TrueTime middle = TrueTime{} + session.length() / 2;
    session.seek(middle);
    QCOMPARE(session.playhead(), middle);
    QCOMPARE(recordings(window).view()->timeline()->cursorTime(), middle);
    QVERIFY(!session.traceHash());  // it is that of the whole run
    const auto& events = session.history()->events;
    const auto next = std::find_if(events.begin(), events.end(), [&](const Event& e) { return e.at() > middle; });
    recordings(window).action(RecordingAction::kStep)->trigger();
    QCOMPARE(session.playhead(), next->at());
    const auto before =
        std::find_if(events.rbegin(), events.rend(), [&](const Event& e) { return e.at() < next->at(); });
    recordings(window).action(RecordingAction::kStepBack)->trigger();
    QCOMPARE(session.playhead(), before->at());
    session.seek(TrueTime::max());
    QCOMPARE(session.playhead(), session.now());
    session.stepForward(5);
    QCOMPARE(session.playhead(), session.now());
  }

  void whatIsNoRecordingIsRefusedAndWhatIsOpenStays() {
    const QString good = file("good.recording"), bad = file("bad.recording");
    record(good, "healthy");
    QFile no(bad);
    QVERIFY(no.open(QIODevice::WriteOnly));
    no.write("SQLite format 3, but of nobody");
    no.close();
    TestWindow window;
    show(window);
    RecordingsPerspective& shown = recordings(window);
    window.open(bad);
    QTRY_VERIFY(!shown.view()->problem()->problem().empty());
    QCOMPARE(shown.recording().state(), RunState::kEmpty);
    QVERIFY(shown.view()->problem()->problem().title.contains(QStringLiteral("bad.recording")));
    window.open(good);
    QTRY_COMPARE_WITH_TIMEOUT(shown.recording().state(), RunState::kFinished, kPatience);
    QVERIFY(shown.view()->problem()->problem().empty());
    window.open(bad);
    QTRY_VERIFY(!shown.view()->problem()->problem().empty());
    QCOMPARE(shown.recording().path(), good);
    QCOMPARE(shown.recording().state(), RunState::kFinished);
    QVERIFY(!shown.view()->problem()->problem().remains.isEmpty());
    window.open(file("nowhere.recording"));
    QTRY_VERIFY(shown.view()->problem()->problem().title.contains(QStringLiteral("nowhere")));
  }

  void aHistoryInWordsIsOpenedLikeARecording() {
    const Recorded was = record(file("lines.recording"), "gc-pause");
    HistoryLines lines;
    const auto found = find_scenario("gc-pause");
    std::string text = header_line(history_header(*found, was.outcome, TrueTime::max()));
    for (Sequence number = 1; number <= was.history.last(); ++number) lines.add(was.history, number, text);
    const QString good = file("run.jsonl"), wrong = file("wrong.jsonl"), calls = file("calls.edn");
    write(good, text);
    write(wrong, text.substr(0, text.find("{\"seq\":200,")) + "nonsense\n");
    write(calls, "; of a test\n{:process 0, :type :invoke, :f :acquire, :time 5}\n");
    TestWindow window;
    show(window);
    RecordedSession& session = recordings(window).recording();
    window.open(good);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&recordings(window)));
    QCOMPARE(session.history()->events.size(), was.history.events.size());
    QTRY_COMPARE(recordings(window).results()->incidents()->rowCount(), static_cast<int>(was.history.incidents.size()));
    QCOMPARE(recordings(window).view()->timeline()->data().incidents().size(), was.history.incidents.size());
    QVERIFY(!session.outcome().as_expected);
    window.open(wrong);
    const ProblemBox& told = *recordings(window).view()->problem();
    QTRY_VERIFY_WITH_TIMEOUT(told.problem().message.contains(QStringLiteral("wrong.jsonl:201:1: expected")), kPatience);
    QCOMPARE(session.history()->events.size(), std::size_t{199});  // those before are right
    window.open(calls);
    QTRY_VERIFY_WITH_TIMEOUT(session.path() == calls, kPatience);
    QCOMPARE(session.whereText(), QStringLiteral("a history of calls"));
    QCOMPARE(session.history()->events.size(), std::size_t{1});
    QVERIFY(told.problem().empty());
    const QStringList filters = recordings(window).fileFilters();
    QVERIFY2(filters.join(u';').contains(QStringLiteral("*.jsonl *.edn *.json")), qPrintable(filters.join(u';')));
  }

  void oneThatIsStillWrittenIsFollowed() {
    const QString path = file("growing.recording");
    const auto found = find_scenario("gc-pause");
    VirtualRun run(*found);
    auto writer = RecordingWriter::create(path.toStdString());
    (*writer)->head(history_header(*found, run.outcome(), TrueTime::max()));
    const auto until = [&](Duration to) {
      run.advance(TrueTime{} + to);
      (*writer)->append(run.history());
    };
    until(std::chrono::seconds(10));
    QTRY_VERIFY((*writer)->written() > 0);
    TestWindow window;
    show(window);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    TimelineView& chart = *recordings(window).view()->timeline();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    QVERIFY(!session.whole() && !session.grows());
    const History* const place = session.history();
    chart.fitRange(TrueTime{} + std::chrono::seconds(4), TrueTime{} + std::chrono::seconds(12), false);
    recordings(window).action(ChartAction::kFollow)->setChecked(true);
    const auto span = [&] { return chart.visibleRange().second - chart.visibleRange().first; };
    const Duration zoom = span();
    until(std::chrono::seconds(20));
    QTRY_COMPARE_WITH_TIMEOUT(session.history()->last(), run.history().last(), kPatience);
    QCOMPARE(session.history(), place);  // it grew; it was not read again
    QCOMPARE(session.state(), RunState::kRunning);
    QCOMPARE(session.playhead(), session.now());
    QVERIFY(session.now() >= chart.visibleRange().first && session.now() <= chart.visibleRange().second);
    QCOMPARE(span(), zoom);
    // Who looks at what was stays there while it grows, and comes back at the same zoom.
    QTest::keyClick(&chart, Qt::Key_Left);
    QVERIFY(!chart.follows());
    session.seek(TrueTime{} + std::chrono::seconds(9));
    QCOMPARE(session.state(), RunState::kPaused);
    const auto looked = chart.visibleRange();
    until(std::chrono::seconds(30));
    QTRY_COMPARE_WITH_TIMEOUT(session.history()->last(), run.history().last(), kPatience);
    QCOMPARE(chart.visibleRange(), looked);
    QCOMPARE(session.playhead(), TrueTime{} + std::chrono::seconds(9));
    QCOMPARE(chart.cursorTime(), session.playhead());
    session.seek(session.now());
    QCOMPARE(session.state(), RunState::kRunning);
    recordings(window).action(ChartAction::kFollow)->trigger();
    QVERIFY(session.now() <= chart.visibleRange().second);
    QCOMPARE(span(), zoom);
    // Its end is the run's.
    run.advance(TrueTime::max());
    run.finish();
    QVERIFY((*writer)->finish(run.history(), recorded(run.outcome())));
    QTRY_VERIFY_WITH_TIMEOUT(session.whole(), kPatience);
    QCOMPARE(session.state(), RunState::kFinished);
    QCOMPARE(fromText(difference(*session.history(), run.history())), QString());
    QCOMPARE(session.outcome().as_expected, run.outcome().as_expected);
    QCOMPARE(chart.data().incidents().size(), run.history().incidents.size());
    QTRY_COMPARE(recordings(window).results()->incidents()->rowCount(),
                 static_cast<int>(run.history().incidents.size()));
  }

  void oneWhoseProgramWasKilledIsNotFollowedForGood() {
    const QString path = file("killed.recording");
    const auto found = find_scenario("gc-pause");
    VirtualRun run(*found);
    auto writer = RecordingWriter::create(path.toStdString());
    (*writer)->head(history_header(*found, run.outcome(), TrueTime::max()));
    run.advance(TrueTime{} + std::chrono::seconds(5));
    (*writer)->append(run.history());
    QTRY_VERIFY((*writer)->written() > 0);
    TestWindow window;
    show(window);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    run.advance(TrueTime{} + std::chrono::seconds(9));
    (*writer)->append(run.history());
    writer->reset();
    QTRY_COMPARE_WITH_TIMEOUT(session.history()->last(), run.history().last(), kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    QCOMPARE(session.outcome().not_judged, std::string("the recording ends before the run did"));
  }

  void aDamagedOneIsShownUpToTheDamageAndIsNoVerdict() {
    const QString path = file("damaged.recording");
    const Recorded was = record(path, "gc-pause", {"duration=20000s"});
    damage(path);
    TestWindow window;
    show(window);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    const Problem& problem = recordings(window).view()->problem()->problem();
    QVERIFY2(problem.message.contains(QStringLiteral("damaged")), qPrintable(problem.message));
    const auto& events = session.history()->events;
    QVERIFY(events.size() > 1000 && events.size() < was.history.events.size());
    for (std::size_t i = 0; i < events.size(); i += 97) QVERIFY(same(events[i], was.history.events[i]));
    QVERIFY(session.now() == events.back().at());
    for (const Incident& incident : session.history()->incidents) QVERIFY(incident.start <= session.now());
    QVERIFY(!session.outcome().as_expected);
    QVERIFY(recordings(window).summary()->text().contains(QStringLiteral("cannot be read")));
  }

  // The chart, the cursor's panel and the table of contenders are made beside the window.
  void whatIsMadeBesideTheWindowIsWhatTheWindowMakes() {
    for (const char* name :
         {"gc-pause", "quorum-gc-pause", "fenced-gc-pause", "latch-gc-pause", "bank-transfer-naive"}) {
      const QString path = file("beside.recording");
      record(path, name, {"duration=400s"});
      TestWindow window;
      show(window);
      RecordedSession& session = recordings(window).recording();
      CursorPanel cursor(session);
      window.open(path);
      QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
      session.selectIncident(-1);
      TimelineView* const shown = recordings(window).view()->timeline();
      TimelineView chart;
      chart.setTheme(Look::instance().theme());
      chart.resize(shown->size());
      chart.show();
      chart.setRun(session.facts());
      QVERIFY(!chart.data().incidents().size());
      chart.appendHistory(*session.history());
      chart.setNow(session.now());
      ContendersModel contenders;
      contenders.setHistory(session.history(), &session.cast());
      const ContendersModel& table = *recordings(window).results()->contenders();
      QCOMPARE(table.rowCount(), contenders.rowCount());
      for (int row = 0; row < table.rowCount(); ++row)
        for (int column = 0; column < ContendersModel::kColumns; ++column)
          QCOMPARE(table.index(row, column).data(), contenders.index(row, column).data());
      const auto asLarge = [&] {  // when docks have found their sizes
        chart.resize(shown->size());
        return chart.viewport()->size() == shown->viewport()->size();
      };
      QTRY_VERIFY(asLarge());
      for (const int second : {0, 7, 61, 222, 399}) {
        const TrueTime at = TrueTime(std::chrono::seconds(second)), to = at + std::chrono::seconds(20);
        for (TimelineView* const each : {shown, &chart}) {
          each->setFollow(false);
          each->fitRange(at, to, false);
          each->setCursorTime(at);
        }
        QVERIFY(asLarge());
        QCOMPARE(shown->viewport()->grab().toImage(), chart.viewport()->grab().toImage());
        for (CursorPanel* const each : {recordings(window).cursor(), &cursor}) each->setTime(at);
        QVERIFY(!cursor.accessibleDescription().isEmpty());
        QCOMPARE(recordings(window).cursor()->accessibleDescription(), cursor.accessibleDescription());
      }
    }
  }

  void readingCanBeStoppedAndWhatHasComeStays() {
    const QString path = file("long.recording");
    const Recorded was = record(path, "gc-pause", {"duration=200000s"});
    TestWindow window;
    show(window);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_VERIFY(session.preparation().permille > 0);
    QCOMPARE(session.state(), RunState::kPreparing);
    QVERIFY(session.preparation().words.contains(QStringLiteral("events")));
    QVERIFY(!session.whyNoTravel().isEmpty());
    QVERIFY(recordings(window).action(RecordingAction::kStop)->isEnabled());
    recordings(window).action(RecordingAction::kStop)->trigger();
    QTRY_COMPARE(session.state(), RunState::kFinished);
    const auto& events = session.history()->events;
    QVERIFY(events.size() > 1000 && events.size() < was.history.events.size());
    for (const Incident& incident : session.history()->incidents) QVERIFY(incident.start <= session.now());
    QVERIFY(!session.outcome().as_expected);
    recordings(window).action(RecordingAction::kReadAgain)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(session.history()->events.size(), was.history.events.size(), kPatience);
  }

  void whatIsOpenIsUsedWhileAnotherIsRead() {
    const QString first = file("first.recording"), second = file("second.recording");
    record(first, "gc-pause");
    record(second, "gc-pause", {"duration=100000s"});
    TestWindow window;
    show(window);
    window.open(first);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    window.open(second);
    QCOMPARE(session.state(), RunState::kPreparing);
    session.seek(TrueTime(std::chrono::seconds(10)));
    QCOMPARE(session.playhead(), TrueTime(std::chrono::seconds(10)));
    QCOMPARE(session.path(), first);
    QTRY_COMPARE_WITH_TIMEOUT(session.path(), second, kPatience);
    window.open(first);
    recordings(window).action(RecordingAction::kStop)->trigger();  // before anything has come, or it was quicker
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    QVERIFY(session.history() != nullptr);
  }

  void itIsReadWithoutHoldingTheWindowUp() {
    const QString path = file("million.recording");
    const Recorded was = record(path, "gc-pause", {"duration=100000s"});
    TestWindow window;
    show(window);
    Heartbeat heart;
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    const Heartbeat::Silence longest = heart.longest();
    QCOMPARE(session.history()->events.size(), was.history.events.size());
    QVERIFY2(longest.own_ms < 100, qPrintable(QStringLiteral("%1 ms").arg(longest.own_ms)));
  }

  void oneWhoseRunHadNotEndedSaysSo() {
    const QString path = file("cut.recording");
    record(path, "healthy", {}, false);
    TestWindow window;
    show(window);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    QVERIFY(!session.whole());
    QVERIFY(recordings(window).summary()->text().contains(QStringLiteral("before the run did")));
  }

  void aRunOfTheLabIsSavedAndIsTheSame() {
    TestWindow window;
    runToItsEnd(window);
    const QString path = file("saved.recording");
    RunSaver* saver = window.labPerspective().saver();
    QCOMPARE(saver->whyNot(), QString());
    QSignalSpy saved(saver, &RunSaver::saved);
    saver->save(path);
    QVERIFY(saver->busy());
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
    QVERIFY(!saver->busy());
    QVERIFY(!QFile::exists(path + QStringLiteral(".part")));
    QCOMPARE(recordings(window).recent()->rowOf(path), 0);
    const auto read = RecordingReader::open(path.toStdString());
    QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    QCOMPARE(fromText(difference(*session.history(), *window.lab().history())), QString());
    QCOMPARE(session.traceHash(), window.lab().traceHash());
    QCOMPARE(session.outcome().as_expected, window.lab().outcome().as_expected);
  }

  void aForkIsSavedWithItsFork() {
    TestWindow window;
    runToItsEnd(window);
    window.lab().seek(TrueTime(std::chrono::seconds(10)));
    QVERIFY(window.lab().edit("resource.0.fencing", "false").has_value());
    window.lab().forkHere();
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    const QString path = file("fork.recording");
    QSignalSpy saved(window.labPerspective().saver(), &RunSaver::saved);
    window.labPerspective().saver()->save(path);
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    QCOMPARE(session.forks(), window.lab().forks());
    QCOMPARE(session.traceHash(), window.lab().traceHash());
  }

  void whatCannotBeWrittenLeavesNothing() {
    TestWindow window;
    runToItsEnd(window);
    RunSaver* saver = window.labPerspective().saver();
    QSignalSpy failed(saver, &RunSaver::failed);
    saver->save(file("no-such-folder/x.recording"));
    QCOMPARE(failed.size(), 1);
    QVERIFY(!saver->busy());
    QVERIFY(!window.view()->problem()->problem().empty());
    // Another run takes its place before it is written.
    const QString path = file("replaced.recording");
    saver->save(path);
    window.lab().restart();
    QTRY_VERIFY(!saver->busy());
    const auto left = [&] { return QDir(QFileInfo(path).path()).entryList({QStringLiteral("replaced*")}); };
    QTRY_VERIFY(left().isEmpty());  // which goes beside the window
    // Nor does the window wait for what it gives up.
    runToItsEnd(window);
    saver->save(path);
    QElapsedTimer waited;
    waited.start();
    saver->cancel();
    QVERIFY2(waited.elapsed() < 50, qPrintable(QString::number(waited.elapsed())));
    QVERIFY(!saver->busy());
    saver->save(path);
    QTRY_VERIFY_WITH_TIMEOUT(!saver->busy(), kPatience);
    QTRY_COMPARE(left(), QStringList{QFileInfo(path).fileName()});
  }

  void recentOnesAreRememberedAndCanBeTakenFromTheList() {
    const QString path = file("kept.recording"), gone = file("gone.recording");
    record(path, "healthy");
    record(gone, "healthy");
    {
      TestWindow window;
      show(window);
      for (const QString& each : {gone, path}) {
        window.open(each);
        QTRY_COMPARE_WITH_TIMEOUT(recordings(window).recording().path(), each, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(recordings(window).recording().state(), RunState::kFinished, kPatience);
      }
      QTRY_VERIFY(!recordings(window).recent()->index(0).data(RecentRecordings::kAboutRole).toString().isEmpty());
      window.remember();
    }
    QFile::remove(gone);
    TestWindow window;
    window.restore();
    RecentRecordings& recent = *recordings(window).recent();
    const QAbstractItemModelTester tester(&recent, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&recordings(window)));
    QCOMPARE(recent.rowCount(), 2);
    QCOMPARE(recent.rowOf(path), 0);
    QVERIFY(
        recent.index(0).data(RecentRecordings::kAboutRole).toString().startsWith(QStringLiteral("healthy, virtual")));
    QVERIFY(recent.index(1).data(RecentRecordings::kGoneRole).toBool());
    show(window);
    QListView* list = recordings(window).recordings()->list();
    list->setCurrentIndex(list->model()->index(1, 0));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(recent.rowCount(), 1);
    QTest::keyClick(list, Qt::Key_Up);
    QTest::keyClick(list, Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(recordings(window).recording().state(), RunState::kFinished, kPatience);
    for (int i = 0; i < RecentRecordings::kMost + 5; ++i) recent.note(QStringLiteral("/tmp/%1.recording").arg(i), {});
    QCOMPARE(recent.rowCount(), RecentRecordings::kMost);
  }

  void aFileThatIsDroppedIsOpenedByWhoseItIs() {
    const QString recording = file("dropped.recording"), scenario = file("dropped.toml");
    record(recording, "healthy");
    const auto& all = built_in_scenarios();
    QFile toml(scenario);
    QVERIFY(toml.open(QIODevice::WriteOnly));
    toml.write(std::string(all.front().toml).c_str());
    toml.close();
    TestWindow window;
    show(window);
    const auto drop = [&](const QString& path) {
      QMimeData data;
      data.setUrls({QUrl::fromLocalFile(path)});
      QDragEnterEvent entered(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QCoreApplication::sendEvent(&window, &entered);
      QVERIFY(entered.isAccepted());
      QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
      QCoreApplication::sendEvent(&window, &event);
    };
    drop(recording);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&recordings(window)));
    QTRY_COMPARE_WITH_TIMEOUT(recordings(window).recording().state(), RunState::kFinished, kPatience);
    drop(scenario);
    QCOMPARE(&window.current(), static_cast<Perspective*>(&window.labPerspective()));
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    QVERIFY(recordings(window).recording().history() != nullptr);  // it is still there
  }

  void keysAndMenusAreThoseOfThePerspectiveThatIsShown() {
    const QString path = file("keys.recording");
    record(path, "gc-pause");
    TestWindow window;
    runToItsEnd(window);
    window.open(path);
    RecordedSession& session = recordings(window).recording();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), RunState::kFinished, kPatience);
    const TrueTime labs = window.lab().playhead();
    session.seek(TrueTime(std::chrono::seconds(10)));
    QTest::keyClick(&window, Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(session.playhead() < TrueTime(std::chrono::seconds(10)));
    QTest::keyClick(&window, Qt::Key_Space);  // runs in the Lab, which is not shown
    QCOMPARE(window.lab().playhead(), labs);
    QCOMPARE(window.lab().state(), RunState::kFinished);
    QStringList menus;
    for (const QAction* menu : window.menuBar()->actions()) menus << menu->text();
    QVERIFY(!menus.contains(QStringLiteral("&Run")));
    window.findChild<QTabBar*>(QStringLiteral("perspectives"))->setCurrentIndex(0);
    QTest::keyClick(&window, Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(window.lab().playhead() < labs);
  }

  void eachPerspectiveIsFoundAsItWasLeft() {
    const auto dock = [](Perspective& of, const char* name) {
      return of.findChild<QDockWidget*>(QString::fromLatin1(name));
    };
    {
      TestWindow window;
      window.restore();
      show(window, {1300, 800});
      dock(window.labPerspective(), "cursorDock")->hide();
      window.turnTo(recordings(window));
      QVERIFY(dock(recordings(window), "cursorDock")->isVisible());
      dock(recordings(window), "selectionDock")->hide();
      window.close();
    }
    TestWindow window;
    window.restore();
    show(window, {1300, 800});
    QCOMPARE(&window.current(), static_cast<Perspective*>(&recordings(window)));
    QVERIFY(dock(recordings(window), "cursorDock")->isVisible());
    QVERIFY(!dock(recordings(window), "selectionDock")->isVisible());
    window.action(WindowAction::kResetLayout)->trigger();
    QVERIFY(dock(recordings(window), "selectionDock")->isVisible());
    window.turnTo(window.labPerspective());
    QVERIFY(!dock(window.labPerspective(), "cursorDock")->isVisible());
    QVERIFY(dock(window.labPerspective(), "selectionDock")->isVisible());
  }

 private:
  QString file(const char* name) const { return home_.filePath(QString::fromLatin1(name)); }
};

LEASESCOPE_SUITE(RecordingsTest)
#include "recordings_test.moc"
