// The glyphs of incidents are those of the tokens, and nothing in the tokens is there in vain.
#include <QImage>

#include "tests/support/ui_suite.h"
#include "ui/models/glyph.h"
#include "ui/timeline/paint/glyphs.h"

using namespace leasescope;

namespace {

QImage drawn(IncidentKind kind, GlyphSize size, Theme theme) {
  QImage image(24, 24, QImage::Format_RGB32);
  image.fill(colours(theme).chart);
  QPainter painter(&image);
  TileCache tiles;
  Canvas canvas(painter, theme, tiles);
  paint_glyph(canvas, kind, QRect(4, 4, 16, 16), size, colours(theme).chart);
  return image;
}

}  // namespace

class GlyphsTest : public leasescope::tests::UiSuite {
  Q_OBJECT
 private slots:
  void everyKindHasAGlyphOfItsOwnInBothSizesAndThemes() {
    for (const Theme theme : {Theme::kLight, Theme::kDark})
      for (const GlyphSize size : {GlyphSize::kLarge, GlyphSize::kSmall}) {
        std::vector<QImage> seen;
        QImage empty(24, 24, QImage::Format_RGB32);
        empty.fill(colours(theme).chart);
        for (int i = 0; i < kIncidentKinds; ++i) {
          const auto kind = static_cast<IncidentKind>(i);
          const QImage image = drawn(kind, size, theme);
          QVERIFY2(image != empty, text(kind).data());
          for (const QImage& other : seen) QVERIFY2(image != other, text(kind).data());
          seen.push_back(image);
          QVERIFY(glyph_of(kind) != Glyph::kNone);
        }
      }
  }
  void aBitMapIsPaintedBitByBit() {
    const QImage image = drawn(IncidentKind::kStoreRefuses, GlyphSize::kLarge, Theme::kLight);
    const GlyphBits& bits = glyph_bits("store_refuses", GlyphSize::kLarge);
    QCOMPARE(bits.rows.size(), std::size_t{12});
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 12; ++x) {
        const QColor wanted = bits.rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#'
                                  ? colours(Theme::kLight).notice
                                  : colours(Theme::kLight).chart;
        QCOMPARE(image.pixelColor(6 + x, 6 + y), wanted);
      }
  }
  void nothingInTheTokensIsReadByNobody() {
    for (const Theme theme : {Theme::kLight, Theme::kDark}) (void)colours(theme);
    (void)measures();
    for (int i = 0; i < kTiles; ++i) (void)tile_bits(static_cast<Tile>(i));
    for (int i = 0; i < kIncidentKinds; ++i)
      for (const GlyphSize size : {GlyphSize::kLarge, GlyphSize::kSmall})
        for (const Theme theme : {Theme::kLight, Theme::kDark}) (void)drawn(static_cast<IncidentKind>(i), size, theme);
    QCOMPARE(unread_tokens().join(u' '), QString());
  }
};

LEASESCOPE_SUITE(GlyphsTest)
#include "glyphs_test.moc"
