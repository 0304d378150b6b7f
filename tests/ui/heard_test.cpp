// The chart for those who hear it: its rows and what lies in them, as a screen reader asks for it.
#include <QAccessible>

#include "tests/support/window_suite.h"
#include "ui/timeline/paint/heard.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

QString nameOf(QAccessibleInterface* part) { return part->text(QAccessible::Name); }

QAccessibleInterface* rowNamed(QAccessibleInterface* chart, const QString& word) {
  for (int i = 0; i < chart->childCount(); ++i)
    if (nameOf(chart->child(i)).contains(word)) return chart->child(i);
  return nullptr;
}

QAccessibleInterface* segmentNamed(QAccessibleInterface* row, const QString& word) {
  for (int i = 0; i < row->childCount(); ++i)
    if (nameOf(row->child(i)).contains(word)) return row->child(i);
  return nullptr;
}

}  // namespace

class HeardTest : public WindowSuite {
  Q_OBJECT
 private slots:
  void everyRowSaysWhoItIsAndHowItStands() {
    TestWindow window;
    runToItsEnd(window);
    QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(window.view()->timeline());
    QVERIFY(chart != nullptr);
    QCOMPARE(chart->role(), QAccessible::Chart);
    QCOMPARE(nameOf(chart), QStringLiteral("Timeline"));
    QStringList rows;
    for (int i = 0; i < chart->childCount(); ++i) {
      QVERIFY(chart->child(i)->isValid());
      QCOMPARE(chart->indexOfChild(chart->child(i)), i);
      QCOMPARE(chart->child(i)->parent(), chart);
      rows << nameOf(chart->child(i));
    }
    const QStringList expected{
        QStringLiteral("mutex orders, held by c3"),  QStringLiteral("A c1, waits"),
        QStringLiteral("B c2, stopped, 1 incident"), QStringLiteral("C c3, owner, 4 incidents"),
        QStringLiteral("resource ledger"),           QStringLiteral("requests to redis (model)")};
    QCOMPARE(rows, expected);
  }
  void aRowSaysWhatIsToBeSeenOfItInTheWordsOfTheHoverCard() {
    TestWindow window;
    runToItsEnd(window);
    QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(window.view()->timeline());
    QAccessibleInterface* row = rowNamed(chart, QStringLiteral("C c3"));
    QVERIFY(row->childCount() > 4);
    for (const char* word : {"holds orders #1", "believes it owns orders #1", "Belief overlap", "holds orders #3"}) {
      QAccessibleInterface* segment = segmentNamed(row, QString::fromLatin1(word));
      QVERIFY2(segment != nullptr, word);
      QCOMPARE(segment->parent(), row);
      QCOMPARE(row->child(row->indexOfChild(segment)), segment);
      const QRect place = segment->rect();
      QVERIFY(!place.isEmpty());
      QVERIFY(place.left() < chart->rect().right() && place.right() > chart->rect().left());
    }
  }
  void aSegmentThatIsPressedIsSelected() {
    TestWindow window;
    runToItsEnd(window);
    window.lab().selectIncident(-1);
    QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(window.view()->timeline());
    QAccessibleInterface* overlap =
        segmentNamed(rowNamed(chart, QStringLiteral("C c3")), QStringLiteral("Belief overlap"));
    QVERIFY(overlap != nullptr && !overlap->state().selected);
    overlap->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QVERIFY(window.lab().selectedIncident() >= 0);
    overlap = segmentNamed(rowNamed(chart, QStringLiteral("C c3")), QStringLiteral("Belief overlap"));
    QVERIFY(overlap->state().selected);
  }
  // That it is told of is not seen here: without a screen reader Qt passes no events on.
  void theRowThatKeysAreAboutHasTheFocus() {
    TestWindow window;
    runToItsEnd(window);
    QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(window.view()->timeline());
    const auto focused = [&] {
      QStringList out;
      for (int i = 0; i < chart->childCount(); ++i)
        if (chart->child(i)->state().focused) out << nameOf(chart->child(i)).section(u',', 0, 0);
      return out;
    };
    window.view()->timeline()->setFocus();
    QCOMPARE(focused(), QStringList());
    window.view()->timeline()->stepRow(1);
    QCOMPARE(focused(), QStringList{QStringLiteral("A c1")});
    rowNamed(chart, QStringLiteral("C c3"))->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(focused(), QStringList{QStringLiteral("C c3")});
  }
  void whatIsGoneSaysNothing() {
    TestWindow window;
    runToItsEnd(window);
    QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(window.view()->timeline());
    QAccessibleInterface* row = rowNamed(chart, QStringLiteral("C c3"));
    QVERIFY(row->childCount() > 4);
    QAccessibleInterface* const last = row->child(row->childCount() - 1);
    QVERIFY(last->isValid() && !nameOf(last).isEmpty());
    // Nothing but one lease, held and believed.
    window.view()->timeline()->fitRange(TrueTime{} + std::chrono::milliseconds(2'000),
                                        TrueTime{} + std::chrono::milliseconds(2'001), false);
    QVERIFY(row->childCount() < 4);
    QVERIFY(!last->isValid() && last->state().invalid);
    QCOMPARE(nameOf(last), QString());
    QCOMPARE(last->rect(), QRect());
  }
};

LEASESCOPE_SUITE(HeardTest)
#include "heard_test.moc"
