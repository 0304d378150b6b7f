// What the lanes of the other lock systems cost: as much as their pixels, however long the history is. Everything of
// one row happens over and over again, closer and closer together.
#include <ctime>

#include "tests/support/ink_recorder.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/lane_histories.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/painter.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr std::int64_t kLength = 600'000;  // ms of each history
constexpr int kWidth = 1440;

// What happens in one turn, which begins then and lasts so long.
using Turn = void (*)(LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts);
using Begin = void (*)(LaneWriter& w);

struct Kind {
  const char* name;
  LaneKind lane;
  MutexLegend mutex;
  Begin begin;
  Turn turn;
};

void nothing(LaneWriter&) {}

void transferred(LaneWriter& w, std::int64_t at, TransferStep what, int transfer) {
  w.add(at, w.a, EventKind::kTransferred, kNoToken, transfer, w.history.names.intern("bank B").handle, detail(what));
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"sessions that expire",
       LaneKind::kSessions,
       {"orders", 1, "fenced"},
       nothing,
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         w.session(at, w.a, EventKind::kSessionOpened, turn + 1);
         w.session(at + lasts / 2, w.a, EventKind::kSessionEnded, turn + 1, SessionEnd::kExpired);
         w.disbelieved(at + lasts / 2, w.a, 1, DisbeliefReason::kSession);
       }},
      {"signs of life",
       LaneKind::kSessions,
       {"orders", 1, "fenced"},
       [](LaneWriter& w) {
         w.session(0, w.a, EventKind::kSessionOpened, 1);
         w.granted(0, w.a, 1, 0);
       },
       // Every fourth is late.
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t) {
         if (turn % 4 != 1) w.session(at, w.a, EventKind::kSessionRenewed, 1);
       }},
      {"a queue",
       LaneKind::kQueue,
       {"orders", 1, "fenced"},
       nothing,
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         w.add(at, w.b, EventKind::kQueued, kNoToken, 1, turn);
         w.add(at, w.c, EventKind::kQueued, kNoToken, 2, turn);
         w.add(at + lasts / 2, w.b, EventKind::kDequeued, kNoToken, 1, turn);
         w.granted(at + lasts / 2, w.b, static_cast<Token>(turn + 1), 0);
         w.add(at + lasts / 2, w.c, EventKind::kDequeued, kNoToken, 1, turn);
       }},
      {"a long queue",
       LaneKind::kQueue,
       {"orders", 1, "fenced"},
       [](LaneWriter& w) {
         std::int64_t place = 1;
         for (const Name who : {w.a, w.b, w.c, w.d}) w.add(0, who, EventKind::kQueued, kNoToken, place++);
       },
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         w.add(at, w.e, EventKind::kQueued, kNoToken, 5, turn);
         w.add(at + lasts / 2, w.e, EventKind::kDequeued, kNoToken, 5, turn);
       }},
      {"notifications",
       LaneKind::kNotifications,
       {"orders", 1, "simba"},
       nothing,
       [](LaneWriter& w, int, std::int64_t at, std::int64_t) {
         w.add(at, w.a, EventKind::kNotification, kNoToken, static_cast<std::int64_t>(StoreEventKind::kReleased),
               w.b.handle, detail(NotificationStep::kReceived));
       }},
      {"answers on their way",
       LaneKind::kMessages,
       {"orders", 1, "simba"},
       nothing,
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         const Token token = static_cast<Token>(turn + 1);
         w.granted(at, w.a, token, 1000);
         const Sequence grant = w.history.last();
         w.add(at + lasts / 2, w.a, EventKind::kAttempt, token, ms(1000),
               static_cast<std::int64_t>(RequestKind::kAcquire), detail(AttemptResult::kWon))
             .cause = grant;
       }},
      {"writes on their way",
       LaneKind::kMessages,
       {"orders", 1, "simba"},
       [](LaneWriter& w) { w.granted(0, w.a, 1, 0); },
       [](LaneWriter& w, int, std::int64_t at, std::int64_t lasts) {
         w.add(at, w.a, EventKind::kChecked, 1);
         const Sequence check = w.history.last();
         w.add(at + lasts / 2, w.a, EventKind::kWriteAccepted, 1, w.ledger.handle, 1).cause = check;
       }},
      {"thefts",
       LaneKind::kThefts,
       {"orders", 1, "quorum"},
       [](LaneWriter& w) {
         w.granted(0, w.b, 1, 1000);
         w.believed(0, w.b, 1, 1000);
       },
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         const Name thief = turn % 2 == 0 ? w.a : w.b, victim = turn % 2 == 0 ? w.b : w.a;
         const Token token = static_cast<Token>(turn + 2);
         w.granted(at, thief, token, 1000, GrantKind::kStolen);
         w.disbelieved(at + lasts / 4, victim, token - 1, DisbeliefReason::kStolen);
         w.add(at + lasts / 3, victim, EventKind::kAcknowledged, token - 1, 0, thief.handle);
         w.believed(at + lasts / 2, thief, token, 1000);
       }},
      {"votes",
       LaneKind::kVotes,
       {"orders", 1, "quorum"},
       nothing,
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         const Name who = turn % 2 == 0 ? w.a : w.b;
         int late = 0;
         for (const char* store : {"redis-1", "redis-2", "redis-3"}) w.vote(at + lasts * late++ / 3, who, store);
       }},
      {"transfers",
       LaneKind::kTransfers,
       {"transfers", 1, "cas"},
       nothing,
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         transferred(w, at, TransferStep::kHeld, turn);
         transferred(w, at + lasts / 4, TransferStep::kCredited, turn);
         transferred(w, at + lasts / 3, TransferStep::kCreditedAgain, turn);
         transferred(w, at + lasts / 2, TransferStep::kSettled, turn);
         transferred(w, at + lasts / 2, TransferStep::kLost, turn);
       }},
      {"in use, over the limit",
       LaneKind::kInUse,
       {"pool", 3, "cas"},
       [](LaneWriter& w) {
         Token token = 0;
         for (const Name who : {w.a, w.b, w.c}) w.believed(0, who, ++token, 0);
       },
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         w.believed(at, w.e, static_cast<Token>(turn + 4), 0);
         w.disbelieved(at + lasts / 2, w.e, static_cast<Token>(turn + 4), DisbeliefReason::kStop);
       }},
      {"holds",
       LaneKind::kHoldCounts,
       {"orders", 1, "fenced"},
       [](LaneWriter& w) { w.granted(0, w.a, 1, 0); },
       [](LaneWriter& w, int, std::int64_t at, std::int64_t lasts) {
         w.add(at, w.a, EventKind::kReentered, 1, 0, 2);
         w.add(at + lasts / 2, w.a, EventKind::kReentered, 1, 0, 1);
       }},
      {"crashes and restarts",
       LaneKind::kLives,
       {"orders", 1, "simba"},
       nothing,
       [](LaneWriter& w, int, std::int64_t at, std::int64_t lasts) {
         w.add(at, w.a, EventKind::kCrashed);
         w.add(at + lasts / 2, w.a, EventKind::kRestarted);
       }},
      {"starts, and stops after a release",
       LaneKind::kLives,
       {"orders", 1, "simba"},
       nothing,
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         const Token token = static_cast<Token>(turn + 1);
         w.add(at, w.a, EventKind::kStarted);
         w.granted(at + lasts / 4, w.a, token, 1000);
         w.add(at + lasts / 2, w.a, EventKind::kReleased, token);
         w.add(at + lasts / 2, w.a, EventKind::kStopped);
       }},
      {"stops that are refused",
       LaneKind::kLives,
       {"orders", 1, "simba"},
       nothing,
       [](LaneWriter& w, int, std::int64_t at, std::int64_t) {
         w.add(at, w.a, EventKind::kRefused, kNoToken, 0, 0, detail(LifecycleError::kCannotStop));
       }},
      {"refused writes of one term",
       LaneKind::kRefusals,
       {"orders", 1, "fenced"},
       nothing,
       [](LaneWriter& w, int, std::int64_t at, std::int64_t) { w.rejected(at, w.a, 1, 2); }},
      {"refused writes of many terms",
       LaneKind::kRefusals,
       {"orders", 1, "fenced"},
       nothing,
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t) {
         w.rejected(at, w.a, static_cast<Token>(turn % 7 + 1), static_cast<Token>(turn + 8));
       }},
      {"permits as one band",
       LaneKind::kBeside,
       {"pool", 100, "cas"},
       nothing,
       [](LaneWriter& w, int turn, std::int64_t at, std::int64_t lasts) {
         w.granted(at, w.a, static_cast<Token>(turn + 1), 1000);
         w.add(at + lasts / 2, w.a, EventKind::kReleased, static_cast<Token>(turn + 1));
       }}};
  return all;
}

struct Chart {
  ChartData data;
  ChartLayout layout;

  Chart(const Kind& kind, int turns) {
    const RunFacts facts = lane_facts(kLength, {kind.mutex}, 5);
    LaneWriter w(facts);
    w.on(kind.mutex.name.c_str());
    for (const Name who : {w.a, w.b, w.c, w.d, w.e}) w.add(0, who, EventKind::kStarted);
    kind.begin(w);
    for (int i = 0; i < turns; ++i) {
      const std::int64_t at = 1 + (kLength - 1) * i / turns, next = 1 + (kLength - 1) * (i + 1) / turns;
      kind.turn(w, i, at, next - at);
    }
    w.finish(kLength);
    data.reset(facts);
    data.append(w.history);
    layout = layout_chart(data, kWidth);
  }
  Scene scene(std::int64_t from, std::int64_t to) const {
    return {data, layout, Viewport::fitting(at_ms(from), at_ms(to), layout.plot_width()), layout.height(), 0};
  }
};

void draw(QPaintDevice& device, const Scene& scene, LaneKind kind) {
  QPainter painter(&device);
  TileCache tiles;
  Canvas canvas(painter, Theme::kLight, tiles);
  const Lane& lane = scene.data.lane(kind);
  lane.paint(canvas, scene);
  lane.write(canvas, scene);
}

std::size_t drawn(const Scene& scene, LaneKind kind) {
  InkRecorder ink(QSize(scene.layout.width, scene.layout.height()));
  draw(ink, scene, kind);
  return ink.drawn();
}

// A frame and what lies under some points of it, in seconds of the processor.
double cost(QImage& image, const Scene& scene, LaneKind kind) {
  constexpr int kFrames = 10;
  const std::clock_t began = std::clock();
  for (int frame = 0; frame < kFrames; ++frame) {
    draw(image, scene, kind);
    for (const RowBox& row : scene.layout.rows)
      for (int y = 4; y < row.height; y += 8)
        scene.data.lane(kind).hit(scene, row, {scene.left() + 100, scene.y(row) + y});
  }
  return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC / kFrames;
}

// How often as much the second frame costs; of both the least of some tries, in turns, as the machine's pace varies.
double growth(const Scene& few, const Scene& many, LaneKind kind) {
  constexpr int kTries = 7;
  QImage image(few.layout.width, few.layout.height(), QImage::Format_RGB32);
  double some = std::numeric_limits<double>::max(), more = some;
  for (int i = 0; i < kTries; ++i) {
    some = std::min(some, cost(image, few, kind));
    more = std::min(more, cost(image, many, kind));
  }
  return more / std::max(some, 25e-6);  // below that it is the canvas that costs, and the clock
}

void all_kinds() {
  QTest::addColumn<int>("kind");
  for (std::size_t i = 0; i < kinds().size(); ++i) QTest::newRow(kinds()[i].name) << static_cast<int>(i);
}

}  // namespace

class LaneCostsTest : public UiSuite {
  Q_OBJECT
 private slots:
  void whatIsDrawnIsBoundedByPixels_data() { all_kinds(); }
  void whatIsDrawnIsBoundedByPixels() {
    QFETCH(int, kind);
    const Kind& of = kinds()[static_cast<std::size_t>(kind)];
    constexpr int kTurns = 6'000;
    const Chart few(of, kTurns), many(of, 10 * kTurns);
    const std::size_t some = drawn(few.scene(0, kLength), of.lane), more = drawn(many.scene(0, kLength), of.lane);
    const auto words = [&] { return qPrintable(QStringLiteral("%1 and %2").arg(some).arg(more)); };
    QVERIFY2(4 * more <= 5 * some + 400, words());
    // Each row may have some things in every pixel.
    const std::size_t pixels = many.layout.rows.size() * static_cast<std::size_t>(many.layout.plot_width());
    QVERIFY2(more <= 8 * pixels, words());
    // Where there is room for all of it, it is drawn.
    QVERIFY(drawn(few.scene(kLength / 2, kLength / 2 + 500), of.lane) > 0);
  }

  // Neither what is not in view nor what has no pixel of its own is looked at.
  void aFrameCostsWhatItsPixelsCost_data() { all_kinds(); }
  void aFrameCostsWhatItsPixelsCost() {
    QFETCH(int, kind);
    const Kind& of = kinds()[static_cast<std::size_t>(kind)];
    constexpr int kTurns = 5'000, kTimes = 40;
    const Chart few(of, kTurns), many(of, kTimes * kTurns);
    const auto words = [](double times) { return qPrintable(QStringLiteral("%1 times").arg(times)); };
    // A short stretch, with as many turns in it.
    const double near =
        growth(few.scene(kLength / 2, kLength / 2 + 20 * kTimes), many.scene(kLength / 2, kLength / 2 + 20), of.lane);
    QVERIFY2(near < 4, words(near));
    // All of it: searches in what no cache holds take some times as long (four, seen); what looks at all of it, forty.
    const double whole = growth(few.scene(0, kLength), many.scene(0, kLength), of.lane);
    QVERIFY2(whole < kTimes / 4.0, words(whole));
  }

  // Stops that follow releases have no line: those are told of already.
  void aCrashIsSeenAmongManyStopsInItsPixel() {
    const auto with = [](bool crash) {
      const RunFacts facts = lane_facts(kLength, {{"orders", 1, "simba"}}, 5);
      LaneWriter w(facts);
      w.on("orders");
      for (int turn = 0; turn < 40; ++turn) {
        const std::int64_t at = kLength / 2 + 4 * turn;
        w.granted(at, w.a, static_cast<Token>(turn + 1), 1000);
        w.add(at + 1, w.a, EventKind::kReleased, static_cast<Token>(turn + 1));
        w.add(at + 2, w.a, crash && turn == 20 ? EventKind::kCrashed : EventKind::kStopped);
      }
      w.finish(kLength);
      ChartData data;
      data.reset(facts);
      data.append(w.history);
      const ChartLayout layout = layout_chart(data, kWidth);
      return drawn({data, layout, Viewport::fitting({}, at_ms(kLength), layout.plot_width()), layout.height(), 0},
                   LaneKind::kLives);
    };
    QCOMPARE(with(false), 0U);
    QCOMPARE(with(true), 1U);
  }

  // A moment in which more believe than may, among many in one pixel in which they do not.
  void whatIsOverTheLimitIsSeenAmongManyOthersInItsPixel() {
    const RunFacts facts = lane_facts(kLength, {{"pool", 3, "cas"}}, 5);
    LaneWriter w(facts);
    w.on("pool");
    std::int64_t at = kLength / 2;
    Token token = 0;
    const auto turn = [&](std::initializer_list<Name> all) {
      for (const Name who : all) w.believed(at, who, ++token, 0);
      ++at;
      for (const Name who : all) w.disbelieved(at, who, token, DisbeliefReason::kStop);
      ++at;
    };
    for (int i = 0; i < 20; ++i) turn({w.a});
    turn({w.a, w.b, w.c, w.d});
    for (int i = 0; i < 20; ++i) turn({w.a});
    w.finish(kLength);
    ChartData data;
    data.reset(facts);
    data.append(w.history);
    const ChartLayout layout = layout_chart(data, kWidth);
    const Scene scene{data, layout, Viewport::fitting({}, at_ms(kLength), layout.plot_width()), layout.height(), 0};
    QImage image(layout.width, layout.height(), QImage::Format_RGB32);
    image.fill(Qt::white);
    draw(image, scene, LaneKind::kInUse);
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = scene.left(); x < scene.right(); ++x)
        found += image.pixelColor(x, y) == colours(Theme::kLight).overlap;
    QVERIFY2(found > 0, qPrintable(QString::number(found)));
  }
};

LEASESCOPE_SUITE(LaneCostsTest)
#include "lane_costs_test.moc"
