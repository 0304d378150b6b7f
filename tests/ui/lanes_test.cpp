// The lanes of the other lock systems, on histories by hand: what they fold, where it lies and what it says.
#include <QImage>

#include "tests/support/ui_suite.h"
#include "tests/ui/lane_histories.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/painter.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

struct Chart {
  ChartData data;
  ChartLayout layout;

  Chart(const RunFacts& facts, const LaneWriter& w, int width = 1440) {
    data.reset(facts);
    data.append(w.history);
    layout = layout_chart(data, width);
  }
  Scene scene() const {
    return {data, layout, Viewport::fitting({}, data.end(), layout.plot_width()), layout.height(), 0};
  }
  QImage paint(Theme theme = Theme::kLight) const {
    QImage image(layout.width, layout.height(), QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    TileCache tiles;
    paint_chart(painter, scene(), theme, tiles);
    return image;
  }
  // What a pointer meets at a moment, so far below the top of a row.
  Hit hit(const RowBox& row, std::int64_t at, int below) const {
    return hit_test(scene(), {scene().x(at_ms(at)), scene().y(row) + below});
  }
  QString title(const Hit& found, std::int64_t at) const { return describe(data, found, at_ms(at)).title; }
  const RowBox& own(LaneKind lane) const { return *layout.own_row(lane, 0); }
};

int count(const QImage& image, const QRect& area, const QColor& colour) {
  int found = 0;
  const QRect within = area.intersected(image.rect());
  for (int y = within.top(); y <= within.bottom(); ++y)
    for (int x = within.left(); x <= within.right(); ++x) found += image.pixelColor(x, y) == colour;
  return found;
}

// Of slanted edges too, which are half a colour.
int reddish(const QImage& image, const QRect& area) {
  int found = 0;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x) {
      const QColor colour = image.pixelColor(x, y);
      found += colour.red() > 150 && colour.green() < 130 && colour.blue() < 140;
    }
  return found;
}

}  // namespace

class LanesTest : public UiSuite {
  Q_OBJECT
 private slots:
  void everyPixelOfEveryFormIsPaintedAtEveryWidth() {
    for (const auto& [facts, writer] :
         {std::pair{fenced_facts(), fenced_history()}, std::pair{quorum_facts(), quorum_history()},
          std::pair{pool_facts(), pool_history()}, std::pair{catalogue_facts(), catalogue_history()},
          std::pair{bank_facts(), bank_history()}})
      for (const int width : {1440, 800}) {
        const Chart chart(facts, writer, width);
        for (const Theme theme : {Theme::kLight, Theme::kDark}) {
          const QImage image = chart.paint(theme);
          QCOMPARE(count(image, image.rect(), Qt::magenta), 0);
        }
        int y = 0;  // rows follow each other without a gap
        for (const RowBox& row : chart.layout.rows) {
          QCOMPARE(row.y, y);
          y += row.height;
        }
      }
  }

  void everyLaneIsInTheLegendByWordsOfItsOwn() {
    QStringList names;
    for (const LegendMark& mark : chart_legend()) {
      QVERIFY(mark.sample);
      QVERIFY(!mark.name.isEmpty() || !mark.brief.isEmpty());
      if (!mark.name.isEmpty()) names << mark.name;
    }
    QCOMPARE(names.size(), QSet<QString>(names.begin(), names.end()).size());
    for (const char* each : {"permits", "session", "place in the queue", "quorum", "steal notice", "transfer"})
      QVERIFY2(names.contains(QString::fromLatin1(each)), each);
  }

  void aKeyThatAVictimGivesBackIsNoKeyOfItsThief() {
    LaneWriter w(quorum_facts());
    for (const Name name : {w.a, w.b}) w.add(0, name, EventKind::kStarted);
    for (const char* store : {"redis-1", "redis-2", "redis-3"}) w.vote(100, w.a, store);
    for (const char* store : {"redis-1", "redis-2", "redis-3"}) w.vote(500, w.b, store);
    for (const char* store : {"redis-1", "redis-2", "redis-3"}) w.vote(900, w.a, store, false);
    w.finish(3000);
    const Chart chart(quorum_facts(), w);
    const RowBox& row = chart.own(LaneKind::kVotes);
    const LineMeasures& m = measures().stores;
    const Hit later = chart.hit(row, 2000, m.first + 4);
    QCOMPARE(later.lane, LaneKind::kVotes);
    QCOMPARE(describe(chart.data, later, at_ms(2000)).contender, 1);
    QCOMPARE(later.from, at_ms(500));
  }

  // C steals from B while that waits for A's answer: B has nothing to wait for when it comes.
  void aThiefThatIsRobbedWaitsNoLongerThanForItsAnswer() {
    LaneWriter w(quorum_facts());
    for (const Name name : {w.a, w.b, w.c}) w.add(0, name, EventKind::kStarted);
    w.granted(100, w.a, 1, 4000);
    w.believed(110, w.a, 1, 4000);
    w.granted(500, w.b, 2, 4000, GrantKind::kStolen);
    w.granted(600, w.c, 3, 4000, GrantKind::kStolen);
    w.disbelieved(700, w.a, 1, DisbeliefReason::kStolen);
    w.add(1000, w.a, EventKind::kAcknowledged, 1, 0, w.b.handle);
    w.add(1500, w.b, EventKind::kAcknowledged, 2, 0, w.c.handle);
    w.believed(1510, w.c, 3, 3000);
    w.finish(5000);
    const Chart chart(quorum_facts(), w);
    const int middle = chart.layout.row.believed.y + chart.layout.row.believed.height / 2;
    const RowBox &b = *chart.layout.contender_row(1), &c = *chart.layout.contender_row(2);
    const Hit waits = chart.hit(b, 800, middle);
    QCOMPARE(waits.lane, LaneKind::kThefts);
    QCOMPARE(waits.to, at_ms(1000));
    QVERIFY(chart.hit(b, 1200, middle).lane != LaneKind::kThefts);
    QCOMPARE(chart.hit(c, 1200, middle).lane, LaneKind::kThefts);
  }

  void forWhomAThiefWaitsIsNotWrittenOverABar() {
    LaneWriter w(quorum_facts());
    for (const Name name : {w.a, w.b}) w.add(0, name, EventKind::kStarted);
    w.granted(100, w.a, 1, 4000);
    w.believed(110, w.a, 1, 4000);
    w.granted(2000, w.b, 2, 4000, GrantKind::kStolen);
    w.disbelieved(2010, w.a, 1, DisbeliefReason::kStolen);
    w.add(2040, w.a, EventKind::kAcknowledged, 1, 0, w.b.handle);
    w.believed(2050, w.b, 2, 3000);
    w.finish(5000);
    const Chart chart(quorum_facts(), w);
    const Scene scene = chart.scene();
    const Band lane = chart.layout.row.believed;
    // Where the words would stand, between the bar's begin and its own label's place.
    const int from = scene.x(at_ms(2050));
    const QRect words(from + 2, scene.y(*chart.layout.contender_row(1)) + lane.y + 1, 5, lane.height - 2);
    const QImage image = chart.paint();
    QCOMPARE(count(image, words, colours(Theme::kLight).id[1].tint), words.width() * words.height());
  }

  void whoeverStandsBehindMovesUpInTheQueue() {
    const Chart chart(fenced_facts(), fenced_history());
    const RowBox& row = chart.own(LaneKind::kQueue);
    const LineMeasures& m = measures().queue;
    QCOMPARE(row.height, m.first + 3 + 2 * m.pitch);
    const Hit second = chart.hit(row, 10'000, m.first + m.pitch + 4), first = chart.hit(row, 20'000, m.first + 4);
    QCOMPARE(second.lane, LaneKind::kQueue);
    QCOMPARE(describe(chart.data, second, at_ms(10'000)).right, QStringLiteral("place 2"));
    QCOMPARE(describe(chart.data, second, at_ms(10'000)).contender, 2);
    QCOMPARE(describe(chart.data, first, at_ms(20'000)).right, QStringLiteral("place 1"));
    QCOMPARE(describe(chart.data, first, at_ms(20'000)).contender, 2);
    QCOMPARE(first.from, at_ms(18'100));
    QCOMPARE(first.to, at_ms(28'150));
    // Nobody stands at place 2 meanwhile.
    QVERIFY(!chart.hit(row, 20'000, m.first + m.pitch + 4));
  }

  void aPlaceIsNotWrittenOverTheGrantThatEndsIt() {
    LaneWriter w(fenced_facts());
    for (const Name name : {w.a, w.b}) w.add(0, name, EventKind::kStarted);
    w.granted(100, w.a, 1, 0);
    w.add(1000, w.b, EventKind::kQueued, kNoToken, 1, 7);
    w.add(1500, w.a, EventKind::kReleased, 1);
    w.add(1500, w.b, EventKind::kDequeued, kNoToken, 1, 7);
    w.granted(1500, w.b, 2, 0);
    w.attempted(1500, w.b, AttemptResult::kWon, 2);
    w.finish(40'000);
    const Chart chart(fenced_facts(), w);
    const Scene scene = chart.scene();
    const int from = scene.x(at_ms(1500)) + 7;
    const Band lane = chart.layout.row.attempts;
    const QRect beyond(from, scene.y(*chart.layout.contender_row(1)) + lane.y, 24, 12);
    QCOMPARE(count(chart.paint(), beyond, colours(Theme::kLight).muted), 0);
  }

  void aSessionThatWasSilentIsHatchedWithWhatItHolds() {
    const Chart chart(fenced_facts(), fenced_history());
    QVERIFY(chart.data.sessions());
    QCOMPARE(chart.layout.row.height, measures().comfortable_session.height);
    const QImage image = chart.paint();
    const RowBox& row = *chart.layout.contender_row(0);
    const Scene scene = chart.scene();
    const IdentityColours& id = colours(Theme::kLight).id[0];
    const int lane = scene.y(row) + chart.layout.row.session.y + 9, held = scene.y(row) + chart.layout.row.held.y + 3;
    const auto stretch = [&](int from, int to, int y, int height) {
      return QRect(scene.x(at_ms(from)) + 2, y, scene.x(at_ms(to)) - scene.x(at_ms(from)) - 4, height);
    };
    QCOMPARE(count(image, stretch(6700, 7500, held, 16), id.mid), 0);
    QVERIFY(count(image, stretch(10'000, 16'000, held, 16), id.mid) > 100);
    QVERIFY(count(image, stretch(10'000, 16'000, lane, 4), id.mid) > 100);
    // B's session beats all the time.
    QCOMPARE(count(image,
                   QRect(scene.x(at_ms(10'000)), scene.y(*chart.layout.contender_row(1)) + 91,
                         scene.x(at_ms(16'000)) - scene.x(at_ms(10'000)), 4),
                   colours(Theme::kLight).id[1].mid),
             0);
    // What its client does not know is said where one points.
    const Hit over = chart.hit(row, 21'000, chart.layout.row.session.y + 3);
    QCOMPARE(over.lane, LaneKind::kSessions);
    QVERIFY(describe(chart.data, over, at_ms(21'000)).warning.contains(QStringLiteral("does not know")));
    QVERIFY(describe(chart.data, over, at_ms(7000)).warning.isEmpty());
  }

  void aSecondHoldIsABracketInTheBarsUntilItIsGivenBack() {
    const Chart chart(fenced_facts(), fenced_history());
    const QImage image = chart.paint();
    const Scene scene = chart.scene();
    const Band held = chart.layout.row.held;
    const int y = scene.y(*chart.layout.contender_row(0)) + held.y + held.height - 5;
    const int from = scene.x(at_ms(2950)) + 4, to = scene.x(at_ms(5650)) - 4;
    const QColor& on = colours(Theme::kLight).id[0].on;
    QCOMPARE(count(image, {from, y, to - from, 2}, on), 2 * (to - from));
    QCOMPARE(count(image, {to + 8, y, 40, 2}, on), 0);
  }

  void permitsAreLinesAndTheLowestFreeOneIsTaken() {
    const Chart chart(pool_facts(), pool_history());
    const MutexRow& mutex = chart.data.mutexes().front();
    QCOMPARE(mutex.places.size(), std::size_t{3});
    QCOMPARE(mutex.places[0].front().contender, 0);
    QCOMPARE(mutex.places[0].back().contender, 4);  // after A's was over
    QCOMPARE(mutex.places[1].back().contender, 3);  // after B gave its own back
    QCOMPARE(mutex.places[2].back().contender, 1);
    for (const SpanTrack& place : mutex.places)
      for (std::size_t i = 1; i < place.size(); ++i) QVERIFY(place[i].start.hi >= place[i - 1].end.hi);
    const RowBox& header = *chart.layout.mutex_row(0);
    QCOMPARE(header.height, 23 + 3 * measures().permits.pitch);
    const Hit third = chart.hit(header, 10'000, measures().permits.first + 2 * measures().permits.pitch + 5);
    QCOMPARE(chart.title(third, 10'000), QStringLiteral("holds a permit of pool"));
    QCOMPARE(describe(chart.data, third, at_ms(10'000)).contender, 2);
  }

  void moreThanMayIsTapeOverTheLimit() {
    const Chart chart(pool_facts(), pool_history());
    const QImage image = chart.paint();
    const RowBox& row = chart.own(LaneKind::kInUse);
    const Scene scene = chart.scene();
    const int top = scene.y(row) + measures().in_use_axis - 4 * measures().in_use_unit;
    const auto over = [&](int from, int to) {
      return count(image, {scene.x(at_ms(from)), top, scene.x(at_ms(to)) - scene.x(at_ms(from)), 6},
                   colours(Theme::kLight).overlap);
    };
    QVERIFY(over(15'000, 18'000) > 50);
    QCOMPARE(over(8000, 14'000), 0);
  }

  void readersStandBesideEachOtherAndAWriterAlone() {
    const Chart chart(catalogue_facts(), catalogue_history());
    const MutexRow& mutex = chart.data.mutexes().front();
    QVERIFY(mutex.readers);
    QCOMPARE(mutex.places.size(), std::size_t{3});
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(mutex.places[i].front().shared);
    // It is free when the last reader has gone, not before.
    QCOMPARE(mutex.gaps.front().begin.hi, at_ms(14'700));
    const QImage image = chart.paint();
    const Scene scene = chart.scene();
    const auto& id = colours(Theme::kLight).id;
    const int x = scene.x(at_ms(7000)), band = scene.y(*chart.layout.mutex_row(0)) + measures().mutex_band.y;
    for (int reader = 0; reader < 3; ++reader)
      QCOMPARE(image.pixelColor(x, band + 7 * reader + 3), id[static_cast<std::size_t>(reader)].ink);
    QCOMPARE(count(image, {scene.x(at_ms(21'000)), band, 1, 20}, id[3].ink), 20);
    // In its own row a reader has the upper half of what was held.
    const RowBox& row = *chart.layout.contender_row(1);
    const Band held = chart.layout.row.held;
    QCOMPARE(image.pixelColor(x, scene.y(row) + held.y + 2), id[1].ink);
    QVERIFY(image.pixelColor(x, scene.y(row) + held.y + held.height - 2) != id[1].ink);
  }

  void theQuorumsBarIsAsHighAsTheStoresThatAgree() {
    const Chart chart(quorum_facts(), quorum_history());
    QVERIFY(chart.data.mutexes().front().votes);
    const RowBox& stores = chart.own(LaneKind::kVotes);
    QCOMPARE(stores.height, measures().stores.first + 2 + 5 * measures().stores.pitch);
    const Hit key = chart.hit(stores, 500, measures().stores.first + 4);
    QCOMPARE(chart.title(key, 500), QStringLiteral("has the key of orders"));
    QCOMPARE(describe(chart.data, key, at_ms(500)).contender, 0);
    const QImage image = chart.paint();
    const Scene scene = chart.scene();
    const Band band = measures().mutex_band;
    const int bottom = scene.y(*chart.layout.mutex_row(0)) + band.y + band.height;
    const IdentityColours& id = colours(Theme::kLight).id[0];
    const auto high = [&](std::int64_t at, const QColor& colour) {
      return count(image, {scene.x(at_ms(at)), bottom - band.height, 1, band.height}, colour);
    };
    QCOMPARE(high(75, id.mid), 8);  // two of five: not solid
    QCOMPARE(high(75, id.ink), 0);
    QCOMPARE(high(400, id.ink), 20);  // all of them
  }

  void aThiefHasARuleUntilItsVictimHasAnswered() {
    const Chart chart(quorum_facts(), quorum_history());
    const RowBox& thief = *chart.layout.contender_row(2);
    const Band lane = chart.layout.row.believed;
    const Hit wait = chart.hit(thief, 1200, lane.y + lane.height / 2);
    QCOMPARE(wait.lane, LaneKind::kThefts);
    QCOMPARE(wait.from, at_ms(1035));
    QCOMPARE(wait.to, at_ms(1360));
    const HoverText text = describe(chart.data, wait, at_ms(1200));
    QCOMPARE(text.lines.front().second, QStringLiteral("B"));
    QCOMPARE(text.lines.back().second, QStringLiteral("it owns"));
    // After that it is a bar like any other.
    QCOMPARE(chart.hit(thief, 1500, lane.y + lane.height / 2).lane, LaneKind::kBelieved);
    // One that crashed before it was answered never owned.
    const Hit crashed = chart.hit(*chart.layout.contender_row(1), 2900, lane.y + lane.height / 2);
    QCOMPARE(describe(chart.data, crashed, at_ms(2900)).lines.back().second, QStringLiteral("it has it no more"));
  }

  void whatABankPostedTwiceOrLostIsNeverLeftOut() {
    const Chart chart(bank_facts(), bank_history());
    const RowBox& row = chart.own(LaneKind::kTransfers);
    const Hit second = chart.hit(row, 7000, measures().transfers.first + measures().transfers.pitch + 4);
    QCOMPARE(second.lane, LaneKind::kTransfers);  // beside A, who is not through with it
    QCOMPARE(describe(chart.data, second, at_ms(7000)).contender, 1);
    for (const int width : {1440, 500}) {
      const Chart each(bank_facts(), bank_history(), width);
      const QImage image = each.paint();
      const Scene scene = each.scene();
      const RowBox& own = each.own(LaneKind::kTransfers);
      const int axis = scene.y(own) + own.height - measures().transfers_axis_from_bottom;
      for (const int at : {8000, 8600}) QVERIFY(reddish(image, {scene.x(at_ms(at)) - 8, axis - 8, 16, 16}) > 20);
    }
  }
};

LEASESCOPE_SUITE(LanesTest)
#include "lanes_test.moc"
