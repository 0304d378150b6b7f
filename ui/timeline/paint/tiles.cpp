#include "ui/timeline/paint/tiles.h"

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

const QBrush& TileCache::brush(Tile tile, const QColor& line, const QColor& ground, double ratio) {
  const int scale = std::max(1, static_cast<int>(std::lround(ratio)));
  const std::uint64_t quarters = static_cast<std::uint64_t>(std::lround(ratio * 4)) & 0x3F;
  const std::uint64_t key = (static_cast<std::uint64_t>(line.rgb() & 0xFFFFFF) << 36) |
                            (static_cast<std::uint64_t>(ground.rgb() & 0xFFFFFF) << 12) |
                            (static_cast<std::uint64_t>(tile) << 6) | quarters;
  const auto found = brushes_.find(key);
  if (found != brushes_.end()) return found->second;
  QBrush brush(repeated(tile_bits(tile), line.rgb(), ground.rgb(), scale));
  if (ratio != 1) brush.setTransform(QTransform::fromScale(1 / ratio, 1 / ratio));
  return brushes_.emplace(key, brush).first->second;
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

void TileCache::took(std::chrono::nanoseconds own, std::chrono::nanoseconds other) {
  // It is the slow ones that matter.
  constexpr double kGain = 0.2, kSlow = 16e6, kLeast = 0.3, kMost = 0.7;
  const auto a = static_cast<double>(own.count()), b = static_cast<double>(other.count());
  const double weight = std::min(1.0, (a + b) / kSlow);
  if (a + b > 0) share_ = std::clamp(share_ + kGain * weight * weight * (b - a) / (a + b), kLeast, kMost);
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
