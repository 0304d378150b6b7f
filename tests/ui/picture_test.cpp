// The chart as a file.
#include "ui/timeline/paint/picture.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/painted_chart.h"

using namespace leasescope;
using namespace leasescope::tests;

class PictureTest : public UiSuite {
  Q_OBJECT
 private slots:
  void aPictureIsMadeAsPngAndSvg() {
    const HistoryWriter w = gc_pause_history();
    ChartData data;
    data.reset(gc_pause_facts());
    data.append(w.history);
    PictureOptions options;
    options.outcome = QStringLiteral("as expected");
    TextSink png, svg;
    const auto as_png = draw_picture(png, data, options, PictureKind::kPng);
    QVERIFY2(as_png.has_value(), as_png ? "" : as_png.error().c_str());
    const QImage image = QImage::fromData(QByteArray::fromStdString(png.take()));
    QCOMPARE(image.width(), 1280);
    QVERIFY(count(image, image.rect(), colours(Theme::kLight).overlap) > 500);
    const auto as_svg = draw_picture(svg, data, options, PictureKind::kSvg);
    QVERIFY2(as_svg.has_value(), as_svg ? "" : as_svg.error().c_str());
    const QByteArray text = QByteArray::fromStdString(svg.take());
    QVERIFY(text.contains("believes #33") && text.contains("rejected"));
    QVERIFY(text.contains(colours(Theme::kLight).overlap.name().toLatin1()));
  }

  void aPictureThatWouldBeTooHighSaysWhatToDo() {
    ChartData data;
    data.reset(gc_pause_facts());
    data.append(gc_pause_history().history);
    PictureOptions options;
    options.size = QSize(1280, 40'000);
    TextSink out;
    const auto made = draw_picture(out, data, options, PictureKind::kSvg);
    QVERIFY(!made.has_value());
    QVERIFY2(made.error().find("contender.0.count") != std::string::npos, made.error().c_str());
  }
};

LEASESCOPE_SUITE(PictureTest)
#include "picture_test.moc"
