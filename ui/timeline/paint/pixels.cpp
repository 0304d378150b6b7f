#include "ui/timeline/paint/pixels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QPainter>
#include <QTransform>

// Compiled twice: for what every processor of the kind knows, and for those that take eight pixels at a time. Which one
// runs is found when the program starts; the thread sanitizer cannot be asked as early as that.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define LEASESCOPE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define LEASESCOPE_WIDE
#endif

namespace leasescope {
namespace {

// Lines of device pixels below each other.
struct Lines {
  uchar* first = nullptr;
  qsizetype apart = 0;  // bytes
  int count = 0;

  template <class Line>
  void each(std::size_t width, Line&& action) const {
    for (int y = 0; y < count; ++y) action(std::span<QRgb>(reinterpret_cast<QRgb*>(first + apart * y), width));
  }
};

// Each of a line's pixels times a / 255, rounded as the painter rounds it, and `over` added. Two parts of a pixel at a
// time, in 16 bits: that the processor does for many of them at once, what 32 bits hold only for half as many.
inline void blend(std::span<QRgb> line, QRgb over, std::uint32_t a) {
  using Pair [[gnu::may_alias]] = std::uint16_t;
  const auto rounded = [](std::uint16_t part) { return static_cast<std::uint16_t>(part + (part >> 8) + 128); };
  const auto factor = static_cast<std::uint16_t>(a);
  for (Pair& pair : std::span(reinterpret_cast<Pair*>(line.data()), 2 * line.size())) {
    const std::uint16_t low = rounded(static_cast<std::uint16_t>((pair & 0xFF) * factor));
    const std::uint16_t high = rounded(static_cast<std::uint16_t>((pair >> 8) * factor));
    pair = static_cast<std::uint16_t>(low >> 8 | (high & 0xFF00));
  }
  for (QRgb& pixel : line) pixel += over;
}

LEASESCOPE_WIDE void fill_lines(Lines lines, std::size_t width, QRgb colour) {
  lines.each(width, [colour](std::span<QRgb> line) { std::fill(line.begin(), line.end(), colour); });
}

LEASESCOPE_WIDE void blend_lines(Lines lines, std::size_t width, QRgb over, std::uint32_t a) {
  lines.each(width, [over, a](std::span<QRgb> line) { blend(line, over, a); });
}

// Where holes are as narrow as what lies between them, to choose for each pixel costs less than to copy the parts.
LEASESCOPE_WIDE void lay_lines(Lines lines, std::span<const QRgb> colours) {
  lines.each(colours.size(), [colours](std::span<QRgb> line) {
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = colours[i] != 0 ? colours[i] : line[i];
  });
}

struct Run {
  std::uint32_t from = 0, to = 0;
};

// What lies between the holes, until the next call; nothing where that is more than can be put down piece by piece.
std::span<const Run> runs_of(std::span<const QRgb> colours) {
  constexpr std::size_t kPixelsOfARun = 12;  // so many are chosen while one run is begun
  const std::size_t most = colours.size() / kPixelsOfARun;
  thread_local std::vector<Run> runs;
  runs.clear();
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (colours[i] == 0) continue;
    if (runs.size() == most) return {};
    const std::size_t from = i;
    while (i < colours.size() && colours[i] != 0) ++i;
    runs.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(i)});
  }
  return runs;
}

void lay_runs(Lines lines, std::span<const QRgb> colours, std::span<const Run> runs) {
  lines.each(colours.size(), [&](std::span<QRgb> line) {
    for (const Run& run : runs)
      for (std::uint32_t i = run.from; i < run.to; ++i) line[i] = colours[i];
  });
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
  const Lines lines{reinterpret_cast<uchar*>(at(out.left(), out.top())), a_line_, out.height()};
  const auto width = static_cast<std::size_t>(out.width());
  const QRgb over = qPremultiply(colour);
  if (qAlpha(colour) == 255)
    fill_lines(lines, width, over);
  else
    blend_lines(lines, width, over, static_cast<std::uint32_t>(255 - qAlpha(colour)));
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
  const Lines lines{reinterpret_cast<uchar*>(at(out.left(), out.top())), a_line_, out.height()};
  if (std::find(line.begin(), line.end(), QRgb{0}) == line.end())
    return lines.each(line.size(), [line](std::span<QRgb> to) { std::copy(line.begin(), line.end(), to.begin()); });
  constexpr int kFew = 3;  // lines: to look for the runs costs as much as one
  const std::span<const Run> runs = lines.count > kFew ? runs_of(line) : std::span<const Run>();
  if (runs.empty())
    lay_lines(lines, line);
  else
    lay_runs(lines, line, runs);
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
