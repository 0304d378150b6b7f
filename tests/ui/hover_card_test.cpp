// The hover card of the chart: after its delay, or at once with Ctrl; over neither the row it tells of nor the pointer,
// however little room there is; and gone when the pointer is.
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QScrollBar>

#include "tests/support/ui_suite.h"
#include "tests/ui/gc_pause_history.h"
#include "ui/look/tokens.h"
#include "ui/timeline/timeline_view.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kDelay = 300, kEarliest = kDelay * 95 / 100;  // ms; a coarse timer may be so much early

// A chart somewhere in its window.
struct Shown {
  HistoryWriter writer = gc_pause_history();
  QWidget window;
  TimelineView* view = new TimelineView(&window);

  explicit Shown(QRect chart = {0, 0, 916, 548}, QSize around = {1280, 800}) {
    window.resize(around);
    view->setGeometry(chart);
    window.show();
    view->setRun(gc_pause_facts());
    view->appendHistory(writer.history);
    view->setNow(at_ms(60'000));
    view->fitRange(at_ms(9'500), at_ms(32'000), false);
    QApplication::processEvents();
  }

  void point(QPoint at, Qt::KeyboardModifiers keys = {}) {
    QMouseEvent move(QEvent::MouseMove, at, view->viewport()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, keys);
    QApplication::sendEvent(view->viewport(), &move);
  }
  void leave() {
    QEvent gone(QEvent::Leave);
    QApplication::sendEvent(view->viewport(), &gone);
  }
  const HoverCard* card() const { return window.findChild<HoverCard*>(); }
  bool tells() const { return card() != nullptr && card()->isVisible(); }

  // Where there is something to be told.
  QPoint something() {
    for (std::size_t row = 0; row < view->heardRows(); ++row)
      for (const Hit& hit : view->heardSegments(row, 20)) {
        const QPoint at = view->heardRect(hit).center();
        point(at, Qt::ControlModifier);
        const bool told = tells();
        leave();
        if (told) return at;
      }
    qFatal("there is nothing on the chart");
  }

  // ---- in the window's coordinates
  QRect there(const QRect& onViewport) const {
    return {view->viewport()->mapTo(&window, onViewport.topLeft()), onViewport.size()};
  }
  QRect cardThere() const { return {card()->mapTo(&window, QPoint()), card()->size()}; }
  // As far as it is in sight; empty: it is in none.
  QRect rowAt(QPoint at) const {
    QRect row;
    if (const auto aimed = view->aimAt(at)) row = aimed->row;
    for (std::size_t i = 0; i < view->heardRows() && row.isEmpty(); ++i)
      if (at.y() >= measures().ruler + measures().incident_rail && view->heardRect(i).contains(at))
        row = view->heardRect(i);
    return there(row.intersected(view->viewport()->rect()));
  }
};

}  // namespace

class HoverCardTest : public UiSuite {
  Q_OBJECT
 private slots:
  void itComesWhenThePointerHasRested() {
    Shown shown;
    const QPoint at = shown.something();
    QVERIFY(!shown.tells());
    QElapsedTimer since;
    since.start();
    shown.point(at);
    QVERIFY(!shown.tells());
    QTRY_VERIFY_WITH_TIMEOUT(shown.tells(), 5'000);
    QVERIFY2(since.elapsed() >= kEarliest, qPrintable(QString::number(since.elapsed())));
  }

  void whileThePointerMovesItStaysAway() {
    Shown shown;
    const QPoint at = shown.something();
    QElapsedTimer whole, rested;
    whole.start();
    while (whole.elapsed() < 2 * kDelay) {
      rested.start();
      shown.point(at);
      QTest::qWait(20);
      if (rested.elapsed() < kEarliest) QVERIFY(!shown.tells());
    }
    QTRY_VERIFY_WITH_TIMEOUT(shown.tells(), 5'000);
  }

  void withCtrlItComesAtOnce() {
    Shown shown;
    const QPoint at = shown.something();
    shown.point(at, Qt::ControlModifier);
    QVERIFY(shown.tells());
    QVERIFY(shown.cardThere().height() > 34);  // it has lines
  }

  void itGoesWithThePointer() {
    Shown shown;
    const QPoint at = shown.something();
    shown.point(at, Qt::ControlModifier);
    QVERIFY(shown.tells());
    shown.leave();
    QVERIFY(!shown.tells());
    // Whoever leaves before it has come does not get it afterwards.
    shown.point(at);
    shown.leave();
    QTest::qWait(2 * kDelay);
    QVERIFY(!shown.tells());
    // The names of the rows are told by nothing.
    shown.point(at, Qt::ControlModifier);
    shown.point({5, at.y()}, Qt::ControlModifier);
    QVERIFY(!shown.tells());
  }

  void itGoesWithWhatItTellsOf() {
    Shown shown;
    const QPoint at = shown.something();
    const auto told = [&] {
      shown.point(at, Qt::ControlModifier);
      return shown.tells();
    };
    QVERIFY(told());
    shown.view->fitRange(at_ms(40'000), at_ms(50'000), false);
    QVERIFY(!shown.tells());
    shown.view->fitRange(at_ms(9'500), at_ms(32'000), false);
    QVERIFY(told());
    shown.view->setRun(gc_pause_facts());
    QVERIFY(!shown.tells());
    shown.view->appendHistory(shown.writer.history);
    QVERIFY(told());
    shown.view->hide();  // another page is turned to, by a key
    QVERIFY(!shown.tells());
    shown.view->show();
    QVERIFY(told());
    delete shown.view;
    QVERIFY(shown.card() == nullptr);
  }

  void itNeverCoversItsRowNorThePointer_data() {
    QTest::addColumn<QRect>("chart");
    QTest::addColumn<QSize>("around");
    QTest::newRow("all rows in sight") << QRect(0, 0, 916, 548) << QSize(1280, 800);
    QTest::newRow("at the top of its window") << QRect(0, 30, 916, 300) << QSize(916, 700);
    QTest::newRow("at its bottom") << QRect(108, 400, 916, 300) << QSize(1024, 700);
    QTest::newRow("as low as it can be") << QRect(200, 260, 700, 180) << QSize(1024, 640);
  }
  // The header of a mutex that stays on top while rows are scrolled under it is a row as any.
  void itNeverCoversItsRowNorThePointer() {
    QFETCH(const QRect, chart);
    QFETCH(const QSize, around);
    Shown shown(chart, around);
    QScrollBar* scroll = shown.view->verticalScrollBar();
    const QRect points = shown.view->viewport()->rect();
    int told = 0;
    for (int scrolled = 0; scrolled <= scroll->maximum(); scrolled += 9) {
      scroll->setValue(scrolled);
      for (int y = 0; y < points.height(); y += 4)
        for (int x = 0; x < points.width(); x += 37) {
          shown.point({x, y}, Qt::ControlModifier);
          if (!shown.tells()) continue;
          ++told;
          const QRect card = shown.cardThere(), row = shown.rowAt({x, y});
          const QByteArray where = qPrintable(QStringLiteral("at %1, %2, scrolled by %3").arg(x).arg(y).arg(scrolled));
          QVERIFY2(!card.intersects(row), where);
          QVERIFY2(!card.contains(shown.there({x, y, 1, 1})), where);
          QVERIFY2(shown.window.rect().contains(card), where);
        }
      shown.leave();
    }
    QVERIFY2(told > 100, qPrintable(QString::number(told)));
  }

  // A window too low for it anywhere but beside the pointer, along which it goes.
  void whereThereIsNoRoomItStandsBesideThePointer() {
    Shown shown({0, 0, 916, 180}, {916, 180});
    const QRect points = shown.view->viewport()->rect();
    int told = 0;
    for (int y = 0; y < points.height(); y += 4) {
      for (int x = 0; x < points.width(); x += 3) {
        shown.point({x, y}, shown.tells() ? Qt::NoModifier : Qt::ControlModifier);
        if (!shown.tells()) continue;
        ++told;
        QVERIFY2(!shown.cardThere().contains(shown.there({x, y, 1, 1})),
                 qPrintable(QStringLiteral("at %1, %2").arg(x).arg(y)));
      }
      shown.leave();
    }
    QVERIFY2(told > 100, qPrintable(QString::number(told)));
  }
};

LEASESCOPE_SUITE(HoverCardTest)
#include "hover_card_test.moc"
