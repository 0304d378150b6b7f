#include "ui/timeline/paint/pixels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <QPainter>
#include <QTransform>

namespace leasescope {
namespace {

// Each of the four parts of a pixel times a / 255, rounded as the painter rounds it.
QRgb scaled(QRgb pixel, std::uint32_t a) {
  constexpr std::uint32_t kOdd = 0x00FF00FF, kHalf = 0x00800080;
  std::uint32_t low = (pixel & kOdd) * a;
  low = ((low + ((low >> 8) & kOdd) + kHalf) >> 8) & kOdd;
  std::uint32_t high = ((pixel >> 8) & kOdd) * a;
  high = (high + ((high >> 8) & kOdd) + kHalf) & ~kOdd;
  return high | low;
}

// Each of a line's pixels scaled likewise, and `over` added. Two parts of a pixel at a time, in 16 bits: that the
// processor does for many of them at once, what 32 bits hold only for half as many.
void blend(std::span<QRgb> line, QRgb over, std::uint32_t a) {
  constexpr std::size_t kBlock = 16;
  const auto rounded = [](std::uint16_t part) { return static_cast<std::uint16_t>(part + (part >> 8) + 128); };
  const auto factor = static_cast<std::uint16_t>(a);
  for (; line.size() >= kBlock; line = line.subspan(kBlock)) {
    std::array<std::uint16_t, 2 * kBlock> pairs;
    std::memcpy(pairs.data(), line.data(), sizeof pairs);
    for (std::uint16_t& pair : pairs) {
      const std::uint16_t low = rounded(static_cast<std::uint16_t>((pair & 0xFF) * factor));
      const std::uint16_t high = rounded(static_cast<std::uint16_t>((pair >> 8) * factor));
      pair = static_cast<std::uint16_t>(low >> 8 | (high & 0xFF00));
    }
    std::memcpy(line.data(), pairs.data(), sizeof pairs);
    for (QRgb& pixel : line.first(kBlock)) pixel += over;
  }
  for (QRgb& pixel : line) pixel = over + scaled(pixel, a);
}

}  // namespace

std::optional<Pixels> Pixels::of(const QPainter& painter) {
  if (painter.device()->devType() != QInternal::Image) return {};
  QImage& image = static_cast<QImage&>(*painter.device());
  const double ratio = image.devicePixelRatioF();
  const bool plain = image.format() == QImage::Format_RGB32 || image.format() == QImage::Format_ARGB32_Premultiplied;
  if (painter.opacity() != 1 || painter.compositionMode() != QPainter::CompositionMode_SourceOver) return {};
  if (!plain || !image.isDetached() || ratio < 1 || ratio != std::floor(ratio)) return {};
  return Pixels(image.bits(), image.bytesPerLine(), image.size(), static_cast<int>(ratio));
}

bool Pixels::follows(const QPainter& painter) const {
  const QTransform& world = painter.worldTransform();
  if (world.type() > QTransform::TxTranslate) return false;
  return world.dx() == std::floor(world.dx()) && world.dy() == std::floor(world.dy());
}

QRect Pixels::on_device(const QPainter& painter, const QRect& logical) const {
  const QTransform& world = painter.worldTransform();
  const int dx = static_cast<int>(world.dx()), dy = static_cast<int>(world.dy());
  return {(logical.left() + dx) * ratio_, (logical.top() + dy) * ratio_, logical.width() * ratio_,
          logical.height() * ratio_};
}

QRect Pixels::visible(const QPainter& painter, const QRect& area, const std::optional<QRect>& clip) const {
  return on_device(painter, clip ? area.intersected(*clip) : area).intersected(QRect(QPoint(), size_));
}

void Pixels::fill(const QPainter& painter, const QRect& area, const std::optional<QRect>& clip, QRgb colour) const {
  const QRect out = visible(painter, area, clip);
  if (out.isEmpty() || qAlpha(colour) == 0) return;
  const auto width = static_cast<std::size_t>(out.width());
  const QRgb over = qPremultiply(colour);
  const auto rest = static_cast<std::uint32_t>(255 - qAlpha(colour));
  for (int y = out.top(); y <= out.bottom(); ++y) {
    const std::span<QRgb> line(at(out.left(), y), width);
    if (rest == 0)
      std::fill(line.begin(), line.end(), over);
    else
      blend(line, over, rest);
  }
}

void Pixels::columns(const QPainter& painter, const QRect& area, const std::optional<QRect>& clip,
                     std::span<const QRgb> colours) const {
  const QRect out = visible(painter, area, clip);
  if (out.isEmpty()) return;
  const auto skipped = static_cast<std::size_t>((out.left() - on_device(painter, area).left()) / ratio_);
  std::span<const QRgb> line = colours.subspan(skipped);
  std::vector<QRgb> wide;
  if (ratio_ > 1) {
    wide.reserve(line.size() * static_cast<std::size_t>(ratio_));
    for (const QRgb colour : line) wide.insert(wide.end(), static_cast<std::size_t>(ratio_), colour);
    line = wide;
  }
  line = line.first(std::min(line.size(), static_cast<std::size_t>(out.width())));
  const bool whole = std::find(line.begin(), line.end(), QRgb{0}) == line.end();
  for (int y = out.top(); y <= out.bottom(); ++y) {
    QRgb* const to = at(out.left(), y);
    if (whole)
      std::copy(line.begin(), line.end(), to);
    else  // holes are as narrow as what lies between them: to choose for each pixel costs less than to copy the parts
      for (std::size_t i = 0; i < line.size(); ++i) to[i] = line[i] != 0 ? line[i] : to[i];
  }
}

void Pixels::tiled(const QPainter& painter, const QRect& area, const std::optional<QRect>& clip, const QImage& tile,
                   int phase) const {
  const QRect out = visible(painter, area, clip);
  if (out.isEmpty()) return;
  const QPoint corner = on_device(painter, QRect(phase, 0, 1, 1)).topLeft();
  const auto after = [](int from, int period) { return (from % period + period) % period; };
  for (int y = out.top(); y <= out.bottom(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(tile.constScanLine(after(y - corner.y(), tile.height())));
    int from = after(out.left() - corner.x(), tile.width());
    for (int x = out.left(); x <= out.right(); from = 0) {
      const int count = std::min(tile.width() - from, out.right() + 1 - x);
      std::copy_n(line + from, count, at(x, y));
      x += count;
    }
  }
}

}  // namespace leasescope
