// The scenario edited in the window, by mouse and keyboard: text and form in step, one stack of steps, files.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QUndoStack>

#include "tests/support/window_suite.h"
#include "ui/lab/fault_plan.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/text_panel.h"
#include "ui/lab/values_panel.h"
#include "ui/panels/rows_bar.h"
#include "ui/panels/timeline_page.h"
#include "ui/theme/style.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class ScenarioEditingTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void init() {
    UiSuite::init();
    QSettings().clear();
  }

  void whatIsTypedInTheTextStandsInTheForm() {
    TestWindow window;
    edit(window);
    TomlEditor* editor = text(window);
    QLineEdit* ttl = window.valuesPanel()->field(QStringLiteral("ttl"));
    QCOMPARE(ttl->text(), QStringLiteral("5s"));
    overwrite(editor, "ttl = \"5s\"", "ttl = \"3s\"");
    QCOMPARE(ttl->text(), QStringLiteral("3s"));
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(3s));
    QVERIFY(window.isWindowModified());
    // Ctrl+Z in the text is a step back of the scenario; the form goes with it.
    while (window.lab().undo().canUndo()) QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(ttl->text(), QStringLiteral("5s"));
    QVERIFY(editor->toPlainText().contains(QStringLiteral("ttl = \"5s\"")));
    QVERIFY(!window.isWindowModified());
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(editor->toPlainText() != QString::fromStdString(window.lab().source().toml));
  }

  // Both are typed, and one after the other stands in one stack: the later must not be taken for more of the earlier.
  void whatIsTypedInTheTextAndInTheFilterOfRowsAreStepsOfTheirOwn() {
    TestWindow window;
    edit(window);
    QUndoStack& steps = window.lab().undo();
    overwrite(text(window), "ttl = \"5s\"", "ttl = \"3s\"");
    const int typed = steps.count();
    RowsBar* rows = window.view()->rows();
    rows->ask();
    QTest::keyClicks(rows->words(), QStringLiteral("c2"));
    QCOMPARE(steps.count(), typed + 1);
    overwrite(text(window), "ttl = \"3s\"", "ttl = \"4s\"");
    QVERIFY(steps.count() > typed + 1);
    while (steps.index() > typed + 1) steps.undo();
    QVERIFY(text(window)->toPlainText().contains(QStringLiteral("ttl = \"3s\"")));
    QCOMPARE(rows->words()->text(), QStringLiteral("c2"));
    steps.undo();
    QCOMPARE(rows->words()->text(), QString());
    QVERIFY(text(window)->toPlainText().contains(QStringLiteral("ttl = \"3s\"")));
  }

  // A row of widgets for each of thousands took the window minutes to lay out.
  void ofALongPlanAPartHasRowsAndTheOneThatIsOpenIsInIt() {
    TestWindow window;
    QByteArray toml = gcPause();
    for (int i = 0; i < 3000; ++i)
      toml += "[[fault]]\nkind = \"pause\"\nat = \"" + QByteArray::number(30'000 + i) + "ms\"\nduration = \"1ms\"\n";
    openFile(window, toml);
    auto* plan = window.valuesPanel()->findChild<FaultPlanForm*>();
    const auto rows = [plan] {
      return plan->findChildren<QCheckBox*>(QRegularExpression(QStringLiteral("^fault\\d+$"))).size();
    };
    QCOMPARE(rows(), 100);
    const auto* others = plan->findChild<QLabel*>(QStringLiteral("otherFaults"));
    QVERIFY2(!others->isHidden() && others->text().startsWith(QStringLiteral("Faults 1 to 100 of 3")),
             qPrintable(others->text()));
    plan->showRow(2500);
    QCOMPARE(plan->opened(), 2500);
    QCOMPARE(rows(), 100);
    auto* box = plan->findChild<QCheckBox*>(QStringLiteral("fault2500"));
    QVERIFY(box != nullptr && plan->findChild<QCheckBox*>(QStringLiteral("fault0")) == nullptr);
    box->click();
    QVERIFY(!window.lab().scenario().faults[2500].enabled && window.lab().scenario().faults[0].enabled);
    QVERIFY(plan->details()->field("fault.2500.at") != nullptr);
    plan->showRow(3000);  // the last
    QVERIFY(plan->findChild<QCheckBox*>(QStringLiteral("fault3000")) != nullptr);
  }

  void whatIsTypedInTheFormStandsInTheTextAndCommentsStay() {
    TestWindow window;
    openFile(window, "# my own words\n" + gcPause());
    edit(window, false);
    TomlEditor* editor = text(window);
    type(window.valuesPanel()->field(QStringLiteral("ttl")), "4s");
    QVERIFY(editor->toPlainText().contains(QStringLiteral("ttl = \"4s\"")));
    QVERIFY(editor->toPlainText().startsWith(QStringLiteral("# my own words\n")));
    window.action(LabAction::kUndo)->trigger();
    QVERIFY(editor->toPlainText().contains(QStringLiteral("ttl = \"5s\"")));
  }

  void theRunGoesByTheText() {
    TestWindow window;
    edit(window);
    overwrite(text(window), "seed     = 7", "seed     = 8");
    QVERIFY(window.lab().stale());
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    QCOMPARE(window.lab().outcome().seed, 8u);
    QVERIFY(!window.lab().stale());
    // A comment is no other run.
    QTest::keyClick(text(window), Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClicks(text(window), QStringLiteral("# "));
    QTest::keyClick(text(window), Qt::Key_Return);
    QVERIFY(!window.lab().document().error());
    QVERIFY(!window.lab().stale());
    QVERIFY(window.isWindowModified());
  }

  void anErrorIsToldAtItsPlaceAndTheLastScenarioStands_data() {
    QTest::addColumn<QString>("old");
    QTest::addColumn<QString>("wrong");
    QTest::addColumn<QString>("marked");
    QTest::newRow("a value") << "ttl = \"5s\""
                             << "ttl = \"5 sec\""
                             << "\"5 sec\"";
    QTest::newRow("a key") << "transition"
                           << "transit"
                           << "[mutex]";  // which lacks one
    QTest::newRow("no TOML") << "count = 3"
                             << "count = "
                             << "";
    QTest::newRow("behind a letter of two halves")
        << "title    = \"A pause outlives the lease\""
        << QString::fromUtf8("title    = \"\xf0\x9f\x94\x92\"\nseeed = 3") << "seeed";
  }
  void anErrorIsToldAtItsPlaceAndTheLastScenarioStands() {
    QFETCH(QString, old);
    QFETCH(QString, wrong);
    QFETCH(QString, marked);
    TestWindow window;
    edit(window);
    TomlEditor* editor = text(window);
    overwrite(editor, old, wrong);
    QVERIFY(window.lab().document().error().has_value());
    QVERIFY(editor->error().has_value());
    if (!marked.isEmpty()) QCOMPARE(editor->underlined(), marked);
    QVERIFY(window.labPerspective().text()->foot()->text().contains(
        QStringLiteral("line %1").arg(window.lab().document().error()->line)));
    QVERIFY(window.valuesPanel()->findChild<QLabel*>(QStringLiteral("textError"))->isVisible());
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(5s));
    QCOMPARE(window.lab().scenario().contender_count(), 3);
    QCOMPARE(window.lab().scenario().seed, 7u);
    // It is painted in its line, beside the text.
    editor->goToError();
    QVERIFY(!editor->messageRect().isEmpty());
    const QImage picture = editor->viewport()->grab().toImage();
    const QPointF in = QPointF(editor->messageRect().topLeft() + QPoint(1, 1)) * picture.devicePixelRatio();
    QCOMPARE(picture.pixelColor(in.toPoint()), ink().critical_tint);
    // From elsewhere a key leads there.
    window.view()->timeline()->setFocus();
    QTest::keyClick(&window, Qt::Key_F8);
    QVERIFY(editor->hasFocus());
    QCOMPARE(editor->textCursor().blockNumber() + 1, window.lab().document().error()->line);
    while (window.lab().document().error() && window.lab().undo().canUndo())
      QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!editor->error());
    QVERIFY(!window.valuesPanel()->findChild<QLabel*>(QStringLiteral("textError"))->isVisible());
  }

  void theTextComesAndGoesByItsKey() {
    TestWindow window;
    runToItsEnd(window);
    auto* dock = window.labPerspective().findChild<QDockWidget*>(QStringLiteral("labTextDock"));
    QVERIFY(!dock->isVisible());
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(dock->isVisible() && text(window)->hasFocus());
    QTest::keyClick(text(window), Qt::Key_Escape);
    QVERIFY(window.view()->timeline()->hasFocus());
    QVERIFY(dock->isVisible());
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier);
    QVERIFY(text(window)->hasFocus());
    QTest::keyClick(text(window), Qt::Key_T, Qt::ControlModifier);
    QVERIFY(!dock->isVisible());
  }

  void aFaultIsAddedChangedAndRemovedByKeysAndMouse() {
    TestWindow window;
    edit(window);
    ValuesPanel* values = window.valuesPanel();
    const auto& faults = window.lab().scenario().faults;
    const std::size_t before = faults.size();
    QTest::keyClick(&window, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(window.lab().scenario().faults.size(), before + 1);
    const int row = static_cast<int>(before);
    QCOMPARE(values->plan()->opened(), row);
    const auto field = [&](const char* name) {
      return values->plan()->details()->field("fault." + std::to_string(row) + "." + name);
    };
    auto* at = qobject_cast<QLineEdit*>(field("at"));
    QVERIFY(at != nullptr && at->hasFocus());
    type(at, "2 lease");
    QCOMPARE(window.lab().scenario().faults.back().at.text, std::string("2 lease"));
    choose([&] { return field("kind"); }, "partition");
    QVERIFY(field("kind")->hasFocus());  // although its fields are others now
    QCOMPARE(window.lab().scenario().faults.back().kind, std::string("partition"));
    // Another kind has other fields; this one's are there without a line of ours.
    choose([&] { return field("direction"); }, "to_store");
    QCOMPARE(window.lab().scenario().faults.back().words.at("direction"), std::string("to_store"));
    QVERIFY(text(window)->toPlainText().contains(QStringLiteral("direction = \"to_store\"")));
    type(qobject_cast<QLineEdit*>(field("duration")), "never");
    QVERIFY(flagged(field("duration"), kInvalid));
    QVERIFY(values->plan()->details()->error()->isVisible());
    auto* away = values->findChild<QToolButton*>(QStringLiteral("faultAway%1").arg(row));
    QTest::mouseClick(away, Qt::LeftButton);
    QCOMPARE(window.lab().scenario().faults.size(), before);
    window.action(LabAction::kUndo)->trigger();
    QCOMPARE(window.lab().scenario().faults.size(), before + 1);
    while (window.lab().undo().canUndo()) window.action(LabAction::kUndo)->trigger();
    QVERIFY(!window.lab().document().modified());
  }

  void theWholeFormIsThere() {
    TestWindow window;
    edit(window);
    ScenarioForm* form = window.valuesPanel()->whole();
    for (const char* name : {"scenario", "mutex", "store", "contenders", "resources", "expected"}) {
      FormSection* section = form->section(QString::fromLatin1(name));
      QVERIFY2(section != nullptr && !section->isOpen(), name);
      section->head()->setFocus();
      QTest::mouseClick(section->head(), Qt::LeftButton);
      QVERIFY2(section->isOpen(), name);
    }
    const Scenario& of = window.lab().scenario();
    const auto line = [&](const char* path) { return qobject_cast<QLineEdit*>(form->field(path)); };
    type(line("mutex.name"), "invoices");
    QCOMPARE(of.mutex.name, std::string("invoices"));
    type(line("duration"), "6 lease");
    QCOMPARE(of.duration.text, std::string("6 lease"));
    type(line("store.loss"), "0.02");
    QCOMPARE(of.store.loss_ppm, 20'000u);
    type(line("store.timeout"), "800ms");
    QCOMPARE(of.store.timeout, Duration(800ms));
    type(line("store.latency"), "{ uniform = [\"1ms\", \"2ms\"] }");
    QCOMPARE(of.store.latency.shape(), Distribution::Shape::kUniform);
    type(line("seed"), "44");
    QCOMPARE(of.seed, 44u);
    choose([&] { return form->field("resource.0.tokenless"); }, "accept");
    QVERIFY(of.resources.front().accepts_tokenless);
    type(line("contender.0.names"), "[\"billing\", \"mailer\"]");
    QCOMPARE(of.contender_names(), (std::vector<std::string>{"billing", "mailer", "c3"}));
    QVERIFY(text(window)->toPlainText().contains(QStringLiteral("names = [\"billing\", \"mailer\"]")));
    type(line("contender.0.names"), "[\"billing\", \"billing\"]");
    QCOMPARE(of.contender_names().back(), std::string("c3"));  // refused
    type(line("contender.0.names"), "");
    QCOMPARE(of.contender_names().front(), std::string("c1"));
    choose([&] { return form->field("contender.0.behaviour"); }, "3.1");
    QCOMPARE(of.contenders.front().behaviour, Behaviour::k31);
    press(form->findChild<QPushButton*>(QStringLiteral("addContenders")));
    QCOMPARE(of.contenders.size(), std::size_t{2});
    choose([&] { return form->field("contender.1.behaviour"); }, "4.x");
    QCOMPARE(of.contenders.back().behaviour, Behaviour::k4x);
    press(form->findChild<QToolButton*>(QStringLiteral("contenderAway1")));
    QCOMPARE(of.contenders.size(), std::size_t{1});
    choose([&] { return form->field("store.model"); }, "sql");
    QCOMPARE(of.store.model, std::string("sql"));
    QVERIFY(form->field("store.sql.statement") != nullptr);
    QVERIFY(text(window)->toPlainText().contains(QStringLiteral("invoices")));
  }

  void aTimeIsSteppedByKeysAndByItsSigns() {
    TestWindow window;
    edit(window);
    QLineEdit* ttl = window.valuesPanel()->field(QStringLiteral("ttl"));
    ttl->setFocus();
    QTest::keyClick(ttl, Qt::Key_Up);
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(6s));
    QTest::keyClick(ttl, Qt::Key_PageUp);
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(16s));
    QWidget* signs = ttl->childAt(ttl->width() - 5, 4);
    QVERIFY(signs != nullptr);
    QTest::mouseClick(signs, Qt::LeftButton, {}, QPoint(signs->width() / 2, signs->height() - 3));
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(15s));
    QTest::mouseClick(signs, Qt::LeftButton, {}, QPoint(signs->width() / 2, 2));
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(16s));
    window.action(LabAction::kUndo)->trigger();
    QCOMPARE(ttl->text(), QStringLiteral("15s"));
  }

  void whatIsExpectedIsShownChangedAndSwitchedOff() {
    TestWindow window;
    edit(window);
    ScenarioForm* form = window.valuesPanel()->whole();
    form->section(QStringLiteral("expected"))->setOpen(true);
    auto* grants = qobject_cast<QLineEdit*>(form->field("expect.double_grants"));
    QVERIFY(grants != nullptr);
    QCOMPARE(grants->text(), QStringLiteral("0"));
    type(qobject_cast<QLineEdit*>(form->field("expect.incidents.belief_overlap")), ">= 5");
    QCOMPARE(window.lab().scenario().expected.fields.at("incidents.belief_overlap").value, 5);
    type(grants, "many");
    QVERIFY(flagged(grants, kInvalid));
    type(grants, "");  // nothing is expected of it any more
    QCOMPARE(window.lab().scenario().expected.fields.count("double_grants"), std::size_t{0});
    choose([&] { return form->findChild<QWidget*>(QStringLiteral("anotherExpectation")); }, "handoffs");
    press(form->findChild<QPushButton*>(QStringLiteral("addExpectation")));
    QCOMPARE(window.lab().scenario().expected.fields.at("handoffs").text, std::string(">= 1"));
    form->findChild<Switch*>(QStringLiteral("judged"))->click();
    QVERIFY(!window.lab().scenario().expected.enabled);
    QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    QVERIFY(!window.lab().outcome().as_expected.has_value());
    form->findChild<Switch*>(QStringLiteral("judged"))->click();
    QVERIFY(window.lab().scenario().expected.enabled);
    QVERIFY(!window.lab().scenario().expected.fields.empty());
  }

  void aNewOneIsSavedFoundAgainAndMarkedUntilThen() {
    TestWindow window;
    runToItsEnd(window);
    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(window.lab().source().name, std::string("untitled"));
    QVERIFY(!window.isWindowModified());
    type(window.valuesPanel()->field(QStringLiteral("ttl")), "2s");
    QVERIFY(window.isWindowModified());
    const QString path = home_.filePath(QStringLiteral("new.toml"));
    window.labPerspective().choosePathWith(
        [&](const QString& proposed) { return proposed == QLatin1String("untitled.toml") ? path : QString(); });
    QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!window.isWindowModified());
    QVERIFY(QFile::exists(path));
    QCOMPARE(LabPerspective::recentScenarios(), QStringList{path});
    type(window.valuesPanel()->field(QStringLiteral("ttl")), "3s");
    QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier);
    window.open(QStringLiteral("healthy"));
    QTest::keyClick(&window, Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    auto* menu = window.labPerspective().findChild<QMenu*>(QStringLiteral("recentScenarios"));
    QTRY_VERIFY(menu != nullptr && menu->isVisible());
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_COMPARE(window.lab().source().name, path.toStdString());
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(3s));
  }

  void changesAreAskedAboutBeforeTheyAreLeft() {
    TestWindow window;
    openFile(window, gcPause());
    int asked = 0;
    auto answer = LabPerspective::Leave::kCancel;
    window.labPerspective().askWith([&](const QString& name) {
      ++asked;
      return name == QLatin1String("mine.toml") ? answer : LabPerspective::Leave::kDiscard;
    });
    window.close();
    QCOMPARE(asked, 0);
    show(window);
    type(window.valuesPanel()->field(QStringLiteral("ttl")), "2s");
    QVERIFY(!window.close());
    QCOMPARE(asked, 1);
    window.open(QStringLiteral("healthy"));
    QCOMPARE(asked, 2);
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(2s));
    QTest::keyClick(&window, Qt::Key_W, Qt::ControlModifier);
    QVERIFY(window.lab().hasScenario());
    answer = LabPerspective::Leave::kSave;
    window.open(QStringLiteral("healthy"));
    QCOMPARE(window.lab().source().name, std::string("healthy"));
    QVERIFY(findSource(file_.toStdString())->toml.find("ttl = \"2s\"") != std::string::npos);
  }

  void aBuiltInThatWasTriedOutIsFoundAgain() {
    {
      TestWindow window;
      runToItsEnd(window);
      type(window.valuesPanel()->field(QStringLiteral("ttl")), "2s");
      window.close();
    }
    TestWindow window;
    runToItsEnd(window, QStringLiteral("healthy"));
    QTest::keyClick(&window, Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    auto* menu = window.labPerspective().findChild<QMenu*>(QStringLiteral("recentScenarios"));
    QTRY_VERIFY(menu != nullptr && menu->isVisible());
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    QTRY_COMPARE(window.lab().source().name, std::string("gc-pause"));
    QCOMPARE(window.lab().scenario().terms().ttl, Duration(2s));
    QVERIFY(window.isWindowModified());
  }

  void itIsCopiedInThreeForms() {
    TestWindow window;
    runToItsEnd(window);
    type(window.valuesPanel()->field(QStringLiteral("ttl")), "2s");
    window.view()->timeline()->setFocus();
    const auto copied = [&](Qt::Key key) {
      QGuiApplication::clipboard()->clear();
      QTest::keyClick(&window, key, Qt::ControlModifier | Qt::ShiftModifier);
      return QGuiApplication::clipboard()->text();
    };
    QCOMPARE(copied(Qt::Key_M).toUtf8(), window.lab().document().text());
    QCOMPARE(copied(Qt::Key_L), QStringLiteral("leasescopectl run gc-pause --set 'mutex.ttl=\"2s\"'\n"));
    QVERIFY(copied(Qt::Key_J).contains(QStringLiteral("simba.redis.ttl=2s\n")));
  }

 private:
  static QByteArray gcPause() { return QByteArray::fromStdString(findSource("gc-pause")->toml); }
  static TomlEditor* text(TestWindow& window) { return window.labPerspective().text()->editor(); }

  void openFile(TestWindow& window, const QByteArray& toml) {
    file_ = home_.filePath(QStringLiteral("mine.toml"));
    QFile file(file_);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(toml) == toml.size());
    file.close();
    show(window);
    window.lab().setSpeed(0);
    window.open(file_);
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
  }
  static void edit(TestWindow& window, bool run = true) {
    if (run) runToItsEnd(window);
    QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(text(window)->hasFocus());
  }
  // Selects it and types over it.
  static void overwrite(TomlEditor* editor, const QString& old, const QString& with) {
    QTextCursor at = editor->document()->find(old);
    QVERIFY2(!at.isNull(), qPrintable(old));
    editor->setFocus();
    editor->setTextCursor(at);
    QGuiApplication::clipboard()->setText(with);
    QTest::keyClick(editor, Qt::Key_V, Qt::ControlModifier);
  }
  // When it has its place: a section that was just opened is laid out with the next event.
  static void press(QWidget* button) {
    QVERIFY(button != nullptr);
    QTRY_VERIFY(button->isVisible() && button->height() > 10);
    QTest::mouseClick(button, Qt::LeftButton);
  }
  // By the arrows; the box may be another after every one.
  template <class Box>
  static void choose(Box box, const char* word) {
    const auto now = [&] { return qobject_cast<QComboBox*>(box()); };
    QVERIFY2(now() != nullptr, word);
    now()->setFocus();
    const QString wanted = QString::fromLatin1(word);
    const Qt::Key way = now()->findText(wanted) < now()->currentIndex() ? Qt::Key_Up : Qt::Key_Down;
    for (int step = 0; step < 100 && now()->currentText() != wanted; ++step) QTest::keyClick(now(), way);
    QCOMPARE(now()->currentText(), wanted);
  }
  static void type(QLineEdit* field, const char* words) {
    QVERIFY(field != nullptr);
    field->setFocus();
    field->selectAll();
    if (*words == '\0') QTest::keyClick(field, Qt::Key_Delete);
    QTest::keyClicks(field, QString::fromLatin1(words));
    QTest::keyClick(field, Qt::Key_Return);
  }

  QString file_;
};

LEASESCOPE_SUITE(ScenarioEditingTest)
#include "scenario_editing_test.moc"
