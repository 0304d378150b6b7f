// What the canvas remembers of texts.
#include "ui/timeline/paint/canvas.h"

#include <cmath>

#include <QFontMetricsF>

#include "tests/support/ui_suite.h"

using namespace leasescope;
using namespace leasescope::tests;

class CanvasTest : public UiSuite {
  Q_OBJECT
 private slots:
  // More than are remembered, of which some are asked for again and again and some not for long.
  void aTextIsAsWideAfterManyOthersAsBefore() {
    constexpr int kTexts = 20'000, kOften = 7, kSeldom = 3'000;
    const TextStyle style;
    const QFontMetricsF metrics(font(style.face, style.px, style.weight));
    const auto text = [](int i) { return QStringLiteral("%1 ms").arg(i * 37); };
    const auto as_measured = [&](int i) { return static_cast<int>(std::ceil(metrics.horizontalAdvance(text(i)))); };
    for (int i = 0; i < kTexts; ++i) {
      QCOMPARE(width_of(text(i), style), as_measured(i));
      const int often = i % kOften, seldom = std::max(0, i - kSeldom);
      QCOMPARE(width_of(text(often), style), as_measured(often));
      QCOMPARE(width_of(text(seldom), style), as_measured(seldom));
    }
  }
  void aTextIsCutAlikeAfterManyOthers() {
    constexpr int kTexts = 10'000, kSeldom = 1'500, kWidth = 40;
    const TextStyle style;
    const QFontMetricsF metrics(font(style.face, style.px, style.weight));
    const auto text = [](int i) { return QStringLiteral("contender %1").arg(i); };
    for (int i = 0; i < kTexts; ++i) {
      const int seldom = std::max(0, i - kSeldom);
      for (const int each : {i, seldom})
        QCOMPARE(fitting(text(each), kWidth, style), metrics.elidedText(text(each), Qt::ElideRight, kWidth));
    }
  }
};

LEASESCOPE_SUITE(CanvasTest)
#include "canvas_test.moc"
