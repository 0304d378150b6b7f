#include "ui/look/tiles.h"

#include <algorithm>
#include <cmath>

#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QTransform>

namespace leasescope {
namespace {

// Nearest neighbour by whole numbers: a bit is scale x scale device pixels.
QImage repeated(const TileBits& bits, QRgb line, QRgb ground, int scale) {
  QImage image(kTilePeriod * scale, kTilePeriod * scale, QImage::Format_RGB32);
  for (int y = 0; y < image.height(); ++y) {
    auto* row = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) row[x] = bits.at(x / scale, y / scale) ? line : ground;
  }
  return image;
}

}  // namespace

const TileCache::Hatch& TileCache::hatch(Tile tile, const QColor& line, const QColor& ground, double ratio) {
  const int scale = std::max(1, static_cast<int>(std::lround(ratio)));
  const std::uint64_t quarters = static_cast<std::uint64_t>(std::lround(ratio * 4)) & 0x3F;
  const std::uint64_t key = (static_cast<std::uint64_t>(line.rgb() & 0xFFFFFF) << 36) |
                            (static_cast<std::uint64_t>(ground.rgb() & 0xFFFFFF) << 12) |
                            (static_cast<std::uint64_t>(tile) << 6) | quarters;
  const auto found = hatches_.find(key);
  if (found != hatches_.end()) return found->second;
  Hatch made{repeated(tile_bits(tile), line.rgb(), ground.rgb(), scale), {}};
  made.brush = QBrush(made.picture);
  if (ratio != 1) made.brush.setTransform(QTransform::fromScale(1 / ratio, 1 / ratio));
  return hatches_.emplace(key, std::move(made)).first->second;
}

const QImage& TileCache::ring(double radius, double thickness, QPointF at, const QColor& line, const QColor& ground,
                              int ratio) {
  for (const Ring& known : rings_)
    if (known.radius == radius && known.thickness == thickness && known.x == at.x() && known.y == at.y() &&
        known.line == line.rgba() && known.ground == ground.rgba() && known.ratio == ratio)
      return known.picture;
  const int middle = reach(radius, thickness), side = 2 * middle + 1;
  QImage picture(side * ratio, side * ratio, QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const QPointF centre = QPointF(middle, middle) + at;
  for (const bool inner : {false, true}) {
    const double r = radius + (inner ? -thickness : thickness) / 2;
    painter.setBrush(inner ? ground : line);
    painter.drawEllipse(centre, r, r);
  }
  painter.end();
  rings_.push_back({radius, thickness, at.x(), at.y(), line.rgba(), ground.rgba(), ratio, picture});
  return rings_.back().picture;
}

namespace {

// What tells one shape from another: its points, its colour, its size.
std::string key_of(const QPainterPath& path, int side, const QColor& colour, int ratio) {
  std::string key;
  key.reserve(static_cast<std::size_t>(path.elementCount()) * 24 + 16);
  const auto put = [&](const auto& value) { key.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  put(colour.rgba());
  put(side);
  put(ratio);
  for (int i = 0; i < path.elementCount(); ++i) {
    const QPainterPath::Element at = path.elementAt(i);
    put(at.x);
    put(at.y);
    put(at.type);
  }
  return key;
}

}  // namespace

TileCache& TileCache::beside() {
  if (!beside_) beside_ = std::make_unique<TileCache>();
  return *beside_;
}

const QImage& TileCache::shape(const QPainterPath& path, int side, const QColor& colour, int ratio) {
  constexpr std::size_t kMost = 2'048;
  const std::string key = key_of(path, side, colour, ratio);
  const auto found = shapes_.find(key);
  if (found != shapes_.end()) return found->second;
  if (shapes_.size() >= kMost) shapes_.clear();
  QImage picture(side * ratio, side * ratio, QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(path, colour);
  painter.end();
  return shapes_.emplace(key, std::move(picture)).first->second;
}

}  // namespace leasescope
