// Pictures of Watch in both themes, small and large: nothing is cut that has room, each letter can be read, and what an
// operator must not miss is in the picture. With LEASESCOPE_PICTURES=FOLDER they are kept there.
#include <QAbstractScrollArea>
#include <QHeaderView>
#include <QPushButton>
#include <QTabBar>
#include <cmath>

#include "tests/ui/watched_redis_suite.h"
#include "ui/look/fonts.h"
#include "ui/models/glyph.h"
#include "ui/watch/alerts_strip.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr double kReadable = 4.5;  // to 1, for small letters (WCAG 2.1, AA)
constexpr double kThere = 3;       // to 1, of the darkest pixel of thin letters, which are smoothed
constexpr int kMargin = 8;         // px, of a cell, at either side
constexpr int kLeaseFigure = 60;   // px, beside the lease's bar
constexpr int kManyMs = 30'000;    // ten thousand mutexes are looked at

double brightness(const QColor& colour) {
  const auto linear = [](double part) {
    return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double x = brightness(a), y = brightness(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

// Of what is painted there on that ground.
double strongest(const QImage& picture, const QRect& area, const QColor& ground) {
  double most = 1;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x) most = std::max(most, contrast(picture.pixelColor(x, y), ground));
  return most;
}

bool isScrolled(const QWidget* widget) {
  for (const QWidget* each = widget->parentWidget(); each != nullptr; each = each->parentWidget())
    if (qobject_cast<const QAbstractScrollArea*>(each) != nullptr) return true;
  return false;
}

QRect placeOf(const QWidget& widget, const QWidget& window) {
  return {widget.mapTo(&window, QPoint(0, 0)), widget.size()};
}

}  // namespace

class WatchPicturesTest : public WatchedRedisSuite {
  Q_OBJECT

  QByteArray which_;  // "five, dark, 1024x640"

  void keep(const QImage& picture) const {
    const QString folder = qEnvironmentVariable("LEASESCOPE_PICTURES");
    if (folder.isEmpty()) return;
    const QString name = QStringLiteral("watch-") + QString(which_).replace(QStringLiteral(", "), QStringLiteral("-"));
    QVERIFY(picture.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
  }

  // In each theme and size; what is checked of every picture first.
  template <class Check>
  void eachPicture(TestWindow& window, const char* name, Check check) {
    for (const ThemeChoice theme : {ThemeChoice::kLight, ThemeChoice::kDark})
      for (const QSize size : {QSize(1024, 640), QSize(2560, 1440)}) {
        which_ = QStringLiteral("%1, %2, %3x%4")
                     .arg(QString::fromLatin1(name), word(theme))
                     .arg(size.width())
                     .arg(size.height())
                     .toUtf8();
        Look::instance().choose(theme);
        window.resize(size);
        QTest::qWait(200);  // docks and columns take their room
        const QImage picture = window.grab().toImage();
        keep(picture);
        QVERIFY2(picture.size() == size, which_);
        nothingStandsOutside(window);
        if (QTest::currentTestFailed()) return;
        check(picture);
        if (QTest::currentTestFailed()) return;
      }
  }

  // Tabs of docks that lie on each other: those of a single one Qt puts where nobody sees them.
  static bool isKeptAside(const QWidget& widget) {
    const auto* const tabs = qobject_cast<const QTabBar*>(&widget);
    return tabs != nullptr && tabs->count() < 2 && qobject_cast<const QMainWindow*>(widget.parentWidget()) != nullptr;
  }
  // What scrolls may be larger than what is seen of it.
  void nothingStandsOutside(const TestWindow& window) const {
    for (const QWidget* each : window.findChildren<QWidget*>()) {
      if (!each->isVisible() || each->isWindow() || each->window() != &window || isScrolled(each) || isKeptAside(*each))
        continue;
      const QRect place = placeOf(*each, window);
      const QString text = QStringLiteral("%1: %2 '%3' at %4,%5 of %6x%7")
                               .arg(QString(which_), QString::fromLatin1(each->metaObject()->className()))
                               .arg(each->objectName())
                               .arg(place.x())
                               .arg(place.y())
                               .arg(place.width())
                               .arg(place.height());
      QVERIFY2(place.isEmpty() || window.rect().contains(place), qPrintable(text));
    }
  }

  static bool says(const TestWindow& window, const QString& words) {
    for (const QLabel* each : window.findChildren<QLabel*>())
      if (each->isVisible() && each->text().contains(words)) return true;
    for (const QAbstractButton* each : window.findChildren<QAbstractButton*>())
      if (each->isVisible() && each->text().contains(words)) return true;
    return false;
  }

  // ---- the table

  // Whoever paints it cuts it by these.
  static QFontMetrics metricsOf(const QModelIndex& cell) {
    const bool fixed = cell.data(kNumericRole).toBool() || cell.data(kFixedRole).toBool();
    const int weight = cell.column() == MutexesModel::kMutex ? 600 : 400;  // as where it is selected
    return QFontMetrics(fixed ? font(Face::kMono, measures().font_small)
                              : font(Face::kText, measures().font_body, weight));
  }
  void titlesAreWhole(const Table& table) const {
    const QFontMetrics metrics(font(Face::kText, measures().font_small, 500));
    for (int column = 0; column < MutexesModel::kColumns; ++column) {
      if (table.isColumnHidden(column)) continue;
      const QString title = table.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
      const QString shown = metrics.elidedText(title, Qt::ElideRight, table.columnWidth(column) - 2 * kMargin);
      QVERIFY2(shown == title, which_ + ": " + shown.toUtf8());
    }
  }
  void cellIsWhole(const Table& table, const QModelIndex& cell) const {
    int room = table.columnWidth(cell.column()) - 2 * kMargin - cell.data(kIndentRole).toInt();
    if (cell.column() == MutexesModel::kLease) room = std::min(room, kLeaseFigure);
    const QString whole = cell.data().toString();
    const QString shown = metricsOf(cell).elidedText(whole, Qt::ElideMiddle, room);
    QVERIFY2(shown == whole, which_ + ": " + shown.toUtf8() + " of " + whole.toUtf8());
  }
  void cellIsReadable(const TestWindow& window, const QImage& picture, const QModelIndex& cell) const {
    const Table& table = *watch(const_cast<TestWindow&>(window)).mutexes()->table();
    const QRect seen = table.visualRect(cell);
    const QRect place(table.viewport()->mapTo(&window, seen.topLeft()), seen.size());
    const QByteArray text = which_ + ": " + cell.data().toString().toUtf8();
    const bool selected = table.selectionModel()->isSelected(cell);
    const QColor ground = picture.pixelColor(place.topLeft() + QPoint(4, 4));
    QVERIFY2(ground.rgb() == (selected ? ink().selection : ink().panel).rgb(), text);
    const bool muted = cell.data(kMutedRole).toBool() && !selected;
    QVERIFY2(contrast(muted ? ink().muted : ink().text, ground) >= kReadable, text);
    const bool drawn = !cell.data().toString().isEmpty() && cell.data().toString() != QStringLiteral("–");
    if (drawn) QVERIFY2(strongest(picture, place.adjusted(kMargin, 4, -4, -4), ground) >= kThere, text);
  }
  // Of the rows that are seen whole, of which there are so many at least.
  void rowsAreGood(TestWindow& window, const QImage& picture, int least) const {
    const Table& table = *watch(window).mutexes()->table();
    titlesAreWhole(table);
    QCOMPARE(table.horizontalHeader()->height(), measures().table_header);
    int seen = 0;
    for (int row = std::max(0, table.rowAt(0)); row < table.model()->rowCount(); ++row) {
      const QRect first = table.visualRect(table.model()->index(row, MutexesModel::kMutex));
      if (first.top() < 0) continue;  // half above
      if (!table.viewport()->rect().contains(first)) break;
      ++seen;
      QCOMPARE(table.rowHeight(row), measures().table_dense);
      for (int column = 0; column < MutexesModel::kColumns; ++column) {
        if (table.isColumnHidden(column)) continue;
        const QModelIndex cell = table.model()->index(row, column);
        cellIsWhole(table, cell);
        cellIsReadable(window, picture, cell);
        if (QTest::currentTestFailed()) return;
      }
    }
    QVERIFY2(seen >= least, which_ + ": rows seen " + QByteArray::number(seen));
    QVERIFY2(QFontMetrics(font(Face::kText, measures().font_body, 600)).height() < measures().table_dense, which_);
  }

  // ---- the strip over it

  void stripIsSeen(TestWindow& window, const QImage& picture) const {
    const AlertsStrip& strip = *watch(window).alerts();
    QVERIFY2(strip.isVisible() && strip.height() > 0, which_);
    const QRect place = placeOf(strip, window);
    QVERIFY2(place.bottom() <= placeOf(*watch(window).mutexes()->table(), window).top(), which_);
    const QColor ground = picture.pixelColor(place.topLeft() + QPoint(3, 3));
    QVERIFY2(ground.rgb() == ink().accent.rgb(), which_);
    QVERIFY2(contrast(ink().on_accent, ground) >= kReadable, which_);
    QVERIFY2(strongest(picture, QRect(place.topLeft() + QPoint(32, 4), QSize(120, 14)), ground) >= kThere, which_);
  }
  void five() {
    for (const char* mutex : {"bills", "mails", "orders", "stock", "taxes"}) own(mutex, "api-2:873", 8812, 600'000);
  }

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }
  void cleanup() { Look::instance().choose(ThemeChoice::kLight); }

  void thatContrastIsMeasuredRight() {
    QCOMPARE(std::lround(contrast(Qt::black, Qt::white)), 21L);
    QCOMPARE(std::lround(100 * contrast(QColor(0x77, 0x77, 0x77), Qt::white)), 448L);
  }

  void emptyItSaysWhatToDo() {
    TestWindow window;
    show(window);
    window.turnTo(watch(window));
    eachPicture(window, "empty", [&](const QImage&) {
      QVERIFY2(says(window, "No store is watched"), which_);
      QVERIFY2(says(window, "Name a store that is in use"), which_);
      QVERIFY2(says(window, QStringLiteral("Watch a store…")), which_);
      QVERIFY2(!watch(window).mutexes()->isVisible(), which_);
    });
  }

  void fiveMutexesStandWhole() {
    five();
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 5);
    eachPicture(window, "five", [&](const QImage& picture) { rowsAreGood(window, picture, 5); });
  }

  void tenThousandMutexesStandWholeWhereverTheyAreScrolledTo() {
    redis({"EVAL",
           "for i = 1, 10000 do local k = string.format('simba:{m-%05d}', i) "
           "redis.call('SET', k, 'api-' .. i % 500, 'PX', 600000) redis.call('SET', k .. ':token', i, 'PX', 600000) "
           "redis.call('SET', k .. ':fence', i) end",
           "0"});
    TestWindow window;
    show(window);
    window.open(url_);
    QTRY_VERIFY_WITH_TIMEOUT(watch(window).watched().watch()->complete(), kManyMs);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 10'000);
    Table& table = *watch(window).mutexes()->table();
    eachPicture(window, "ten-thousand", [&](const QImage& picture) {
      QVERIFY2(says(window, QStringLiteral("all ") + countText(10'000)), which_);
      rowsAreGood(window, picture, 5);
      table.scrollToBottom();
      rowsAreGood(window, window.grab().toImage(), 5);
      table.scrollToTop();
    });
  }

  void aStoreThatIsAwayIsSeenToBe() {
    five();
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 5);
    server_->kill();
    QTRY_VERIFY_WITH_TIMEOUT(watch(window).alerts()->text().startsWith("Not observed · "), 2 * kSeen);
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "orders", MutexesModel::kState), QString("not observed"), kSeen);
    eachPicture(window, "store-away", [&](const QImage& picture) {
      QVERIFY2(watch(window).alerts()->text().contains(url_), which_);
      stripIsSeen(window, picture);
      rowsAreGood(window, picture, 5);
    });
  }

  void anAlertIsSeenOverTheTable() {
    const QString path = home_.filePath("rules.toml");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("schema = 1\n[[rule]]\nname = \"nobody\"\nkind = \"no_owner\"\nmutex = \"ord*\"\nfor = \"300ms\"\n");
    file.close();
    five();
    TestWindow window;
    watchIt(window);
    QTRY_COMPARE(watch(window).mutexes()->model()->rowCount(), 5);
    redis({"DEL", "simba:{orders}", "simba:{orders}:token"});
    redis({"PUBLISH", "simba:{orders}", "released@@api-2:873"});
    watch(window).chooseRulesWith([path] { return path; });
    watch(window).action(WatchAction::kRules)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(watch(window).alerts()->text().startsWith("nobody · orders: nobody has owned it"),
                             2 * kSeen);
    eachPicture(window, "alert", [&](const QImage& picture) {
      stripIsSeen(window, picture);
      QVERIFY2(says(window, "Acknowledge") && says(window, "Mute…"), which_);
      QVERIFY2(watch(window).mutexes()->alertChip()->isVisible(), which_);
      rowsAreGood(window, picture, 5);
    });
  }
};

LEASESCOPE_SUITE(WatchPicturesTest)
#include "watch_pictures_test.moc"
