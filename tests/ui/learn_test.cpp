// The scenarios as lessons: what each tells, chosen and opened in the Lab by mouse and by keyboard, and how the
// perspective is left and found again.
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QDir>
#include <QDockWidget>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>

#include "simulator/scenario/catalogue.h"
#include "tests/support/window_hands.h"
#include "ui/learn/learn_perspective.h"
#include "ui/learn/lesson_page.h"
#include "ui/learn/lessons_model.h"
#include "ui/models/foretold.h"
#include "ui/models/scenario_list_model.h"
#include "ui/models/words.h"
#include "ui/panels/scenario_list.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

LearnPerspective& learnOf(MainWindow& window) {
  return *static_cast<LearnPerspective*>(window.perspective(QStringLiteral("learn")));
}

Lesson lesson(const std::string& name) {
  const auto scenario = find_scenario(name);
  if (!scenario) qFatal("%s", scenario.error().text().c_str());
  return lessonOf(*scenario);
}

QString about(const Lesson& of, const QString& table, const QString& key) {
  for (const LessonTable& each : of.setUp)
    for (const LessonTable::Key& told : each.keys)
      if (each.title == table && told.name == key) return told.value + u'|' + told.about;
  return {};
}

QStringList told(const Lesson& of, bool fenced) {
  QStringList out;
  for (const LessonOutcome& each : of.outcomes)
    if (each.mark != Glyph::kNone) out << each.name + u' ' + (fenced ? each.with : each.without);
  return out;
}

QString nameHeard(QWidget* widget) {
  QAccessibleInterface* const heard = QAccessible::queryAccessibleInterface(widget);
  return heard ? heard->text(QAccessible::Name) : QString();
}

}  // namespace

class LearnTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void init() {
    UiSuite::init();
    QSettings().clear();
  }

  // ---- what a lesson tells

  void everyScenarioIsALessonAndWhatGoesRightComesFirst() {
    LessonsModel lessons;
    const QAbstractItemModelTester tester(&lessons, kFatal);
    QCOMPARE(static_cast<std::size_t>(lessons.rowCount()), built_in_scenarios().size());
    QCOMPARE(lessons.scenario(0).name, std::string("healthy"));
    QVERIFY(is_canary(lessons.scenario(lessons.rowCount() - 1).name));
    QStringList systems;
    for (int row = 0; row < lessons.rowCount(); ++row) {
      const Scenario& of = lessons.scenario(row);
      QCOMPARE(lessons.rowOf(fromText(of.name)), row);
      if (is_canary(of.name)) continue;
      const QString system = fromText(of.mutex.system);
      if (systems.isEmpty() || systems.back() != system) {
        QVERIFY2(!systems.contains(system), of.name.c_str());
        QVERIFY2(of.faults.empty() && foretold(unfenced(of)).empty(), of.name.c_str());
        systems << system;
      }
    }
    QCOMPARE(static_cast<std::size_t>(systems.size()), system_names().size());
    QCOMPARE(lessons.rowOf(QStringLiteral("no such lesson")), -1);
  }

  void aLessonSaysHowItIsSetUpInTheWordsOfTheForm() {
    const Lesson of = lesson("gc-pause");
    QCOMPARE(of.title, QStringLiteral("A pause outlives the lease"));
    QCOMPARE(about(of, QStringLiteral("Mutex"), QStringLiteral("transition")),
             QStringLiteral("2s|after the ttl: the owner may still renew, others wait"));
    QCOMPARE(about(of, QStringLiteral("Run"), QStringLiteral("duration")).section(u'|', 0, 0),
             QStringLiteral("4 lease + 32s = 60.000 s"));
    QVERIFY(
        about(of, QStringLiteral("Resource: ledger"), QStringLiteral("fencing")).startsWith(QStringLiteral("true|")));
    QVERIFY(about(of, QStringLiteral("Contenders: 3 × c"), QStringLiteral("clock")).contains(QStringLiteral("20")));
    QVERIFY2(about(of, QStringLiteral("Mutex"), QStringLiteral("jitter")).isEmpty(), "it is as usual");
  }

  void aLessonSaysWhatHappensAndWhatThatDoes() {
    const Lesson of = lesson("gc-pause");
    QCOMPARE(of.faults.size(), std::size_t{2});
    QCOMPARE(of.faults[0].when, QStringLiteral("1.7 lease = 11.900 s"));
    QCOMPARE(of.faults[0].what, QStringLiteral("pause of owner"));
    QVERIFY(of.faults[0].how.contains(QStringLiteral("duration 1 lease + 2s = 9.000 s")));
    QVERIFY(of.faults[0].how.contains(QStringLiteral("during compute")));
    QCOMPARE(of.faults[0].about, fromText(find_fault_kind("pause")->about));
    QVERIFY(lesson("healthy").faults.empty());
  }

  void whatGoesWrongHasTheTitlesOfItsKindsOfIncident() {
    const Lesson of = lesson("gc-pause");
    QCOMPARE(told(of, false),
             QStringList({"Stale write accepted ≥ 1", "Stale write rejected 0", "Belief overlap ≥ 1"}));
    QCOMPARE(told(of, true), QStringList({"Stale write accepted 0", "Stale write rejected ≥ 1", "Belief overlap ≥ 1"}));
    QCOMPARE(of.fence,
             QStringList({"A fence at the resource prevents: Stale write accepted.",
                          "What is told in its place: Stale write rejected.", "It does not prevent: Belief overlap."}));
    QVERIFY(of.notLive.isEmpty());
    QCOMPARE(lesson("healthy").fence, QStringList("Nothing is expected to go wrong, without a fence or with one."));
    QCOMPARE(lesson("owner-id-reuse").fence, QStringList("A fence changes nothing of: Belief overlap."));
    QVERIFY(lesson("born-expired").notLive.contains(QStringLiteral("statements of the model")));
  }

  // Nothing of a scenario is left out, and nothing is told in the language of files.
  void everyLessonTellsAllThatItsScenarioExpects() {
    for (const Scenario& scenario : read_built_in_scenarios()) {
      const Lesson of = lessonOf(scenario);
      QCOMPARE(of.outcomes.size(), unfenced(scenario).fields.size());
      QCOMPARE(of.faults.size(),
               static_cast<std::size_t>(std::count_if(scenario.faults.begin(), scenario.faults.end(),
                                                      [](const FaultTable& f) { return f.enabled; })));
      QVERIFY2(!of.title.isEmpty() && !of.about.isEmpty() && !of.fence.isEmpty(), scenario.name.c_str());
      bool right = false;  // what goes wrong stands before it
      for (const LessonOutcome& each : of.outcomes) {
        QVERIFY2(!each.name.contains(u'_') && !each.name.contains(u'.'), qPrintable(each.name));
        QVERIFY2(each.with != QStringLiteral("–") || each.without != QStringLiteral("–"), qPrintable(each.name));
        right |= each.mark == Glyph::kNone;
        QVERIFY2(!right || each.mark == Glyph::kNone, scenario.name.c_str());
      }
      for (const LessonFault& each : of.faults)
        QVERIFY2(!each.when.isEmpty() && !each.what.isEmpty() && !each.about.isEmpty(), scenario.name.c_str());
    }
    const Lesson drift = lesson("clock-drift");
    QVERIFY(told(drift, true).contains(QStringLiteral("Belief overlap ≥ 1, in 10 % of seeds")));
  }

  // ---- hands

  void withTheMouseALessonIsChosenAndOpenedInTheLab() {
    TestWindow window;
    show(window);
    auto* tabs = window.findChild<QTabBar*>(QStringLiteral("perspectives"));
    const LearnPerspective& learn = learnOf(window);
    for (int tab = 0; tab < tabs->count(); ++tab)
      if (tabs->tabText(tab) == learn.name()) QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
    QCOMPARE(window.current().word(), QStringLiteral("learn"));
    const QAbstractItemModelTester tester(learn.list()->list()->model(), kFatal);
    click(learn, QStringLiteral("clock-drift"));
    QCOMPARE(learn.lesson(), QStringLiteral("clock-drift"));
    QVERIFY(window.windowTitle().contains(titleShown(learn)));
    QVERIFY(learn.document().endsWith(titleShown(learn)));
    auto* open = learn.page()->findChild<QPushButton*>(QStringLiteral("openInLab"));
    QVERIFY(open->isVisible());
    QTest::mouseClick(open, Qt::LeftButton);
    theLabHas(window, "clock-drift");
    // The lesson is still there, and so is another way in.
    window.turnTo(learnOf(window));
    click(learn, QStringLiteral("gc-pause"));
    QCOMPARE(titleShown(learn), QStringLiteral("A pause outlives the lease"));
    QTest::mouseClick(toolOf(learn, LearnAction::kOpenInLab), Qt::LeftButton);
    theLabHas(window, "gc-pause");
  }

  void byKeysAloneALessonIsFoundReadAndOpenedInTheLab() {
    TestWindow window;
    show(window, {1024, 640});
    const LearnPerspective& learn = learnOf(window);
    const auto at = std::find(window.perspectives().begin(), window.perspectives().end(), &learnOf(window));
    press(window, QKeySequence(QStringLiteral("Ctrl+%1").arg(at - window.perspectives().begin() + 1)));
    QCOMPARE(window.current().word(), QStringLiteral("learn"));
    press(window, QKeySequence(QStringLiteral("/")));
    QTRY_COMPARE(window.focusWidget(), static_cast<QWidget*>(learn.list()->search()));
    QTest::keyClicks(learn.list()->search(), QStringLiteral("two-resources"));
    press(window, QKeySequence(Qt::Key_Return));
    QCOMPARE(learn.lesson(), QStringLiteral("two-resources"));
    press(window, QKeySequence(Qt::Key_Escape));  // all rows again
    QCOMPARE(learn.list()->list()->currentIndex().data(ScenarioListModel::kSourceRole).toString(), learn.lesson());
    press(window, QKeySequence(Qt::Key_Down));
    QTRY_COMPARE(window.focusWidget(), static_cast<QWidget*>(learn.list()->list()));
    const int row = learn.lessons()->rowOf(learn.lesson());
    press(window, QKeySequence(Qt::Key_Down));
    press(window, QKeySequence(Qt::Key_Return));
    QCOMPARE(learn.lessons()->rowOf(learn.lesson()), row + 1);
    press(window, QKeySequence(QStringLiteral("Ctrl+Down")));
    QCOMPARE(learn.lessons()->rowOf(learn.lesson()), row + 2);
    press(window, QKeySequence(QStringLiteral("Ctrl+Up")));
    QCOMPARE(learn.lessons()->rowOf(learn.lesson()), row + 1);
    tabTo(window, learn.page()->text());
    const QScrollBar* bar = learn.page()->text()->verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    press(window, QKeySequence(Qt::Key_PageDown));
    QVERIFY(bar->value() > 0);
    const std::string chosen = learn.lesson().toStdString();
    press(window, QKeySequence(QStringLiteral("Ctrl+L")));
    theLabHas(window, chosen);
  }

  void withoutALessonItSaysSoAndBeginsWithTheFirst() {
    TestWindow window;
    show(window, {1024, 640});
    window.turnTo(learnOf(window));
    const LearnPerspective& learn = learnOf(window);
    QVERIFY(learn.lesson().isEmpty() && learn.document().isEmpty());
    QVERIFY(!learn.page()->isVisible());
    QVERIFY(!learn.action(LearnAction::kOpenInLab)->isEnabled());
    QVERIFY(!learn.action(LearnAction::kPrevious)->isEnabled());
    press(window, QKeySequence(QStringLiteral("Ctrl+L")));
    QCOMPARE(window.current().word(), QStringLiteral("learn"));
    QPushButton* begin = nullptr;
    for (QPushButton* each : learn.findChildren<QPushButton*>())
      if (each->isVisible()) begin = each;
    QVERIFY(begin != nullptr);
    QTest::mouseClick(begin, Qt::LeftButton);
    QCOMPARE(learn.lesson(), QStringLiteral("healthy"));
    QVERIFY(learn.page()->isVisible());
    QVERIFY(!learn.action(LearnAction::kPrevious)->isEnabled());
    learnOf(window).open(QStringLiteral("canary"));
    QVERIFY(!learn.action(LearnAction::kNext)->isEnabled());
    QVERIFY(learn.action(LearnAction::kPrevious)->isEnabled());
    // Words that no lesson has leave the one that is read.
    learn.list()->search()->setText(QStringLiteral("no lesson has this"));
    QCOMPARE(learn.list()->list()->model()->rowCount(), 0);
    QCOMPARE(learn.lesson(), QStringLiteral("canary"));
  }

  // ---- how it is left

  void theLessonAndTheLayoutAreRemembered() {
    {
      TestWindow window;
      show(window);
      window.turnTo(learnOf(window));
      click(learnOf(window), QStringLiteral("generals"));
      press(window, QKeySequence(QStringLiteral("Alt+1")));
      QVERIFY(!learnOf(window).docks().front()->isVisible());
      window.remember();
    }
    {
      TestWindow window;
      window.restore();
      window.show();
      QVERIFY(QTest::qWaitForWindowExposed(&window));
      QCOMPARE(window.current().word(), QStringLiteral("learn"));
      QCOMPARE(learnOf(window).lesson(), QStringLiteral("generals"));
      QVERIFY(learnOf(window).page()->isVisible());
      QVERIFY(!learnOf(window).docks().front()->isVisible());
      press(window, QKeySequence(QStringLiteral("/")));  // which needs the list
      QVERIFY(learnOf(window).docks().front()->isVisible());
      window.action(WindowAction::kResetLayout)->trigger();
      QVERIFY(learnOf(window).docks().front()->isVisible());
    }
    QSettings().setValue(QStringLiteral("learn/lesson"), QStringLiteral("there is none of that name any more"));
    TestWindow window;
    window.restore();
    QVERIFY(learnOf(window).lesson().isEmpty());
  }

  void aWindowThatNobodyHasUsedBeginsInTheLab() {
    TestWindow window;
    window.restore();
    QCOMPARE(window.current().word(), QStringLiteral("lab"));
  }

  void noFileIsItsOwn() {
    TestWindow window;
    show(window);
    window.turnTo(learnOf(window));
    QVERIFY(!learnOf(window).takes(QStringLiteral("/somewhere/mine.toml"), "schema = 1"));
    window.open(QStringLiteral("healthy"));
    theLabHas(window, "healthy");
    QVERIFY(learnOf(window).lesson().isEmpty());
  }

  // ---- how it looks, and how it is heard

  void inASmallWindowAllOfItCanBeRead() {
    TestWindow window;
    show(window);
    window.turnTo(learnOf(window));
    LearnPerspective& learn = learnOf(window);
    for (const QSize size : {QSize(1024, 640), QSize(800, 500), QSize(1440, 900)}) {
      window.resize(size);
      for (const char* name : {"gc-pause", "quorum-gc-pause", "bank-transfer-naive", "lock-convoy"}) {
        learn.open(QString::fromLatin1(name));
        QTest::qWait(50);
        keep(window, QStringLiteral("%1-%2").arg(QString::fromLatin1(name)).arg(size.width()));
        QCOMPARE(window.size(), size);
        const QScrollArea& text = *learn.page()->text();
        QVERIFY2(text.widget()->width() <= text.viewport()->width(), name);
        QVERIFY2(text.viewport()->width() >= size.width() / 2, qPrintable(QString::number(text.viewport()->width())));
        for (const QLabel* each : text.widget()->findChildren<QLabel*>()) {
          QVERIFY2(each->height() >= each->heightForWidth(each->width()), qPrintable(each->text()));
          QVERIFY2(each->width() >= 40, qPrintable(each->text()));
        }
        const auto* open = learn.page()->findChild<QPushButton*>(QStringLiteral("openInLab"));
        QVERIFY(window.rect().contains(QRect(open->mapTo(&window, QPoint()), open->size())));
        for (const LearnAction which : {LearnAction::kPrevious, LearnAction::kNext, LearnAction::kOpenInLab}) {
          const QToolButton* tool = toolOf(learn, which);
          QVERIFY2(tool->isVisible(), name);
          QVERIFY2(window.rect().contains(QRect(tool->mapTo(&window, QPoint()), tool->size())), name);
        }
      }
    }
  }

  void whoHearsTheWindowIsToldWhatThingsAre() {
    TestWindow window;
    show(window);
    window.turnTo(learnOf(window));
    LearnPerspective& learn = learnOf(window);
    learn.open(QStringLiteral("gc-pause"));
    QCOMPARE(nameHeard(learn.list()->list()), QStringLiteral("Lessons"));
    QCOMPARE(nameHeard(learn.list()->search()), QStringLiteral("Search lessons"));
    QCOMPARE(nameHeard(learn.page()->text()), QStringLiteral("Lesson: A pause outlives the lease"));
    for (const QAbstractButton* each : learn.findChildren<QAbstractButton*>())
      // Not what a field has within itself.
      if (each->isVisible() && qobject_cast<const QLineEdit*>(each->parent()) == nullptr)
        QVERIFY2(!nameHeard(const_cast<QAbstractButton*>(each)).isEmpty(),
                 qPrintable(each->objectName() + u' ' + each->parent()->metaObject()->className()));
    for (const LearnAction which : {LearnAction::kPrevious, LearnAction::kNext, LearnAction::kOpenInLab})
      QVERIFY(!nameHeard(toolOf(learn, which)).isEmpty());
    QStringList heard;
    for (QLabel* each : learn.page()->text()->findChildren<QLabel*>()) heard << nameHeard(each);
    QVERIFY(heard.contains(QStringLiteral("Belief overlap: without fence ≥ 1, with fence ≥ 1")));
    QVERIFY(heard.contains(fromText(find_fault_kind("pause")->about)));
  }

  void aPresentationShowsTheLessonAloneAndLarger() {
    TestWindow window;
    show(window);
    window.turnTo(learnOf(window));
    LearnPerspective& learn = learnOf(window);
    learn.open(QStringLiteral("gc-pause"));
    const auto letters = [&] {
      return learn.page()->findChild<QLabel*>(QStringLiteral("lessonTitle"))->font().pixelSize();
    };
    const int usual = letters();
    window.present(true);
    QVERIFY(learn.docks().front()->isHidden());
    QCOMPARE(letters(), usual * 3 / 2);
    window.present(false);
    QCOMPARE(letters(), usual);
    QTRY_VERIFY(learn.docks().front()->isVisible());
  }

 private:
  static QString titleShown(const LearnPerspective& learn) {
    return nameHeard(learn.page()->findChild<QLabel*>(QStringLiteral("lessonTitle")));
  }
  static void click(const LearnPerspective& learn, const QString& name) {
    QListView* list = learn.list()->list();
    const QModelIndexList found =
        list->model()->match(list->model()->index(0, 0), ScenarioListModel::kSourceRole, name, 1, Qt::MatchExactly);
    QCOMPARE(found.size(), 1);
    list->scrollTo(found.front());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(found.front()).center());
    QCOMPARE(learn.lesson(), name);
  }
  static QToolButton* toolOf(const LearnPerspective& learn, LearnAction which) {
    for (QToolButton* each : const_cast<LearnPerspective&>(learn).tools()->findChildren<QToolButton*>())
      if (each->defaultAction() == learn.action(which)) return each;
    return nullptr;
  }
  static void tabTo(MainWindow& window, const QWidget* wanted) {
    for (int i = 0; i < 60 && window.focusWidget() != wanted; ++i) press(window, QKeySequence(Qt::Key_Tab));
    QCOMPARE(window.focusWidget(), wanted);
  }
  static void theLabHas(const TestWindow& window, const std::string& scenario) {
    QCOMPARE(window.current().word(), QStringLiteral("lab"));
    QCOMPARE(window.lab().source().name, scenario);
    QTRY_COMPARE_WITH_TIMEOUT(window.lab().state(), RunState::kFinished, kPatience);
    QCOMPARE(window.lab().runScenario()->name, scenario);
  }
  static void keep(MainWindow& window, const QString& name) {
    const QString folder = qEnvironmentVariable("LEASESCOPE_PICTURES");
    if (!folder.isEmpty()) QVERIFY(window.grab().save(QDir(folder).filePath(QStringLiteral("learn-%1.png").arg(name))));
  }
};

LEASESCOPE_SUITE(LearnTest)
#include "learn_test.moc"
