// Orders of the table of events other than that of time: that they are those of a stable sort, that nobody waits for
// them, and what becomes of one that is not wanted any more.
#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <numeric>

#include "core/history/kind_words.h"
#include "tests/support/heartbeat.h"
#include "tests/support/ui_suite.h"
#include "ui/models/events_model.h"
#include "ui/models/glyph.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;
constexpr std::size_t kMillion = 1'000'000;
constexpr double kMostMs = 100;         // of the event loop's silence, as everywhere in the window
constexpr int kLongPatience = 120'000;  // ms

// The n-th is n milliseconds after the begin; of each token and each kind there are many, in no order, and one token in
// five needs more than 32 bits.
void append(History& history, std::size_t count) {
  const Name node = history.names.intern("late"), mutex = history.names.intern("jobs");
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t place = history.events.size(), mixed = place * 0x9e3779b97f4a7c15u >> 40;
    Event event;
    event.lo = event.hi = TrueTime(Duration(static_cast<std::int64_t>(place) * 1'000'000));
    event.kind = mixed % 4 == 0 ? EventKind::kGranted : EventKind::kRenewed;
    event.token = 1 + mixed % 1000 + (mixed % 5 == 0 ? Token{7} << 32 : 0);
    event.cause = static_cast<Sequence>(mixed % 17);
    event.node = node;
    event.mutex = mutex;
    history.events.push_back(event);
  }
  history.now = history.events.back().hi;
}

std::vector<std::size_t> shown(const EventsModel& model) {
  std::vector<std::size_t> out;
  for (int row = 0; row < model.rowCount(); ++row)
    out.push_back(static_cast<std::size_t>(model.index(row, 0).data(kTimeRole).toLongLong() / 1'000'000));
  return out;
}

// What it has to be, of the first so many.
template <class Key>
std::vector<std::size_t> sorted(const History& history, std::size_t count, bool backwards, Key key) {
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_sort(out.begin(), out.end(),
                   [&](std::size_t a, std::size_t b) { return key(history.events[a]) < key(history.events[b]); });
  if (backwards) std::reverse(out.begin(), out.end());
  return out;
}

std::vector<std::size_t> byToken(const History& history, std::size_t count, bool backwards = false) {
  return sorted(history, count, backwards, [](const Event& event) { return event.token; });
}

std::vector<std::size_t> inTime(std::size_t count) {
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

}  // namespace

class EventOrderTest : public UiSuite {
  Q_OBJECT
 private slots:
  void aMillionAreSortedBesideTheWindow();
  void theOrderIsThatOfAStableSort_data();
  void theOrderIsThatOfAStableSort();
  void theNextOneLeavesTheOneBefore();
  void whatIsCancelledLeavesTheOldOrder();
  void whatComesMeanwhileWaitsAtTheEnd();
  void aRunThatEndsWhileItIsSortedIsSortedWhole();
  void whatIsFilteredIsSortedAndComesBackInTime();
  void aFilterKeepsTheOrder();
  void whatIsChosenStaysChosen();
  void whatIsTakenAwayIsForgotten();
};

void EventOrderTest::aMillionAreSortedBesideTheWindow() {
  History history;
  append(history, kMillion);
  Cast cast;
  EventsModel model;
  model.setHistory(&history, &cast);
  QTest::qWait(50);
  Heartbeat heart;
  model.sort(EventsModel::kToken);
  QVERIFY(model.arranges());
  QCOMPARE(model.listBytes(), std::size_t{0});  // they can be used meanwhile, in the order before
  QCOMPARE(model.rowCount(), static_cast<int>(kMillion));
  for (const int row : {0, 1, 999'999}) QCOMPARE(model.index(row, 0).data(kTimeRole).toLongLong(), row * 1'000'000LL);
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  const Heartbeat::Silence silence = heart.longest();
  QVERIFY2(silence.own_ms < kMostMs, qPrintable(QString::number(silence.own_ms)));
  QVERIFY(shown(model) == byToken(history, kMillion));
  // Four bytes a row, and room for a few more rows.
  QVERIFY(model.listBytes() >= 4 * kMillion && model.listBytes() <= 4 * (kMillion + kMillion / 16));
  model.sort(EventsModel::kTime);  // at once
  QVERIFY(!model.arranges());
  QCOMPARE(model.listBytes(), std::size_t{0});
}

void EventOrderTest::theOrderIsThatOfAStableSort_data() {
  QTest::addColumn<int>("column");
  QTest::addColumn<bool>("backwards");
  QTest::addColumn<int>("count");
  for (const int column : {EventsModel::kWho, EventsModel::kKind, EventsModel::kToken, EventsModel::kCausedBy})
    for (const bool backwards : {false, true})
      for (const int count : {1, 300, 65'536, 65'537, 200'000})  // at once, and beside the window
        QTest::addRow("column %d %s %d", column, backwards ? "down" : "up", count) << column << backwards << count;
}

void EventOrderTest::theOrderIsThatOfAStableSort() {
  QFETCH(int, column);
  QFETCH(bool, backwards);
  QFETCH(int, count);
  const auto rows = static_cast<std::size_t>(count);
  History history;
  append(history, rows);
  Cast cast;
  EventsModel model;
  model.setHistory(&history, &cast);
  model.sort(column, backwards ? Qt::DescendingOrder : Qt::AscendingOrder);
  QCOMPARE(model.arranges(), rows > EventOrder::kAtOnce);
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  const auto key = [&](const Event& event) -> std::uint64_t {
    switch (column) {
      case EventsModel::kKind:
        return kind_key(event);
      case EventsModel::kToken:
        return event.token;
      case EventsModel::kCausedBy:
        return event.cause;
      default:
        return 0;  // all of one contender
    }
  };
  QVERIFY(shown(model) == sorted(history, rows, backwards, key));
}

void EventOrderTest::theNextOneLeavesTheOneBefore() {
  History history;
  append(history, 300'000);
  Cast cast;
  EventsModel model;
  model.setHistory(&history, &cast);
  const QSignalSpy moved(&model, &QAbstractItemModel::layoutChanged);
  model.sort(EventsModel::kKind);
  QTest::qWait(1);
  model.sort(EventsModel::kCausedBy, Qt::DescendingOrder);
  model.sort(EventsModel::kToken);
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  QTest::qWait(200);                                // nor does one come later
  QVERIFY(moved.size() == 1 || moved.size() == 2);  // the first may have been quick
  QVERIFY(shown(model) == byToken(history, 300'000));
}

void EventOrderTest::whatIsCancelledLeavesTheOldOrder() {
  History history;
  append(history, 300'000);
  Cast cast;
  EventsModel model;
  model.setHistory(&history, &cast);
  const QSignalSpy moved(&model, &QAbstractItemModel::layoutChanged);
  model.sort(EventsModel::kToken);
  QVERIFY(model.arranges());
  model.sort(EventsModel::kTime);
  QVERIFY(!model.arranges());
  QTest::qWait(500);
  QVERIFY(shown(model) == inTime(300'000));
  // Likewise where the order before was made.
  model.sort(EventsModel::kToken);
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  const qsizetype times = moved.size();
  model.sort(EventsModel::kKind);
  QVERIFY(model.arranges());
  model.sort(EventsModel::kToken);
  QVERIFY(!model.arranges());
  QTest::qWait(500);
  QCOMPARE(moved.size(), times);
  QVERIFY(shown(model) == byToken(history, 300'000));
}

void EventOrderTest::aRunThatEndsWhileItIsSortedIsSortedWhole() {
  History history;
  append(history, 100'000);
  Cast cast;
  EventsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setHistory(&history, &cast);
  model.sort(EventsModel::kToken);
  append(history, 200);
  model.sync(true);
  append(history, 200);
  model.sync(false);  // the last that is told
  QVERIFY(model.arranges());
  QTRY_VERIFY_WITH_TIMEOUT(shown(model) == byToken(history, 100'400), kLongPatience);
}
void EventOrderTest::whatComesMeanwhileWaitsAtTheEnd() {
  History history;
  append(history, 100'000);
  Cast cast;
  EventsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setHistory(&history, &cast);
  model.sort(EventsModel::kToken);
  // The list of events moves in memory while slices of it are read.
  for (int i = 0; i < 5; ++i) {
    append(history, 200);
    model.sync(true);
  }
  QCOMPARE(model.rowCount(), 101'000);
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  std::vector<std::size_t> rows = byToken(history, 100'000);
  for (std::size_t place = 100'000; place < 101'000; ++place) rows.push_back(place);
  QVERIFY(shown(model) == rows);
  model.sync(false);  // no more will come
  QTRY_VERIFY_WITH_TIMEOUT(shown(model) == byToken(history, 101'000), kLongPatience);
}

void EventOrderTest::whatIsFilteredIsSortedAndComesBackInTime() {
  History history;
  append(history, 300'000);
  Cast cast;
  EventsModel model;
  model.setHistory(&history, &cast);
  QVERIFY(!model.setFilter(QStringLiteral("kind:renewed")));
  QTRY_VERIFY_WITH_TIMEOUT(!model.looks(), kLongPatience);
  const std::vector<std::size_t> before = shown(model);
  QVERIFY(before.size() > EventOrder::kAtOnce && before.size() < 300'000);
  std::vector<std::size_t> renewed = byToken(history, 300'000, true);
  renewed.erase(std::remove_if(renewed.begin(), renewed.end(),
                               [&](std::size_t i) { return history.events[i].kind != EventKind::kRenewed; }),
                renewed.end());
  model.sort(EventsModel::kToken, Qt::DescendingOrder);
  QVERIFY(shown(model) == before);
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  QVERIFY(shown(model) == renewed);
  model.sort(EventsModel::kTime, Qt::DescendingOrder);
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  QVERIFY(shown(model) == std::vector<std::size_t>(before.rbegin(), before.rend()));
  model.sort(EventsModel::kTime);
  QVERIFY(!model.arranges());  // the other way round is no work
  QVERIFY(shown(model) == before);
}

void EventOrderTest::aFilterKeepsTheOrder() {
  History history;
  append(history, 300'000);
  Cast cast;
  EventsModel model;
  model.setHistory(&history, &cast);
  model.sort(EventsModel::kToken);
  QVERIFY(!model.setFilter(QStringLiteral("kind:renewed")));
  QVERIFY(model.arranges());  // they come in the order of time first
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  std::vector<std::size_t> renewed = byToken(history, 300'000);
  renewed.erase(std::remove_if(renewed.begin(), renewed.end(),
                               [&](std::size_t i) { return history.events[i].kind != EventKind::kRenewed; }),
                renewed.end());
  QVERIFY(shown(model) == renewed);
  QVERIFY(!model.setFilter({}));
  QCOMPARE(model.rowCount(), 300'000);
  QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
  QVERIFY(shown(model) == byToken(history, 300'000));
}

void EventOrderTest::whatIsChosenStaysChosen() {
  History history;
  append(history, 70'000);
  Cast cast;
  EventsModel model;
  QAbstractItemModelTester tester(&model, kFatal);
  model.setHistory(&history, &cast);
  const QPersistentModelIndex chosen = model.index(4711, EventsModel::kWhat);
  for (const int column : {EventsModel::kToken, EventsModel::kKind, EventsModel::kTime}) {
    model.sort(column, Qt::DescendingOrder);
    QCOMPARE(chosen.data(kTimeRole).toLongLong(), 4'711'000'000LL);
    QTRY_VERIFY_WITH_TIMEOUT(!model.arranges(), kLongPatience);
    QCOMPARE(chosen.data(kTimeRole).toLongLong(), 4'711'000'000LL);
    QCOMPARE(chosen.column(), static_cast<int>(EventsModel::kWhat));
  }
  QCOMPARE(chosen.row(), 70'000 - 1 - 4711);
}

void EventOrderTest::whatIsTakenAwayIsForgotten() {
  History history, other;
  append(history, 100'000);
  append(other, 100);
  Cast cast;
  auto model = std::make_unique<EventsModel>();
  model->setHistory(&history, &cast);
  model->sort(EventsModel::kToken);
  QVERIFY(model->arranges());
  model->setHistory(&other, &cast);  // few: in that order at once
  QVERIFY(!model->arranges());
  QVERIFY(shown(*model) == byToken(other, 100));
  QTest::qWait(200);
  QVERIFY(shown(*model) == byToken(other, 100));
  model->setHistory(nullptr, nullptr);
  QCOMPARE(model->rowCount(), 0);
  QVERIFY(!model->arranges());
  // Nor does a thread find one that is gone.
  model->setHistory(&history, &cast);
  QTest::qWait(5);
  model.reset();
  QTest::qWait(200);
}

LEASESCOPE_SUITE(EventOrderTest)
#include "event_order_test.moc"
