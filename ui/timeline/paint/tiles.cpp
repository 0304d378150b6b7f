#include "ui/timeline/paint/tiles.h"

#include <algorithm>
#include <cmath>

#include <QImage>
#include <QPixmap>
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
  QBrush brush(QPixmap::fromImage(repeated(tile_bits(tile), line.rgb(), ground.rgb(), scale)));
  if (ratio != 1) brush.setTransform(QTransform::fromScale(1 / ratio, 1 / ratio));
  return brushes_.emplace(key, brush).first->second;
}

}  // namespace leasescope
