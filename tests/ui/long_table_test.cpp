// The table of ten million rows: it keeps nothing of a row, and is scrolled, pointed at, gone through by keys and
// painted as another table is.
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>

#include "tests/support/heartbeat.h"
#include "tests/support/ui_suite.h"
#include "ui/panels/long_table.h"
#include "ui/theme/look.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kRows = 10'000'000;
constexpr double kMostMs = 100;  // of the event loop's silence, as everywhere in the window

// Its cells say where they are.
class Rows : public QAbstractTableModel {
 public:
  explicit Rows(int rows) : rows_(rows) {}
  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : rows_; }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 4; }
  QVariant data(const QModelIndex& at, int role) const override {
    asked += role == Qt::DisplayRole;
    return role == Qt::DisplayRole ? QVariant(at.row() * 10 + at.column()) : QVariant();
  }
  // All cells of so many rows say something else.
  void change(int rows) { dataChanged(index(0, 0), index(rows - 1, 3)); }
  void become(int rows) {
    beginResetModel();
    rows_ = rows;
    endResetModel();
  }
  void grow(int at, int by) {
    beginInsertRows({}, at, at + by - 1);
    rows_ += by;
    endInsertRows();
  }

  mutable int asked = 0;  // for what a cell says

 private:
  int rows_;
};

struct Shown {
  explicit Shown(int rows = kRows) : model(rows) {
    table.setModel(&model);
    table.setWidths({80, 0, 120, -1});
    table.resize(400, 300);
    table.show();
  }
  Rows model;
  LongTable table;
};

}  // namespace

class LongTableTest : public UiSuite {
  Q_OBJECT
 private slots:
  void noRowIsKept() {
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    QCOMPARE(shown.table.verticalHeader()->count(), 0);
    QCOMPARE(shown.table.verticalScrollBar()->maximum(), kRows - shown.table.rowsAtOnce());
    QTest::qWait(50);
    Heartbeat heart;
    for (const int rows : {0, kRows, 5, kRows}) {
      shown.model.become(rows);
      QTest::qWait(20);
      QCOMPARE(shown.table.verticalScrollBar()->maximum(), std::max(0, rows - shown.table.rowsAtOnce()));
    }
    for (int i = 0; i < 20; ++i) {
      shown.model.grow(i % 2 == 0 ? 0 : shown.model.rowCount(), 65'536);
      QTest::qWait(5);
    }
    const Heartbeat::Silence silence = heart.longest();
    QVERIFY2(silence.own_ms < kMostMs, qPrintable(QString::number(silence.own_ms)));
  }

  void anyRowIsScrolledToAndPointedAt() {
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    LongTable& table = shown.table;
    for (const int row : {0, 3, 9'999'999, 5'000'000, 4'999'999, 5'000'003, 0}) {
      const QModelIndex at = shown.model.index(row, 2);
      table.scrollTo(at);
      const QRect cell = table.visualRect(at);
      QVERIFY2(table.viewport()->rect().contains(cell.center()), qPrintable(QString::number(row)));
      QVERIFY(cell.top() >= 0 && cell.bottom() < table.viewport()->height());
      QCOMPARE(table.indexAt(cell.center()), at);
    }
    QVERIFY(table.visualRect(shown.model.index(0, 1)).isEmpty());  // a column that is hidden
    table.scrollTo(shown.model.index(700, 0), QAbstractItemView::PositionAtTop);
    QCOMPARE(table.verticalScrollBar()->value(), 700);
    // Below the last one is none.
    shown.model.become(2);
    QVERIFY(!table.indexAt({10, table.viewport()->height() - 2}).isValid());
  }

  void keysGoThroughAllOfThem() {
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    LongTable& table = shown.table;
    const auto key = [&](Qt::Key which, Qt::KeyboardModifiers with = {}) {
      QTest::keyClick(&table, which, with);
      return table.currentIndex();
    };
    table.setCurrentIndex(shown.model.index(0, 0));
    QCOMPARE(key(Qt::Key_Down).row(), 1);
    QCOMPARE(key(Qt::Key_Up).row(), 0);
    QCOMPARE(key(Qt::Key_Up).row(), 0);
    QCOMPARE(key(Qt::Key_PageDown).row(), table.rowsAtOnce());
    QCOMPARE(key(Qt::Key_PageUp).row(), 0);
    QCOMPARE(key(Qt::Key_End, Qt::ControlModifier).row(), kRows - 1);
    QVERIFY(table.viewport()->rect().contains(table.visualRect(table.currentIndex()).center()));
    QVERIFY(table.selectionModel()->isRowSelected(kRows - 1));
    QCOMPARE(key(Qt::Key_Home, Qt::ControlModifier).row(), 0);
    QCOMPARE(table.currentIndex().column(), 0);
    QCOMPARE(key(Qt::Key_Right).column(), 2);  // past the hidden one
    QCOMPARE(key(Qt::Key_Left).column(), 0);
    QCOMPARE(table.verticalScrollBar()->value(), 0);
  }

  void aRowIsChosenByTheMouseAndPainted() {
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    LongTable& table = shown.table;
    table.scrollTo(shown.model.index(8'000'000, 0), QAbstractItemView::PositionAtTop);
    const QModelIndex at = shown.model.index(8'000'002, 2);
    const QRect cell = table.visualRect(at);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell.center());
    QCOMPARE(table.currentIndex(), at);
    QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
    QVERIFY(table.selectionModel()->isRowSelected(8'000'002));
    table.clearFocus();  // a frame would be over it
    const QImage image = table.viewport()->grab().toImage();
    const QPoint inside = cell.topLeft() + QPoint(3, 4);
    QCOMPARE(image.pixel(inside), ink().selection.rgb());
    QCOMPARE(image.pixel(inside + QPoint(0, cell.height())), ink().panel.rgb());
    // A text is in it.
    bool written = false;
    for (int x = cell.left(); x < cell.right(); ++x)
      written = written || image.pixel(x, cell.center().y()) != ink().selection.rgb();
    QVERIFY(written);
  }

  // Whatever is inserted before, the same row of the list is the first one; what is chosen goes with its row.
  void whatIsChosenStaysWhereItIs() {
    Shown shown(1000);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    LongTable& table = shown.table;
    table.setCurrentIndex(shown.model.index(500, 0));
    shown.model.grow(0, 100);
    QCOMPARE(table.currentIndex().row(), 600);
    QVERIFY(table.selectionModel()->isRowSelected(600));
    table.verticalScrollBar()->setValue(table.verticalScrollBar()->maximum());
    shown.model.grow(1100, 50);
    QCOMPARE(table.verticalScrollBar()->maximum(), 1150 - table.rowsAtOnce());
    QCOMPARE(table.verticalScrollBar()->value(), 1100 - table.rowsAtOnce());
  }

  void aColumnIsAsWideAsWhatIsSeen() {
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    shown.table.resizeColumnToContents(2);
    const int narrow = shown.table.columnWidth(2);
    shown.table.scrollTo(shown.model.index(kRows - 1, 0));
    shown.table.resizeColumnToContents(2);
    QVERIFY2(shown.table.columnWidth(2) > narrow, qPrintable(QString::number(narrow)));
  }

  void cellsThatChangeArePaintedAnew() {
    Shown shown;
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    QTRY_VERIFY(shown.model.asked > 0);
    QTest::qWait(50);
    shown.model.asked = 0;
    QTest::qWait(50);
    QCOMPARE(shown.model.asked, 0);  // nothing else paints meanwhile
    shown.model.change(10);
    QTRY_VERIFY(shown.model.asked >= 10);
  }

  void theBarIsThereWhereItIsNeeded() {
    Shown shown(3);
    QVERIFY(QTest::qWaitForWindowExposed(&shown.table));
    QTRY_VERIFY(!shown.table.verticalScrollBar()->isVisible());
    shown.model.become(kRows);
    QTRY_VERIFY(shown.table.verticalScrollBar()->isVisible());
    shown.model.become(3);
    QTRY_VERIFY(!shown.table.verticalScrollBar()->isVisible());
  }
};

LEASESCOPE_SUITE(LongTableTest)
#include "long_table_test.moc"
