// The table of watched mutexes in groups: a row before each, with how many it has, folded and unfolded; whatever
// changes, rows move and none is made anew.
#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <random>

#include "tests/support/suite.h"
#include "tests/support/watched_by_hand.h"
#include "ui/models/words.h"
#include "ui/watch/mutexes_model.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

constexpr int kName = MutexesModel::kMutex;

QStringList names(const MutexesModel& model) {
  QStringList out;
  for (int row = 0; row < model.rowCount(); ++row) out << model.index(row, kName).data().toString();
  return out;
}

// Of two stores, with a lock of another maker.
class Table {
 public:
  Table() : hand_({"redis://b", "redis://a"}) {
    tell("orders", "x", 0);
    tell("bills", "", 0);
    tell("taxes", "y", 1);
    Sighting foreign = WatchedByHand::seen("cart", "z", kNoToken, 20s);
    foreign.maker = "Redisson";
    foreign.system = "lock";
    hand_.tell(foreign, 1);
    hand_.all_seen();
    model_.setWatch(&hand_.watch(), &cast_);
    sync();
  }
  void tell(const char* mutex, const char* owner, std::size_t store) {
    hand_.tell(*owner == '\0' ? WatchedByHand::seen(mutex, "") : WatchedByHand::seen(mutex, owner, ++token_, 20s),
               store);
  }
  void sync() {
    hand_.pass(10ms);
    cast_.sync(hand_.watch().history());
    model_.sync(hand_.now());
  }
  MutexesModel& model() { return model_; }
  WatchedByHand& hand() { return hand_; }

 private:
  WatchedByHand hand_;
  Cast cast_;
  MutexesModel model_;
  Token token_ = 0;
  QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

// What holds whatever is folded: each group's row, then its own, and its number.
QString wrong(const MutexesModel& model) {
  QString title;
  QSet<QString> met;
  int rows = 0, expected = 0;
  const auto over = [&] { return rows == expected; };
  for (int row = 0; row < model.rowCount(); ++row) {
    if (const MutexGroup* const group = model.group(row)) {
      if (!over()) return QStringLiteral("%1 has %2 rows of %3").arg(title).arg(rows).arg(expected);
      title = group->title;
      if (met.contains(title)) return title + QStringLiteral(" is there twice");
      met << title;
      rows = 0;
      expected = group->folded ? 0 : group->count;
      if (group->count == 0) return title + QStringLiteral(" is empty");
      if (model.mutex(row) != nullptr) return QStringLiteral("a group is no mutex");
      continue;
    }
    ++rows;
    const int column = model.grouping() == Grouping::kStore    ? MutexesModel::kStore
                       : model.grouping() == Grouping::kSystem ? MutexesModel::kSystem
                                                               : MutexesModel::kState;
    if (const QString its = model.index(row, column).data().toString(); its != title)
      return QStringLiteral("%1 stands under %2").arg(its, title);
    if (model.rowOf(model.mutex(row)) != row) return QStringLiteral("row %1 is not found").arg(row);
  }
  return over() ? QString() : QStringLiteral("the last has %1 rows of %2").arg(rows).arg(expected);
}

}  // namespace

class MutexGroupsTest : public QObject {
  Q_OBJECT
 private slots:
  void aRowBeforeEachGroupHasItsNumber() {
    Table table;
    MutexesModel& model = table.model();
    QCOMPARE(names(model), QStringList({"bills", "cart", "orders", "taxes"}));
    model.setGrouping(Grouping::kStore);
    QCOMPARE(names(model),
             QStringList({"redis://a · 2 mutexes", "cart", "taxes", "redis://b · 2 mutexes", "bills", "orders"}));
    QCOMPARE(model.groupRowOf(5), 3);
    QCOMPARE(model.index(0, kName).data(Qt::AccessibleTextRole).toString(),
             QString("Group redis://a, 2 mutexes, unfolded"));
    model.setGrouping(Grouping::kSystem);
    QCOMPARE(names(model),
             QStringList({"Redisson lock · 1 mutex", "cart", "simba · 3 mutexes", "bills", "orders", "taxes"}));
    model.setGrouping(Grouping::kState);
    QCOMPARE(names(model), QStringList({"held · 3 mutexes", "cart", "orders", "taxes", "free · 1 mutex", "bills"}));
    model.sort(kName, Qt::DescendingOrder);  // the groups keep their order
    QCOMPARE(names(model), QStringList({"held · 3 mutexes", "taxes", "orders", "cart", "free · 1 mutex", "bills"}));
    model.setGrouping(Grouping::kNone);
    QCOMPARE(names(model), QStringList({"taxes", "orders", "cart", "bills"}));
    QVERIFY(model.group(0) == nullptr);
    QCOMPARE(model.groupRowOf(2), -1);
  }

  // Of ours on Redis they are counted once a sweep, while the rest is looked at more often.
  void waitersThatWereCountedBeforeTellSoAtTheirCell() {
    Table table;
    MutexesModel& model = table.model();
    const auto tip = [&] {
      const int row = model.rowOf(&table.hand().mutex("orders"));
      return model.index(row, MutexesModel::kWaiters).data(Qt::ToolTipRole).toString();
    };
    Sighting seen = WatchedByHand::seen("orders", "x", 1, 60s);
    seen.waiters = 3;
    table.hand().tell(seen);
    table.sync();
    QVERIFY2(tip().isEmpty(), qPrintable(tip()));
    seen.waiters_are_of_now = false;
    seen.waiters_counted = table.hand().now();
    table.hand().pass(12s);
    table.hand().tell(seen);
    table.sync();
    QCOMPARE(tip(), QString("counted 12.0 s ago"));
  }

  void aFoldedGroupKeepsItsRowAndItsNumber() {
    Table table;
    MutexesModel& model = table.model();
    model.setGrouping(Grouping::kStore);
    const QPersistentModelIndex orders = model.index(5, kName);
    model.setFolded(0, true);
    QCOMPARE(names(model), QStringList({"redis://a · 2 mutexes", "redis://b · 2 mutexes", "bills", "orders"}));
    QVERIFY(model.group(0)->folded);
    QCOMPARE(orders.row(), 3);
    QCOMPARE(model.rowOf(&table.hand().mutex("taxes")), -1);
    // What comes to it is counted, and a filter counts too.
    table.tell("quotas", "y", 1);
    table.sync();
    QCOMPARE(names(model).front(), QString("redis://a · 3 mutexes"));
    model.setFilter(QStringLiteral("ta"), std::nullopt);
    QCOMPARE(names(model), QStringList({"redis://a · 2 mutexes"}));
    model.setFilter({}, std::nullopt);
    model.setFolded(0, false);
    QCOMPARE(model.rowCount(), 7);
    QVERIFY(wrong(model).isEmpty());
  }

  void aMutexGoesFromGroupToGroupAndNothingIsMadeAnew() {
    Table table;
    MutexesModel& model = table.model();
    model.setGrouping(Grouping::kState);
    const QPersistentModelIndex orders = model.index(model.rowOf(&table.hand().mutex("orders")), kName);
    QSignalSpy reset(&model, &MutexesModel::modelReset);
    table.tell("orders", "", 0);
    table.sync();
    QCOMPARE(names(model), QStringList({"held · 2 mutexes", "cart", "taxes", "free · 2 mutexes", "bills", "orders"}));
    QCOMPARE(orders.row(), 5);
    model.setFavourites({QStringLiteral("redis://b\n\norders")});
    QCOMPARE(names(model), QStringList({"held · 2 mutexes", "cart", "taxes", "free · 2 mutexes", "★ orders", "bills"}));
    table.hand().blind(0, "it is gone");
    table.sync();
    QCOMPARE(names(model),
             QStringList({"held · 2 mutexes", "cart", "taxes", "not observed · 2 mutexes", "★ orders", "bills"}));
    QCOMPARE(orders.row(), 4);
    QCOMPARE(reset.size(), 0);
  }

  // Whatever is told, filtered, sorted, divided and folded, in any order.
  void groupsAreWholeWhateverIsDone() {
    Table table;
    MutexesModel& model = table.model();
    std::mt19937 draw(11);
    const auto any = [&](unsigned below) { return static_cast<int>(draw() % below); };
    const char* const owners[] = {"", "x", "y"};
    for (int step = 0; step < 600; ++step) {
      switch (any(6)) {
        case 0:
          model.setGrouping(kGroupings[static_cast<std::size_t>(1 + any(3))]);
          break;
        case 1:
          model.setFolded(any(12), any(2) == 0);
          break;
        case 2:
          model.setFilter(any(2) == 0 ? QString() : QStringLiteral("m-1"), std::nullopt);
          break;
        case 3:
          model.sort(any(MutexesModel::kColumns), any(2) == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
          break;
        default: {
          const std::string mutex = "m-" + std::to_string(any(40));
          table.tell(mutex.c_str(), owners[any(3)], static_cast<std::size_t>(any(2)));
          table.sync();
        }
      }
      if (model.grouping() == Grouping::kNone) continue;
      const QString why = wrong(model);
      QVERIFY2(why.isEmpty(), qPrintable(QStringLiteral("step %1: %2").arg(step).arg(why)));
    }
  }
};

LEASESCOPE_SUITE(MutexGroupsTest)
#include "mutex_groups_test.moc"
