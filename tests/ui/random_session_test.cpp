// Sessions of two hundred things that somebody may do, by mouse and keyboard, as a seed draws them: no crash, no
// warning, and the event loop is never held for long. LEASESCOPE_SESSION_SEEDS says how many seeds; tests/window_walk
// plays fifty, with the sanitizers.
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QWheelEvent>
#include <random>

#include "tests/support/heartbeat.h"
#include "tests/support/recorded_file.h"
#include "tests/support/window_hands.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kActions = 200;

constexpr double kMostMs = 100;  // under the sanitizers too

const QStringList kScenarios{"gc-pause",        "mixed-fleet",           "owner-partition", "fenced-gc-pause",
                             "foreign-release", "redlock-clock-forward", "leap-strobe",     "healthy"};

// What somebody does who tries everything out; it leaves by the door only when the session is over. What it takes to
// find out what can be done is not the window's: the heart begins anew with the deed. And a hand takes its time:
// between two steps of a drag, and between two letters, the window has its turn.
class Hands {
 public:
  Hands(TestWindow& window, Heartbeat& heart, unsigned seed) : window_(window), heart_(heart), random_(seed) {}

  // Says what was done.
  QString act() {
    switch (random_() % 10) {
      case 0:
      case 1:
      case 2:
        return pressKey();
      case 3:
        return chooseEntry();
      case 4:
      case 5:
        return click();
      case 6:
        return turnWheel();
      case 7:
        return type();
      default:
        return drag();
    }
  }

 private:
  static bool leaves(const QKeySequence& key) { return key == QKeySequence(Qt::CTRL | Qt::Key_Q); }

  template <class List>
  auto anyOf(const List& list) {
    return list[static_cast<qsizetype>(random_() % static_cast<unsigned>(list.size()))];
  }
  QPoint pointIn(const QWidget* widget) {
    return {static_cast<int>(random_() % static_cast<unsigned>(std::max(1, widget->width()))),
            static_cast<int>(random_() % static_cast<unsigned>(std::max(1, widget->height())))};
  }
  // Whatever lies on top where somebody points.
  std::pair<QWidget*, QPoint> anywhere() {
    const QPoint at = pointIn(&window_);
    QWidget* widget = window_.childAt(at);
    if (widget == nullptr) return {&window_, at};
    return {widget, widget->mapFrom(&window_, at)};
  }
  Qt::KeyboardModifiers anyModifier() {
    const QList<Qt::KeyboardModifiers> all{Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier,
                                           Qt::AltModifier};
    return anyOf(all);
  }
  static QString nameOf(const QWidget* widget) {
    return widget->objectName().isEmpty() ? QString::fromLatin1(widget->metaObject()->className())
                                          : widget->objectName();
  }

  QString pressKey() {
    const QKeySequence key = anyOf(keys_of(window_));
    heart_.longest();
    if (!leaves(key)) press(window_, key);
    return key.toString();
  }
  QString chooseEntry() {
    QAction* action = anyOf(entries_of(window_));
    const QString text = action->text();
    heart_.longest();
    if (action->isEnabled() && !leaves(action->shortcut())) action->trigger();
    return text;
  }
  QString click() {
    const auto [widget, at] = anywhere();
    const QString name = nameOf(widget);
    const Qt::MouseButton button = random_() % 6 == 0 ? Qt::RightButton : Qt::LeftButton;
    QTest::mouseMove(widget, at);
    if (random_() % 5 == 0)
      QTest::mouseDClick(widget, button, anyModifier(), at);
    else
      QTest::mouseClick(widget, button, anyModifier(), at);
    return QStringLiteral("click on %1").arg(name);
  }
  QString drag() {
    const auto [widget, at] = anywhere();
    const QString name = nameOf(widget);
    const QPointer<QWidget> alive = widget;
    const Qt::KeyboardModifiers keys = anyModifier();
    QTest::mousePress(widget, Qt::LeftButton, keys, at);
    const QPoint to = at + QPoint(static_cast<int>(random_() % 600) - 300, static_cast<int>(random_() % 200) - 100);
    for (int step = 1; step <= 4 && alive; ++step) {
      const QPoint here = at + (to - at) * step / 4;
      QMouseEvent move(QEvent::MouseMove, here, widget->mapToGlobal(here), Qt::NoButton, Qt::LeftButton, keys);
      QCoreApplication::sendEvent(widget, &move);
      QTest::qWait(1);
    }
    if (random_() % 8 == 0) press(window_, QKeySequence(Qt::Key_Escape));  // in the middle of it
    if (alive) QTest::mouseRelease(widget, Qt::LeftButton, keys, to);
    return QStringLiteral("drag on %1").arg(name);
  }
  QString turnWheel() {
    const auto [widget, at] = anywhere();
    const QString name = nameOf(widget);
    const QPoint turned(0, static_cast<int>(random_() % 7) * 120 - 360);
    QWheelEvent wheel(at, widget->mapToGlobal(at), {}, turned, Qt::NoButton, anyModifier(), Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(widget, &wheel);
    return QStringLiteral("wheel on %1").arg(name);
  }
  QString type() {
    QWidgetList able;
    for (QWidget* widget : window_.findChildren<QWidget*>())
      if (widget->isVisible() && widget->isEnabled() &&
          (qobject_cast<QLineEdit*>(widget) || qobject_cast<QPlainTextEdit*>(widget)))
        able << widget;
    if (able.isEmpty()) return QStringLiteral("nowhere to type");
    QWidget* field = anyOf(able);
    const QString name = nameOf(field);
    const QStringList words{"7", "2s", "0", "-1", "owner", "[[fault]]", "c1", "\"", "99999999999999999999", "pause "};
    const QPointer<QWidget> alive = field;
    heart_.longest();
    field->setFocus();
    for (const QChar letter : anyOf(words)) {
      if (!alive) break;
      QTest::keyClick(field, letter.toLatin1());
      QTest::qWait(1);
    }
    if (random_() % 2 == 0) press(window_, QKeySequence(Qt::Key_Return));
    return QStringLiteral("type in %1").arg(name);
  }

  TestWindow& window_;
  Heartbeat& heart_;
  std::mt19937 random_;
};

}  // namespace

class RandomSessionTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void initTestCase() {
    WindowSuite::initTestCase();
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    record(home_.filePath("one.recording"), "gc-pause");
    record(home_.filePath("other.recording"), "gc-pause", {"seed=8"});
  }

  void twoHundredThingsSomebodyMayDo_data() {
    QTest::addColumn<int>("seed");
    const int seeds = std::max(2, qEnvironmentVariableIntValue("LEASESCOPE_SESSION_SEEDS"));
    for (int seed = 1; seed <= seeds; ++seed) QTest::addRow("seed %d", seed) << seed;
  }
  void twoHundredThingsSomebodyMayDo() {
    QFETCH(int, seed);
    QSettings().clear();
    const SaysNo no;
    TestWindow window;
    show(window, seed % 3 == 0 ? QSize(1024, 640) : QSize(1440, 900));
    window.lab().setSpeed(0);
    window.open(kScenarios[seed % kScenarios.size()]);
    // Where it begins: in the Lab, in a recording, or beside another.
    if (seed % 3 == 1) window.open(home_.filePath("one.recording"));
    if (seed % 3 == 2) {
      Perspective* compare = window.perspective(QStringLiteral("compare"));
      window.turnTo(*compare);
      for (const char* name : {"one.recording", "other.recording"}) compare->open(home_.filePath(QLatin1String(name)));
    }
    QTest::qWait(300);

    Heartbeat heart;
    Hands hands(window, heart, static_cast<unsigned>(seed));
    QStringList done;
    double longest = 0;
    for (int i = 0; i < kActions; ++i) {
      done << hands.act();
      QTest::qWait(12);
      const Heartbeat::Silence silence = heart.longest();
      longest = std::max(longest, silence.own_ms);
      QVERIFY2(silence.own_ms <= kMostMs, qPrintable(QStringLiteral("after %1: %2 ms, of it %3 ms of work")
                                                         .arg(done.mid(std::max<qsizetype>(0, i - 5)).join(", then "))
                                                         .arg(silence.own_ms)
                                                         .arg(silence.work_ms)));
      if (QTest::currentTestFailed())
        return qInfo("%s", qPrintable(done.mid(std::max<qsizetype>(0, i - 9)).join("; ")));
      if (!window.isVisible()) window.show();
    }
    if (window.lab().state() == RunState::kPreparing) window.lab().stop();
    QTRY_VERIFY_WITH_TIMEOUT(window.lab().state() != RunState::kPreparing, kPatience);
    qInfo("%d things, longest silence %.1f ms of its own", kActions, longest);
  }
};

LEASESCOPE_SUITE(RandomSessionTest)
#include "random_session_test.moc"
