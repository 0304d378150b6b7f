// The few strokes every mark is made of: flat rectangles, hatches, hairlines, text. No pens, no save, no restore.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include <QPainter>
#include <QPainterPath>
#include <QString>

#include "ui/look/fonts.h"
#include "ui/look/tiles.h"
#include "ui/look/tokens.h"
#include "ui/timeline/paint/pixels.h"

namespace leasescope {

enum class Align : std::uint8_t { kLeft, kCentre, kRight };

struct TextStyle {
  QColor colour;
  int px = 11;
  int weight = 400;
  Face face = Face::kText;
  Align align = Align::kLeft;
};

struct PlateStyle {
  QColor fill, ink;
  QColor border{};  // invalid = none
  int px = 10;
  int weight = 500;
  Face face = Face::kText;
  int height = 14;
  int padding = 4;
  Align align = Align::kLeft;
};

// Where labels are, and what none may cover. The most important ask first; whoever finds its place taken goes elsewhere
// or is left out.
class Places {
 public:
  // Nothing may be written here.
  void reserve(const QRect& area);
  // What lies in the way there, or nothing.
  std::optional<QRect> blocked(const QRect& area) const;
  // Takes the place, unless something lies there.
  bool claim(const QRect& area);
  void clear() { cells_.clear(); }

 private:
  struct Cells {
    int left = 0, right = 0, top = 0, bottom = 0;
  };
  static Cells cells_of(const QRect& area);

  static constexpr int kHeight = 32, kWidth = 128, kMost = 1024;  // px a cell, and cells a row or column
  std::vector<std::vector<std::vector<QRect>>> cells_;            // by y / kHeight, then by x / kWidth
};

// In px, rounded up. Known of what was measured or written before.
int width_of(const QString& text, const TextStyle& style);
// What of it fits, with an ellipsis; likewise.
const QString& fitting(const QString& text, int width, const TextStyle& style, Qt::TextElideMode mode = Qt::ElideRight);
// No text is narrower, in px: tells without shaping it that it has no room.
int least_width_of(const QString& text, int px);

class Canvas {
 public:
  // `phase`: where hatches start, so that they travel with the bars.
  Canvas(QPainter& painter, Theme theme, TileCache& tiles, int phase = 0);

  const Colours& colours() const { return colours_; }
  Theme theme() const { return theme_; }
  QPainter& painter() { return painter_; }
  Places& places() { return places_; }
  // Nothing is painted outside; none: wherever the painter painted before.
  void clip(const std::optional<QRect>& area);

  void fill(int x, int y, int w, int h, const QColor& colour);
  // One a pixel, from x on; 0 leaves what is there.
  void columns(int x, int y, int h, std::span<const QRgb> colours);
  void hatch(int x, int y, int w, int h, Tile tile, const QColor& line, const QColor& ground);
  void frame(int x, int y, int w, int h, const QColor& colour, int thickness = 1);  // inside
  void dashed_frame(int x, int y, int w, int h, const QColor& colour, int on, int off);
  void vline(int x, int y0, int y1, const QColor& colour, int w = 1) { fill(x, y0, w, y1 - y0, colour); }
  void hline(int y, int x0, int x1, const QColor& colour) { fill(x0, y, x1 - x0, 1, colour); }
  void vdash(int x, int y0, int y1, const QColor& colour, int on, int off);
  void hdash(int y, int x0, int x1, const QColor& colour, int on, int off);

  // Round or slanted glyphs: the only antialiased ones.
  void polygon(std::initializer_list<QPointF> points, const QColor& colour, bool smooth = false);
  void circle(double x, double y, double r, const QColor& colour);
  void ring(double x, double y, double r, double thickness, const QColor& line, const QColor& ground);
  void cross(double x, double y, double r, const QColor& colour);
  void barred_disc(double x, double y, double r, const QColor& ground);
  void diamond(double x, double y, double r, const QColor& ground);
  void badge(int x, int y, const QString& letter, const IdentityColours& id, int size = 16);
  static int badge_width(const QString& letter, int size = 16);

  int width_of(const QString& text, const TextStyle& style) const { return leasescope::width_of(text, style); }
  void text(int x, int baseline, const QString& text, const TextStyle& style);
  // Cut with an ellipsis at `width`; nothing when not even that fits.
  void elided(int x, int baseline, int width, const QString& text, const TextStyle& style,
              Qt::TextElideMode mode = Qt::ElideRight);
  int plate_width(const QString& text, const PlateStyle& style) const;
  // Returns the width taken; x is the left, the middle or the right, as it is aligned.
  int plate(int x, int y, const QString& text, const PlateStyle& style);
  // The same when labels are written: each that waits, where nothing has taken its place.
  void plate_later(int x, int y, const QString& text, const PlateStyle& style) {
    waiting_.push_back({x, y, text, style});
  }
  void put_waiting();

 private:
  struct Plate {
    int x = 0, y = 0;
    QString text;
    PlateStyle style;
  };
  static int left_of(int x, int width, Align align) {
    return align == Align::kLeft ? x : align == Align::kRight ? x - width : x - width / 2;
  }
  void smooth_shape(const QPainterPath& path, const QColor& colour);
  // Whether flat things are written past the painter.
  bool writes_pixels() const {
    return pixels_ && painter_.hasClipping() == clip_.has_value() && pixels_->follows(painter_);
  }
  bool whole_ratio() const { return ratio_ >= 1 && static_cast<int>(ratio_) == ratio_; }

  QPainter& painter_;
  Theme theme_;
  const Colours& colours_;
  TileCache& tiles_;
  Places places_;
  std::vector<Plate> waiting_;
  std::optional<Pixels> pixels_;
  std::optional<QRect> outer_, clip_;  // as the painter came, and now
  int phase_;
  double ratio_;
  bool vector_;  // an SVG or a PDF: brushes with pictures do not survive there
};

}  // namespace leasescope
