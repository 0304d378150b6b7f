#include "ui/timeline/paint/canvas.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <QFontMetricsF>
#include <QHash>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>
#include <QStaticText>

namespace leasescope {
namespace {

bool is_vector(const QPaintEngine* engine) {
  return engine != nullptr && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf);
}

int key_of(const TextStyle& style) {
  const int face = (style.px * 1024 + style.weight) * 2 + static_cast<int>(style.face);
  return face * 2 + (LettersAsWritten::wanted() ? 1 : 0);
}

const QFontMetricsF& metrics_of(const TextStyle& style) {
  // Widths are asked for thousands of times a frame; making metrics costs more than measuring.
  thread_local std::unordered_map<int, QFontMetricsF> known;
  const int key = key_of(style);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  return known.emplace(key, QFontMetricsF(font(style.face, style.px, style.weight))).first->second;
}

// What was asked for lately: once it is too much, what was not asked for since the last time is forgotten.
template <class Key, class Value>
class Lately {
 public:
  explicit Lately(qsizetype most) : most_(most) {}

  const Value* find(const Key& key) {
    if (const auto young = young_.constFind(key); young != young_.constEnd()) return &*young;
    const auto old = old_.constFind(key);
    return old == old_.constEnd() ? nullptr : &put(key, *old);
  }
  const Value& put(const Key& key, Value value) {  // by value: it may be one of those that are forgotten here
    if (young_.size() >= most_ / 2) old_ = std::exchange(young_, {});
    return *young_.insert(key, value);
  }

 private:
  const qsizetype most_;
  QHash<Key, Value> young_, old_;
};

// A text in its shapes. Most of what a frame writes was written by the one before it.
struct Written {
  double width = 0;
  QStaticText shapes;
};
const Written& written(const QString& text, const TextStyle& style) {
  thread_local Lately<std::pair<QString, int>, Written> known(8'192);
  const std::pair key(text, key_of(style));
  if (const Written* const found = known.find(key)) return *found;
  Written made{metrics_of(style).horizontalAdvance(text), QStaticText(text)};
  made.shapes.setTextFormat(Qt::PlainText);
  made.shapes.setPerformanceHint(QStaticText::AggressiveCaching);
  made.shapes.prepare({}, font(style.face, style.px, style.weight));
  return known.put(key, made);
}

// Runs of set bits as rectangles; equal rows below each other become one.
QPainterPath bits_in(const QRect& area, const TileBits& bits, int phase) {
  QPainterPath path;
  const auto on = [&](int x, int y) { return bits.at((x - phase) % kTilePeriod + kTilePeriod, y); };
  const auto same_row = [&](int y, int other) {
    for (int x = 0; x < bits.width; ++x)
      if (bits.at(x, y) != bits.at(x, other)) return false;
    return true;
  };
  for (int y = area.top(); y <= area.bottom();) {
    int height = 1;
    while (y + height <= area.bottom() && same_row(y, y + height)) ++height;
    for (int x = area.left(); x <= area.right();) {
      int length = 0;
      while (x + length <= area.right() && on(x + length, y)) ++length;
      if (length > 0) path.addRect(x, y, length, height);
      x += std::max(1, length);
    }
    y += height;
  }
  return path;
}

}  // namespace

int width_of(const QString& text, const TextStyle& style) {
  return static_cast<int>(std::ceil(written(text, style).width));
}

// To find it out, its shapes are made for one length after the other.
const QString& fitting(const QString& text, int width, const TextStyle& style, Qt::TextElideMode mode) {
  thread_local Lately<std::pair<QString, std::pair<int, int>>, QString> known(4'096);
  const std::pair key(text, std::pair(width * 4 + static_cast<int>(mode), key_of(style)));
  if (const QString* const found = known.find(key)) return *found;
  return known.put(key, metrics_of(style).elidedText(text, mode, width));
}

Places::Cells Places::cells_of(const QRect& area) {
  const auto cell = [](int at, int size) { return std::clamp(at / size, 0, kMost - 1); };
  return {cell(area.left(), kWidth), cell(area.right(), kWidth), cell(area.top(), kHeight),
          cell(area.bottom(), kHeight)};
}

void Places::reserve(const QRect& area) {
  if (area.isEmpty() || area.bottom() < 0 || area.top() >= kMost * kHeight) return;
  const Cells cells = cells_of(area);
  for (int y = cells.top; y <= cells.bottom; ++y) {
    if (static_cast<int>(cells_.size()) <= y) cells_.resize(static_cast<std::size_t>(y) + 1);
    std::vector<std::vector<QRect>>& row = cells_[static_cast<std::size_t>(y)];
    for (int x = cells.left; x <= cells.right; ++x) {
      if (static_cast<int>(row.size()) <= x) row.resize(static_cast<std::size_t>(x) + 1);
      row[static_cast<std::size_t>(x)].push_back(area);
    }
  }
}

std::optional<QRect> Places::blocked(const QRect& area) const {
  const Cells cells = cells_of(area);
  for (int y = cells.top; y <= cells.bottom && y < static_cast<int>(cells_.size()); ++y) {
    const std::vector<std::vector<QRect>>& row = cells_[static_cast<std::size_t>(y)];
    for (int x = cells.left; x <= cells.right && x < static_cast<int>(row.size()); ++x)
      for (const QRect& other : row[static_cast<std::size_t>(x)])
        if (other.intersects(area)) return other;
  }
  return {};
}

bool Places::claim(const QRect& area) {
  if (blocked(area)) return false;
  reserve(area);
  return true;
}

// Of figures and signs alone, which are never narrower than half of their height; letters may be.
int least_width_of(const QString& text, int px) {
  const auto figures = std::count_if(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
  return static_cast<int>(figures) * px / 2;
}

Canvas::Canvas(QPainter& painter, Theme theme, TileCache& tiles, int phase)
    : painter_(painter),
      theme_(theme),
      colours_(leasescope::colours(theme)),
      tiles_(tiles),
      pixels_(Pixels::of(painter)),
      phase_(phase),
      ratio_(painter.device()->devicePixelRatioF() * painter.worldTransform().m11()),
      vector_(is_vector(painter.paintEngine())) {
  painter_.setRenderHint(QPainter::Antialiasing, false);
  painter_.setRenderHint(QPainter::TextAntialiasing, true);
  if (!painter_.hasClipping()) return;
  if (painter_.clipRegion().rectCount() > 1) pixels_.reset();
  outer_ = clip_ = painter_.clipBoundingRect().toAlignedRect();
}

void Canvas::clip(const std::optional<QRect>& area) {
  clip_ = area && outer_ ? area->intersected(*outer_) : area ? area : outer_;
  if (clip_)
    painter_.setClipRect(*clip_);
  else
    painter_.setClipping(false);
}

void Canvas::fill(int x, int y, int w, int h, const QColor& colour) {
  if (w <= 0 || h <= 0) return;
  if (writes_pixels()) return pixels_->fill(painter_, QRect(x, y, w, h), clip_, colour.rgba());
  painter_.fillRect(x, y, w, h, colour);
}

void Canvas::columns(int x, int y, int h, std::span<const QRgb> colours) {
  const int width = static_cast<int>(colours.size());
  if (writes_pixels()) return pixels_->columns(painter_, QRect(x, y, width, h), clip_, colours);
  for (int from = 0, to = 0; from < width; from = to) {
    const QRgb colour = colours[static_cast<std::size_t>(from)];
    while (to < width && colours[static_cast<std::size_t>(to)] == colour) ++to;
    if (colour != 0) fill(x + from, y, to - from, h, QColor::fromRgb(colour));
  }
}

void Canvas::hatch(int x, int y, int w, int h, Tile tile, const QColor& line, const QColor& ground) {
  if (w <= 0 || h <= 0) return;
  if (vector_) {
    fill(x, y, w, h, ground);
    painter_.fillPath(bits_in(QRect(x, y, w, h), tile_bits(tile), phase_), line);
    return;
  }
  const TileCache::Hatch& hatch = tiles_.hatch(tile, line, ground, ratio_);
  if (writes_pixels()) return pixels_->tiled(painter_, QRect(x, y, w, h), clip_, hatch.picture, phase_);
  painter_.setBrushOrigin(phase_, 0);
  painter_.fillRect(x, y, w, h, hatch.brush);
}

void Canvas::frame(int x, int y, int w, int h, const QColor& colour, int t) {
  if (w <= 2 * t || h <= 2 * t) return fill(x, y, w, h, colour);
  fill(x, y, w, t, colour);
  fill(x, y + h - t, w, t, colour);
  fill(x, y + t, t, h - 2 * t, colour);
  fill(x + w - t, y + t, t, h - 2 * t, colour);
}

void Canvas::dashed_frame(int x, int y, int w, int h, const QColor& colour, int on, int off) {
  hdash(y, x, x + w, colour, on, off);
  hdash(y + h - 1, x, x + w, colour, on, off);
  vdash(x, y, y + h, colour, on, off);
  vdash(x + w - 1, y, y + h, colour, on, off);
}

void Canvas::vdash(int x, int y0, int y1, const QColor& colour, int on, int off) {
  for (int y = y0; y < y1; y += on + off) fill(x, y, 1, std::min(on, y1 - y), colour);
}

void Canvas::hdash(int y, int x0, int x1, const QColor& colour, int on, int off) {
  for (int x = x0; x < x1; x += on + off) fill(x, y, std::min(on, x1 - x), 1, colour);
}

void Canvas::polygon(std::initializer_list<QPointF> points, const QColor& colour, bool smooth) {
  QPolygonF shape;
  for (const QPointF& point : points) shape << point;
  QPainterPath path;
  path.addPolygon(shape);
  path.closeSubpath();
  if (smooth) return smooth_shape(path, colour);
  painter_.fillPath(path, colour);
}

void Canvas::circle(double x, double y, double r, const QColor& colour) {
  QPainterPath path;
  path.addEllipse(QPointF(x, y), r, r);
  smooth_shape(path, colour);
}

// The same shape at the same place within its pixel is put down as a picture.
void Canvas::smooth_shape(const QPainterPath& path, const QColor& colour) {
  constexpr int kSmall = 30, kRim = 1;
  const QRectF extent = path.controlPointRect();
  const int ratio = static_cast<int>(ratio_);
  if (vector_ || !whole_ratio() || extent.width() > kSmall || extent.height() > kSmall) {
    painter_.setRenderHint(QPainter::Antialiasing, true);
    painter_.fillPath(path, colour);
    painter_.setRenderHint(QPainter::Antialiasing, false);
    return;
  }
  const QPoint corner(static_cast<int>(std::floor(extent.left())) - kRim,
                      static_cast<int>(std::floor(extent.top())) - kRim);
  const int side = static_cast<int>(std::ceil(std::max(extent.width(), extent.height()))) + 2 * kRim + 1;
  painter_.drawImage(corner, tiles_.shape(path.translated(-corner), side, colour, ratio));
}

void Canvas::ring(double x, double y, double r, double thickness, const QColor& line, const QColor& ground) {
  const int ratio = static_cast<int>(ratio_);
  if (vector_ || !whole_ratio()) {
    circle(x, y, r + thickness / 2, line);
    circle(x, y, r - thickness / 2, ground);
    return;
  }
  const QPoint pixel(static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)));
  const int reach = TileCache::reach(r, thickness);
  painter_.drawImage(pixel - QPoint(reach, reach),
                     tiles_.ring(r, thickness, QPointF(x, y) - pixel, line, ground, ratio));
}

void Canvas::cross(double x, double y, double r, const QColor& colour) {
  const double w = 0.65;  // half of a 1.8 px stroke, along each axis
  const auto bar = [&](double sign) {
    polygon({{x - r - w, y - sign * (r - w)},
             {x - r + w, y - sign * (r + w)},
             {x + r + w, y + sign * (r - w)},
             {x + r - w, y + sign * (r + w)}},
            colour, true);
  };
  bar(1);
  bar(-1);
}

void Canvas::barred_disc(double x, double y, double r, const QColor& ground) {
  circle(x, y, r + 1.5, ground);
  circle(x, y, r, colours_.write_rejected);
  painter_.fillRect(QRectF(x - std::floor(r * 0.62), y - 1, 2 * std::floor(r * 0.62), 2), colours_.write_on_rejected);
}

void Canvas::diamond(double x, double y, double r, const QColor& ground) {
  const auto shape = [&](double s, const QColor& colour) {
    polygon({{x, y - s}, {x + s, y}, {x, y + s}, {x - s, y}}, colour, true);
  };
  shape(r + 1.5, ground);
  shape(r, colours_.write_stale);
  const double half = r > 6 ? 0.9 : 0.75;
  painter_.setRenderHint(QPainter::Antialiasing, true);
  painter_.fillRect(QRectF(x - half, y - r * 0.55, 2 * half, r * 0.68), colours_.on_critical);
  painter_.fillRect(QRectF(x - half, y + r * 0.34, 2 * half, r * 0.24), colours_.on_critical);
  painter_.setRenderHint(QPainter::Antialiasing, false);
}

void Canvas::badge(int x, int y, const QString& letter, const IdentityColours& id, int size) {
  QPainterPath path;
  const int width = badge_width(letter, size);
  path.addRoundedRect(QRectF(x, y, width, size), measures().radius_badge, measures().radius_badge);
  smooth_shape(path, id.ink);
  const int px = letter.size() > 1 ? size / 2 + 1 : size * 11 / 16;
  text(x + width / 2, y + size / 2 + (px * 4 + 5) / 11, letter, {id.on, px, 600, Face::kText, Align::kCentre});
}

int Canvas::badge_width(const QString& letter, int size) {
  return letter.size() < 3 ? size : size + 6 * (static_cast<int>(letter.size()) - 2);
}

void Canvas::text(int x, int baseline, const QString& text, const TextStyle& style) {
  const Written& known = written(text, style);
  double left = x;
  if (style.align != Align::kLeft) left = style.align == Align::kRight ? x - known.width : x - known.width / 2;
  painter_.setFont(font(style.face, style.px, style.weight));
  painter_.setPen(style.colour);
  if (vector_)
    painter_.drawText(QPointF(std::round(left), baseline), text);
  else
    painter_.drawStaticText(QPointF(std::round(left), baseline - metrics_of(style).ascent()), known.shapes);
}

void Canvas::elided(int x, int baseline, int width, const QString& whole, const TextStyle& style,
                    Qt::TextElideMode mode) {
  const QString& cut = fitting(whole, width, style, mode);
  if (!cut.isEmpty() && cut != QStringLiteral("…")) text(x, baseline, cut, style);
}

int Canvas::plate_width(const QString& text, const PlateStyle& style) const {
  return width_of(text, {style.ink, style.px, style.weight, style.face, Align::kLeft}) + 2 * style.padding;
}

int Canvas::plate(int x, int y, const QString& label, const PlateStyle& style) {
  const int width = plate_width(label, style);
  const int left = left_of(x, width, style.align);
  fill(left, y, width, style.height, style.fill);
  if (style.border.isValid()) frame(left, y, width, style.height, style.border);
  const TextStyle text_style{style.ink, style.px, style.weight, style.face, Align::kLeft};
  const QFontMetricsF& metrics = metrics_of(text_style);
  const auto middle = std::lround((style.height + metrics.capHeight()) / 2);
  const auto lowest = style.height - std::lround(metrics.descent());  // a low plate keeps its p and q within
  text(left + style.padding, y + static_cast<int>(std::min(middle, lowest)), label, text_style);
  return width;
}

void Canvas::put_waiting() {
  for (const Plate& each : waiting_) {
    const int width = plate_width(each.text, each.style);
    if (places_.claim({left_of(each.x, width, each.style.align), each.y, width, each.style.height}))
      plate(each.x, each.y, each.text, each.style);
  }
  waiting_.clear();
}

}  // namespace leasescope
