// A chart of far more than it has pixels for: what is folded is what a walk over everything would fold, and nothing
// that went wrong is lost in it.
#include <random>

#include <QImage>
#include <QPainter>

#include "simulator/run/virtual_run.h"
#include "tests/bench/timeline/night.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/naive_leases.h"
#include "tests/ui/rows_seen.h"
#include "ui/timeline/paint/leases.h"
#include "ui/timeline/paint/painter.h"

using namespace leasescope;
using tests::walked_fold;

namespace {

constexpr int kWidth = 1000;

// Two hours: some 80 000 leases, a thousand faults.
struct Night {
  ChartData data;
  ChartLayout layout;

  Night() {
    const Scenario scenario = bench::night(80'000, 1'000);
    VirtualRun run(scenario);
    run.advance(TrueTime::max());
    data.reset(run_facts(scenario));
    data.append(run.history());
    layout = layout_chart(data, kWidth, {false, true});
  }
  Scene scene(TrueTime from, Duration span) const {
    return {data, layout, Viewport::fitting(from, from + span, layout.plot_width()), layout.height(), 0};
  }
};

const Night& night() {
  static const Night one;
  return one;
}

// Stretches of any length, all lengths as likely.
class Stretches {
 public:
  Scene next() {
    const auto whole = static_cast<double>(night().data.now().time_since_epoch().count());
    const double least = 1e8, share = std::uniform_real_distribution<>(0, 1)(random_);
    const Duration span(static_cast<std::int64_t>(least * std::pow(whole / least, share)));
    std::uniform_int_distribution<std::int64_t> from(-span.count() / 4, static_cast<std::int64_t>(whole));
    return night().scene(TrueTime(Duration(from(random_))), span);
  }

 private:
  std::mt19937_64 random_{20'261'127};
};

}  // namespace

class DenseChartTest : public QObject {
  Q_OBJECT
 private slots:
  void aFoldIsWhatAWalkOverEveryLeaseFinds() {
    Stretches stretches;
    int folds = 0;
    std::vector<std::vector<LeaseSpan>> lists;
    std::vector<const SpanTrack*> tracks;
    for (const MutexRow& mutex : night().data.mutexes()) tracks.push_back(&mutex.held);
    for (const ContenderRow& contender : night().data.contenders()) tracks.push_back(&contender.believed);
    for (const SpanTrack* track : tracks) lists.emplace_back(track->begin(), track->end());
    for (int i = 0; i < 1'000; ++i) {
      const Scene scene = stretches.next();
      const auto of = static_cast<std::size_t>(i) % tracks.size();
      const SpanTrack& track = *tracks[of];
      const std::size_t limit = track.first_starting_at(scene.viewport.to());
      for (std::size_t at = track.first_ending_after(scene.viewport.from); at < limit;) {
        const Fold fold = fold_of(scene, track, at, limit), expected = walked_fold(scene, lists[of], at);
        QCOMPARE(fold.end, expected.end);
        QCOMPARE(fold.block.from, expected.block.from);
        QCOMPARE(fold.block.to, expected.block.to);
        folds += fold.end > at + 1;
        at = fold.end;
      }
    }
    QVERIFY(folds > 1'000);
  }

  void twoWhoPaintMakeThePictureOfOne() {
    Stretches stretches;
    TileCache tiles;
    for (int i = 0; i < 100; ++i) {
      Scene scene = stretches.next();
      const double ratio = i % 3 == 2 ? 2 : 1;
      scene.height = 700;
      scene.scroll = i % 5 == 0 ? 0 : (i * 37) % std::max(1, scene.layout.height() - scene.height);
      const auto painted = [&](Painters painters) {
        QImage image(QSize(kWidth, scene.height) * ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        paint_chart(painter, scene, Theme::kDark, tiles, painters);
        return image;
      };
      QVERIFY2(painted(Painters::kOne) == painted(Painters::kTwo), qPrintable(QString::number(i)));
    }
  }

  void columnsAreWhatARectangleForEachWouldBe() {
    std::mt19937 random(7);
    TileCache tiles;
    for (const double ratio : {1.0, 2.0, 3.0})
      for (const std::size_t width : {1, 5, 40, 300}) {
        std::vector<QRgb> colours(width);
        for (std::size_t x = 0; x < width; ++x)
          colours[x] = x > 0 && random() % 3 == 0 ? colours[x - 1]
                       : random() % 3 == 0        ? 0
                                                  : qRgb(random() % 256, random() % 256, random() % 256);
        const auto painted = [&](bool at_once) {
          QImage image(QSize(320, 40) * ratio, QImage::Format_RGB32);
          image.setDevicePixelRatio(ratio);
          image.fill(Qt::white);
          QPainter painter(&image);
          Canvas canvas(painter, Theme::kLight, tiles, 5);
          if (at_once) canvas.columns(11, 7, 20, colours);
          for (std::size_t x = 0; !at_once && x < width; ++x)
            if (colours[x] != 0) canvas.fill(11 + static_cast<int>(x), 7, 1, 20, QColor::fromRgb(colours[x]));
          return image;
        };
        QCOMPARE(painted(true), painted(false));
      }
  }

  // The tape of those who are wrong together, in each of their rows; of a picture as high as all of these.
  void whoeverIsWrongIsSeenToBeAtEveryZoom() {
    Stretches stretches;
    TileCache tiles;
    std::size_t seen = 0;
    for (int i = 0; i < 60; ++i) {
      const Scene scene = stretches.next();
      QImage image(kWidth, scene.height, QImage::Format_RGB32);
      image.fill(Qt::magenta);
      {
        QPainter painter(&image);
        paint_chart(painter, scene, Theme::kLight, tiles);
      }
      const tests::RowsSeen rows = tests::tapes_seen(scene, Theme::kLight, image);
      QVERIFY2(!rows.wrong, qPrintable(QStringLiteral("over %1 s: %2")
                                           .arg(static_cast<double>(scene.viewport.span.count()) / 1e9)
                                           .arg(rows.wrong.value_or(QString()))));
      seen += rows.tapes;
    }
    QVERIFY(seen > 1'000);
  }
};

LEASESCOPE_SUITE(DenseChartTest)
#include "dense_chart_test.moc"
