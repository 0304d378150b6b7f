// Markers, notes to incidents and named views: put by mouse and by keys, undone, kept beside a recording, and never
// written over what cannot be read.
#include <rapidcheck.h>

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QFile>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>
#include <QUndoStack>

#include "tests/support/window_suite.h"
#include "ui/lab/run_saver.h"
#include "ui/models/words.h"
#include "ui/notes/notes_panel.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/summary_bar.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/command_palette.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

RecordingsPerspective& recordings(MainWindow& window) {
  return *static_cast<RecordingsPerspective*>(window.perspective(QStringLiteral("recordings")));
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString& path, const QByteArray& text) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text);
}

std::string any_name() {
  return *rc::gen::element<std::string>("", "c1", "two words", "q\"uo\\te", "ümläut", "line\nbreak", "𝄞");
}
std::vector<std::string> any_names() {
  std::vector<std::string> out;
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) out.push_back(any_name());
  return out;
}
IncidentKind any_kind() { return kAllIncidentKinds[static_cast<std::size_t>(*rc::gen::inRange(0, kIncidentKinds))]; }
TrueTime any_time() { return TrueTime(Duration(*rc::gen::arbitrary<std::int64_t>())); }

Notes any_notes() {
  Notes notes;
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i)
    put_marker(notes, {any_time(), fromText(any_name()), fromText(any_name())});
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i)
    notes.incidents.push_back({any_kind(), any_name(), any_time(), any_names(), fromText(any_name())});
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
    NamedView view{fromText(any_name()),
                   any_time(),
                   Duration(*rc::gen::inRange<std::int64_t>(1, INT64_MAX)),
                   *rc::gen::inRange(0, 100'000),
                   {}};
    view.rows.by_relevance = *rc::gen::arbitrary<bool>();
    view.rows.unfolded = *rc::gen::arbitrary<bool>();
    view.rows.pinned = any_names();
    view.rows.hidden = any_names();
    view.rows.order = any_names();
    view.rows.filter.words = any_name();
    view.rows.filter.mutex = any_name();
    if (*rc::gen::arbitrary<bool>()) view.rows.filter.kind = any_kind();
    notes.views.push_back(std::move(view));
  }
  return notes;
}

// Answers the dialog that asks for a note.
void answerWith(const QString& text) {
  QTimer::singleShot(0, [text] {
    auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
    QVERIFY(dialog != nullptr);
    dialog->setTextValue(text);
    dialog->accept();
  });
}

}  // namespace

class NotesTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void whatIsWrittenIsReadAgain() {
    const bool held = rc::check("notes", [] {
      const Notes notes = any_notes();
      const auto again = read_notes(notes_text(notes));
      RC_ASSERT(again.has_value());
      RC_ASSERT(*again == notes);
    });
    QVERIFY(held);
  }

  void whatIsNoNotesIsToldWithItsPlace_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("wrong");
    const QByteArray head = R"({"format": "leasescope notes", "version": 1, )";
    QTest::newRow("no JSON") << QByteArray("{\n  \"format\": nonsense\n}") << QStringLiteral("line 2, column 1");
    QTest::newRow("nothing") << QByteArray() << QStringLiteral("line 1, column 1");
    QTest::newRow("a list") << QByteArray("[]") << QStringLiteral("the file: an object in { }");
    QTest::newRow("another's") << QByteArray(R"({"format": "other", "version": 1})") << QStringLiteral("format: ");
    QTest::newRow("newer") << QByteArray(R"({"format": "leasescope notes", "version": 2})")
                           << QStringLiteral("version: 2, of a newer");
    QTest::newRow("a key") << head + R"("colour": 1})" << QStringLiteral("colour: it is not known");
    QTest::newRow("a key inside") << head + R"("markers": [{"at_ns": 1, "hue": 2}]})"
                                  << QStringLiteral("markers[0].hue: it is not known");
    QTest::newRow("no time") << head + R"("markers": [{"name": "a"}]})"
                             << QStringLiteral("markers[0].at_ns: it is missing");
    QTest::newRow("half a time") << head + R"("markers": [{"at_ns": 1.5}]})"
                                 << QStringLiteral("markers[0].at_ns: a whole number");
    QTest::newRow("a kind") << head + R"("incidents": [{"kind": "bad_luck", "start_ns": 1}]})"
                            << QStringLiteral("incidents[0].kind: bad_luck is no kind");
    QTest::newRow("a stretch") << head + R"("views": [{"from_ns": 1, "span_ns": 0}]})"
                               << QStringLiteral("views[0].span_ns: a whole number");
    QTest::newRow("names") << head + R"("views": [{"from_ns": 1, "span_ns": 9, "rows": {"hidden": [1]}}]})"
                           << QStringLiteral("views[0].rows.hidden: a list of names");
  }
  void whatIsNoNotesIsToldWithItsPlace() {
    QFETCH(QByteArray, text);
    QFETCH(QString, wrong);
    const auto read = read_notes(text);
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().startsWith(wrong), qPrintable(read.error()));
  }

  void damagedNotesAreAnErrorOrNotesButNeverACrash() {
    const bool held = rc::check("damage", [] {
      QByteArray text = notes_text(any_notes());
      for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
        const auto at = *rc::gen::inRange<qsizetype>(0, text.size());
        if (*rc::gen::arbitrary<bool>())
          text[at] = *rc::gen::arbitrary<char>();
        else
          text.truncate(std::max<qsizetype>(1, at));
      }
      const auto read = read_notes(text);
      RC_ASSERT(read.has_value() || !read.error().isEmpty());
    });
    QVERIFY(held);
  }

  void mergingLosesNothingAndTwiceIsOnce() {
    const bool held = rc::check("merged", [] {
      const Notes a = any_notes(), b = any_notes();
      const Notes both = merged(a, b);
      for (const Marker& each : b.markers) RC_ASSERT(std::count(both.markers.begin(), both.markers.end(), each) > 0);
      for (const NamedView& each : b.views) RC_ASSERT(std::count(both.views.begin(), both.views.end(), each) > 0);
      for (const IncidentNote& each : b.incidents)
        RC_ASSERT(std::any_of(both.incidents.begin(), both.incidents.end(), [&](const IncidentNote& kept) {
          return kept.of_same(each) && kept.text.contains(each.text);
        }));
      RC_ASSERT(merged(a, a) == a);
    });
    QVERIFY(held);
  }

  // ---- by hand

  void aMarkerIsPutNamedGoneToAndUndoneByKeysAlone() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    NotesPanel& panel = *window.labPerspective().notes();
    const QAbstractItemModelTester tester(panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    const Notes& notes = window.labPerspective().notebook().notes();
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Escape);
    for (const int at : {20, 5, 9}) {
      chart.setCursorTime(TrueTime(std::chrono::seconds(at)));
      QTest::keyClick(&chart, Qt::Key_M);
    }
    QCOMPARE(notes.markers.size(), 3U);
    QCOMPARE(notes.markers[0].at, TrueTime(5s));
    QCOMPARE(notes.markers[0].name, QStringLiteral("Marker 2"));
    QVERIFY(window.summary()->text().contains(QStringLiteral("Marker 3 at 9.000 s; F2 names it")));
    QTest::keyClick(&chart, Qt::Key_M);  // a second one there would lie under it
    QCOMPARE(notes.markers.size(), 3U);
    QTest::keyClick(&chart, Qt::Key_F2);
    auto* editor = panel.findChild<QLineEdit*>();
    QTRY_VERIFY(editor != nullptr && editor->hasFocus());
    QTest::keyClicks(editor, QStringLiteral("here it begins"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(notes.markers[1].name, QStringLiteral("here it begins"));
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_N);
    QCOMPARE(chart.cursorTime(), TrueTime(20s));
    QTest::keyClick(&chart, Qt::Key_N);
    QCOMPARE(chart.cursorTime(), TrueTime(20s));
    QTest::keyClick(&chart, Qt::Key_N, Qt::ShiftModifier);
    QTest::keyClick(&chart, Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(chart.cursorTime(), TrueTime(5s));
    panel.setFocus();
    panel.show(NotesModel::Kind::kMarker, 1, false);
    QTest::keyClick(&panel, Qt::Key_Return);
    QCOMPARE(chart.cursorTime(), TrueTime(9s));
    QTest::keyClick(&panel, Qt::Key_Delete);
    QCOMPARE(notes.markers.size(), 2U);
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(notes.markers[1].name, QStringLiteral("here it begins"));
    for (int i = 0; i < 4; ++i) QTest::keyClick(&chart, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(notes.markers.empty());
    QCOMPARE(panel.model()->rowCount(), 0);
    QTest::keyClick(&chart, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(notes.markers.size(), 1U);
  }

  // Markers, notes to incidents and views in one table, by time, whatever becomes of each of them.
  void theTableOfAllThreeKindsKeepsTheRulesOfModels() {
    TestWindow window;
    runToItsEnd(window);
    Notebook& notebook = window.labPerspective().notebook();
    NotesModel model(window.lab(), notebook);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const int steps = window.lab().undo().index();
    notebook.addMarker(TrueTime(9s));
    notebook.addMarker(TrueTime(2s));
    notebook.addView(TrueTime(4s), 3s, 0);
    IncidentNote note = note_for(*window.lab().history(), window.lab().history()->incidents.front());
    note.text = QStringLiteral("the pause");
    notebook.setNote(note);
    QCOMPARE(model.rowCount(), 4);
    for (int row = 1; row < model.rowCount(); ++row) QVERIFY(model.at(row - 1).at <= model.at(row).at);
    // Every cell that says it can be edited can be, and no other.
    for (int row = 0; row < model.rowCount(); ++row)
      for (int column = 0; column < NotesModel::kColumns; ++column) {
        const QModelIndex cell = model.index(row, column);
        const bool edited = cell.flags().testFlag(Qt::ItemIsEditable);
        QCOMPARE(model.setData(cell, QStringLiteral("another"), Qt::EditRole), edited);
        if (edited) QCOMPARE(model.index(row, column).data(Qt::EditRole).toString(), QStringLiteral("another"));
      }
    window.view()->timeline()->setCurrentRow(1);
    window.action(ChartAction::kTimeOfRow)->trigger();
    QCOMPARE(model.headerData(NotesModel::kTime, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("At, B s"));
    for (const auto kind : {NotesModel::Kind::kIncident, NotesModel::Kind::kView, NotesModel::Kind::kMarker}) {
      const int before = model.rowCount();
      model.remove(model.rowOf(kind, 0));
      QCOMPARE(model.rowCount(), before - 1);
    }
    while (window.lab().undo().index() > steps) window.lab().undo().undo();
    QCOMPARE(model.rowCount(), 0);
    while (window.lab().undo().canRedo()) window.lab().undo().redo();
    QCOMPARE(model.rowCount(), 1);
    QVERIFY(window.lab().open(QStringLiteral("healthy")));  // which has notes of its own
    QCOMPARE(model.rowCount(), 0);
  }

  void byTheMouseAFlagIsGoneToAndNamedAndTheMarkerTakenAway() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    const Notes& notes = window.labPerspective().notebook().notes();
    QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, {chart.pixelOf(TrueTime(31s)), chart.height() - 60});
    const TrueTime at = chart.cursorTime();
    window.action(ChartAction::kPutMarker)->trigger();
    QCOMPARE(notes.markers.size(), 1U);
    QCOMPARE(notes.markers[0].at, at);
    chart.setCursorTime(TrueTime(2s));
    const QRect flag = chart.markerRect(0);
    QVERIFY(!flag.isEmpty() && flag.bottom() < 26);
    QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, {flag.right() - 2, flag.center().y()});
    QCOMPARE(chart.cursorTime(), at);
    const QRect beside = chart.markerRect(0);
    QTest::mouseDClick(chart.viewport(), Qt::LeftButton, {}, beside.center());
    NotesPanel& panel = *window.labPerspective().notes();
    QVERIFY(panel.isVisible());
    auto* editor = panel.findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    QTest::keyClicks(editor, QStringLiteral("here"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(notes.markers[0].name, QStringLiteral("here"));
    chart.setCursorTime(TrueTime(2s));
    const QModelIndex cell = panel.model()->index(0, NotesModel::kTime);
    QTest::mouseClick(panel.viewport(), Qt::LeftButton, {}, panel.visualRect(cell).center());
    QCOMPARE(chart.cursorTime(), at);
    const QPoint on = panel.visualRect(cell).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, on, panel.viewport()->mapToGlobal(on));
    QCoreApplication::sendEvent(panel.viewport(), &event);
    auto* menu = panel.findChild<QMenu*>(QStringLiteral("noteMenu"));
    QVERIFY(menu != nullptr);
    menu->actions().back()->trigger();
    menu->close();
    QVERIFY(notes.markers.empty());
  }

  void aMarkerGoesToTheBeginOfWhatWasSelected() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    const int worst = window.results()->incidents()->worst();
    window.view()->showIncident(worst);
    window.action(ChartAction::kPutMarker)->trigger();
    const Incident& incident = window.lab().history()->incidents[static_cast<std::size_t>(worst)];
    QCOMPARE(window.labPerspective().notebook().notes().markers.back().at, incident.start);
    chart.goToEvent(1);  // the cursor is elsewhere by now
    window.action(ChartAction::kPutMarker)->trigger();
    QCOMPARE(window.labPerspective().notebook().notes().markers.back().at, chart.cursorTime());
  }

  void aMarkerIsDrawnInTheRulerAndAsALine() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    chart.selectIncident(-1);
    chart.fitAll();
    chart.setCursorTime(TrueTime{});
    const QImage before = chart.viewport()->grab().toImage();
    window.labPerspective().notebook().addMarker(TrueTime(30s));
    const QImage after = chart.viewport()->grab().toImage();
    const int x = chart.pixelOf(TrueTime(30s));
    const QRect flag = chart.markerRect(0);
    int column = 0, elsewhere = 0;
    for (int y = 0; y < after.height(); ++y)
      for (int i = 0; i < after.width(); ++i) {
        if (after.pixel(i, y) == before.pixel(i, y)) continue;
        if (i == x)
          ++column;
        else if (y >= 26)
          ++elsewhere;
        else
          QVERIFY2(i >= x - 80 && i <= flag.right() + 80, qPrintable(QString::number(i)));  // the ruler's number goes
      }
    QCOMPARE(elsewhere, 0);
    QVERIFY2(column > 150, qPrintable(QString::number(column)));
    QCOMPARE(after.pixelColor(flag.left(), flag.center().y()), colours(Look::instance().theme()).marker);
  }

  // However many there are and wherever the cursor is.
  void flagsNeverLieOverEachOtherNorUnderTheCursor() {
    TimelineView view;
    view.resize(916, 548);
    view.setRun(RunFacts{});
    const bool held = rc::check("flags", [] {
      ChartData data;
      RunFacts facts;
      facts.length = 60s;
      data.reset(facts);
      const ChartLayout layout = layout_chart(data, 900);
      const Scene scene{data, layout, Viewport::fitting(TrueTime{}, TrueTime(60s), layout.plot_width()), 500};
      Notes notes;
      for (int i = *rc::gen::inRange(1, 80); i > 0; --i)
        put_marker(notes,
                   {TrueTime(std::chrono::milliseconds(*rc::gen::inRange(-5000, 65000))), fromText(any_name()), {}});
      MarkerFlags flags;
      for (const Marker& each : notes.markers) flags.push_back({each.at, each.name, {}});
      const TrueTime cursor(std::chrono::milliseconds(*rc::gen::inRange(0, 60000)));
      const std::vector<FlagPlace> places = flag_places(scene, flags, cursor);
      int last = scene.left() - 1;
      std::size_t seen = 0;
      for (const MarkerFlag& each : flags) seen += scene.shows(each.at) ? 1 : 0;
      RC_ASSERT(places.size() == seen);
      for (const FlagPlace& place : places) {
        if (place.plate.isEmpty()) continue;
        RC_ASSERT(place.plate.left() > last && place.plate.right() < scene.right());
        RC_ASSERT(!place.plate.intersects(cursor_plate(scene, cursor)));
        last = place.plate.right();
      }
    });
    QVERIFY(held);
  }

  void aNoteToAnIncidentIsWrittenToldAndCopied() {
    TestWindow window;
    runToItsEnd(window);
    window.lab().selectIncident(window.results()->incidents()->worst());
    answerWith(QStringLiteral("Ticket 4711:\n<seen> twice"));
    window.action(ChartAction::kIncidentNote)->trigger();
    const Notes& notes = window.labPerspective().notebook().notes();
    QCOMPARE(notes.incidents.size(), 1U);
    QCOMPARE(notes.incidents[0].text, QStringLiteral("Ticket 4711:\n<seen> twice"));
    const auto told = [&window] {
      for (const QLabel* label :
           window.labPerspective().findChild<QWidget*>(QStringLiteral("selectionPanel"))->findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("Ticket 4711")) && label->text().contains(QStringLiteral("&lt;seen")))
          return true;
      return false;
    };
    QVERIFY(told());
    window.action(ChartAction::kCopyIncident)->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\n> Ticket 4711:")));
    // The run made again has the same incident, and the note is at it.
    window.lab().restart();
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    window.lab().selectIncident(window.results()->incidents()->worst());
    QVERIFY(told());
    window.labPerspective().notes()->setCurrentIndex(window.labPerspective().notes()->model()->index(0, 1));
    window.lab().selectIncident(-1);
    Q_EMIT window.labPerspective().notes()->chosen(NotesModel::Kind::kIncident, 0);
    QCOMPARE(window.lab().selectedIncident(), window.results()->incidents()->worst());
    window.action(LabAction::kUndo)->trigger();
    QVERIFY(notes.incidents.empty());
    QVERIFY(!told());
  }

  void aViewIsKeptAndGoneToFromThePalette() {
    TestWindow window;
    runToItsEnd(window);
    TimelineView& chart = *window.view()->timeline();
    chart.fitRange(TrueTime(10s), TrueTime(20s), false);
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_O);
    const auto range = chart.visibleRange();
    QTest::keyClick(&chart, Qt::Key_B);
    QTest::keyClick(&chart, Qt::Key_O);
    chart.fitAll();
    QVERIFY(!chart.rowChoice().by_relevance);
    window.action(WindowAction::kPalette)->trigger();
    QTest::keyClicks(window.commandPalette()->field(), QStringLiteral("show view 1"));
    QTest::keyClick(window.commandPalette()->field(), Qt::Key_Return);
    QTRY_COMPARE(chart.visibleRange(), range);
    QVERIFY(chart.rowChoice().by_relevance);
    QTest::keyClick(&chart, Qt::Key_Backspace);
    QTRY_VERIFY(chart.visibleRange() != range);
    window.action(LabAction::kUndo)->trigger();
    QVERIFY(!chart.rowChoice().by_relevance);
    QVERIFY(!window.action(ChartAction::kBusiestFirst)->isChecked());
  }

  // ---- kept

  void notesOfARunGoWithItIntoTheRecordingAndAreThereAgain() {
    const QString path = QDir::current().filePath(QStringLiteral("kept.recording"));
    {
      TestWindow window;
      runToItsEnd(window);
      window.labPerspective().notebook().addMarker(TrueTime(7s));
      QSignalSpy saved(window.labPerspective().saver(), &RunSaver::saved);
      window.labPerspective().saver()->save(path);
      QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatience);
    }
    QVERIFY(QFileInfo::exists(notes_path(path)));
    TestWindow window;
    opened(window, path);
    Notebook& notebook = recordings(window).notebook();
    QCOMPARE(notebook.notes().markers.size(), 1U);
    QCOMPARE(notebook.notes().markers[0].at, TrueTime(7s));
    notebook.addMarker(TrueTime(8s));
    const auto there = read_notes(contentOf(notes_path(path)));
    QVERIFY(there.has_value());
    QVERIFY(*there == notebook.notes());
    recordings(window).recording().undo().undo();
    QCOMPARE(read_notes(contentOf(notes_path(path)))->markers.size(), 1U);
    recordings(window).action(RecordingAction::kClose)->trigger();
    QVERIFY(notebook.notes().empty());
  }

  void anotherScenarioHasItsOwnNotes() {
    TestWindow window;
    runToItsEnd(window);
    Notebook& notebook = window.labPerspective().notebook();
    notebook.addMarker(TrueTime(7s));
    QVERIFY(window.lab().open(QStringLiteral("healthy")));
    QVERIFY(notebook.notes().empty());
    QVERIFY(!window.lab().undo().canUndo());
    QVERIFY(window.lab().open(QStringLiteral("gc-pause")));
    QCOMPARE(notebook.notes().markers.size(), 1U);
  }

  void notesThatCannotBeReadAreNeverOverwritten() {
    const QString path = recorded(QStringLiteral("damaged.recording"));
    const QByteArray damaged = "{\n  \"format\": \"leasescope notes\",\n  \"version\": 1,\n  \"markers\": [{\"at";
    put(notes_path(path), damaged);
    TestWindow window;
    opened(window, path);
    const Problem problem = recordings(window).view()->problem()->problem();
    QCOMPARE(problem.title, QStringLiteral("damaged.recording.notes.json was not read"));
    QVERIFY2(problem.message.startsWith(QStringLiteral("line 4, column ")), qPrintable(problem.message));
    Notebook& notebook = recordings(window).notebook();
    notebook.addMarker(TrueTime(8s));
    QCOMPARE(notebook.notes().markers.size(), 1U);
    QCOMPARE(contentOf(notes_path(path)), damaged);
    // Mended, and read again: both are there.
    Notes mended;
    put_marker(mended, {TrueTime(3s), QStringLiteral("old"), {}});
    put(notes_path(path), notes_text(mended));
    recordings(window).action(RecordingAction::kReadAgain)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(notebook.notes().markers.size(), 2U, kPatience);
    QCOMPARE(read_notes(contentOf(notes_path(path)))->markers.size(), 2U);
    QVERIFY(notebook.whyNotKept().isEmpty());
  }

  void whatAnotherWindowWroteIsNotOverwritten() {
    const QString path = recorded(QStringLiteral("shared.recording"));
    TestWindow one, other;
    opened(one, path);
    opened(other, path);
    recordings(one).notebook().addMarker(TrueTime(3s));
    recordings(other).notebook().addMarker(TrueTime(4s));
    QCOMPARE(read_notes(contentOf(notes_path(path)))->markers.size(), 1U);
    QVERIFY(recordings(other).view()->problem()->problem().message.contains(QStringLiteral("F5")));
    recordings(other).action(RecordingAction::kReadAgain)->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(read_notes(contentOf(notes_path(path)))->markers.size(), 2U, kPatience);
  }

  // A folder that was taken away meanwhile is as little to be written to as a read-only one, by whomever it is tried.
  void whereNothingCanBeWrittenTheNotesStayInMemory() {
    const QString folder = QDir::current().filePath(QStringLiteral("locked"));
    QVERIFY(QDir().mkpath(folder));
    const QString path = folder + QStringLiteral("/r.recording");
    QVERIFY(QFile::rename(recorded(QStringLiteral("r.recording")), path));
    TestWindow window;
    opened(window, path);
    QVERIFY(QDir(folder).removeRecursively());
    Notebook& notebook = recordings(window).notebook();
    notebook.addMarker(TrueTime(8s));
    QCOMPARE(notebook.notes().markers.size(), 1U);
    const Problem problem = recordings(window).view()->problem()->problem();
    QCOMPARE(problem.title, QStringLiteral("r.recording.notes.json was not written"));
    QVERIFY2(problem.message.contains(QStringLiteral("make its folder writable")), qPrintable(problem.message));
    QVERIFY(problem.remains.contains(QStringLiteral("in memory")));
    QVERIFY(QDir().mkpath(folder));
    notebook.addMarker(TrueTime(9s));
    QVERIFY(notebook.whyNotKept().isEmpty());
    QVERIFY(recordings(window).view()->problem()->problem().empty());
    QCOMPARE(read_notes(contentOf(notes_path(path)))->markers.size(), 2U);
  }

 private:
  // A short run in a file of that name.
  static QString recorded(const QString& name) {
    const QString path = QDir::current().filePath(name);
    TestWindow window;
    runToItsEnd(window);
    QSignalSpy saved(window.labPerspective().saver(), &RunSaver::saved);
    window.labPerspective().saver()->save(path);
    if (saved.isEmpty()) saved.wait(kPatience);
    return path;
  }

  static void opened(TestWindow& window, const QString& path) {
    show(window);
    QSignalSpy done(&recordings(window).recording(), &Session::finished);
    window.open(path);
    QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, kPatience);
  }
};

LEASESCOPE_SUITE(NotesTest)
#include "notes_test.moc"
