#include "tests/ui/lane_lines.h"

#include <QImage>

#include "tests/ui/device_pixels.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope::tests {
namespace {

constexpr QRgb kEmpty = 0xffff00ff;  // no chart has it

class LanePainter {
 public:
  LanePainter(const Scene& scene, Theme theme, double ratio, std::vector<LaneLine>& lines)
      : scene_(scene), lines_(lines), image_(sized(scene, ratio)), painter_(&image_), canvas_(canvas(theme)) {
    for (LaneLine& line : lines_) {
      line.below.assign(static_cast<std::size_t>(scene.right()), LaneLine::kNothing);
      line.own = line.below;
      line.above.assign(line.own.size(), 0);
    }
  }

  // The rows that are scrolled, or those that stay on top of them.
  void paint(bool on_top) {
    const int top = scene_.layout.top(), below = scene_.rows_top();
    scene_.on_top = on_top;
    first_ = true;
    canvas_.clip(on_top ? QRect(0, top, scene_.right(), below - top)
                        : QRect(0, below, scene_.right(), std::max(0, scene_.height - below)));
    for (std::size_t lane = 0; lane < scene_.data.lanes().size(); ++lane) {
      const auto kind = static_cast<LaneKind>(lane);
      const bool asked_for =
          std::any_of(lines_.begin(), lines_.end(), [&](const LaneLine& line) { return line.lane == kind; });
      asked_for ? paint_alone(kind) : paint_lane(kind);
    }
    write();
    take_above(LaneKind::kNone);
  }

 private:
  static QImage sized(const Scene& scene, double ratio) {
    QImage image(static_cast<int>(std::ceil(scene.layout.width * ratio)),
                 static_cast<int>(std::ceil(scene.height * ratio)), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(kEmpty);
    return image;
  }
  Canvas canvas(Theme theme) {
    static TileCache tiles;
    return Canvas(painter_, theme, tiles, (scene_.left() + scene_.viewport.phase(kTilePeriod)) % kTilePeriod);
  }

  void paint_lane(LaneKind kind) {
    const bool ground = kind <= LaneKind::kClockSeams;
    for (const ClockView& view : ground ? std::vector{scene_.viewport} : parts_of(scene_)) {
      Scene part = scene_;
      part.viewport = view;
      scene_.data.lane(kind).paint(canvas_, part);
    }
  }

  // What was painted before it lies on what was asked for before; before the first it is the ground of all.
  void paint_alone(LaneKind kind) {
    if (std::exchange(first_, false))
      each_pixel([](LaneLine& line, std::size_t x, QRgb pixel) { line.below[x] = pixel; });
    else
      take_above(kind);
    clear();
    paint_lane(kind);
    take_above(kind);
    each_pixel([&](LaneLine& line, std::size_t x, QRgb pixel) {
      if (line.lane == kind && pixel != kEmpty) line.own[x] = pixel;
    });
    clear();
  }
  void take_above(LaneKind now) {
    each_pixel([&](LaneLine& line, std::size_t x, QRgb pixel) {
      if (line.lane < now && pixel != kEmpty) line.above[x] = 1;
    });
  }
  void clear() { canvas_.fill(0, 0, scene_.right(), scene_.height, QColor::fromRgb(kEmpty)); }

  void write() {
    canvas_.places().clear();
    for (int step = 0; step < kSaysSteps; ++step) {
      for (const std::unique_ptr<Lane>& lane : scene_.data.lanes())
        if (lane->says() == static_cast<Says>(step)) lane->write(canvas_, scene_);
      if (static_cast<Says>(step) == Says::kReserved) canvas_.put_waiting();
    }
    paint_heads(canvas_, scene_);
  }

  template <class Do>
  void each_pixel(Do&& action) {
    for (LaneLine& line : lines_)
      if (scene_.stays(*line.row) == scene_.on_top)
        for (int x = scene_.left(); x < scene_.right(); ++x)
          action(line, static_cast<std::size_t>(x), pixel_of(image_, x, line.y));
  }

  Scene scene_;
  std::vector<LaneLine>& lines_;
  QImage image_;
  QPainter painter_;
  Canvas canvas_;
  bool first_ = true;  // of those asked for
};

}  // namespace

void paint_lines(const Scene& scene, Theme theme, double ratio, std::vector<LaneLine>& lines) {
  LanePainter painter(scene, theme, ratio, lines);
  painter.paint(false);
  if (scene.top_height() > 0) painter.paint(true);
}

std::optional<Band> seen_whole(const Scene& scene, const RowBox& row, Band band) {
  const Band lane{scene.y(row) + band.y, band.height};
  const int top = scene.stays(row) ? scene.layout.top() : scene.rows_top();
  const int bottom = scene.stays(row) ? std::min(scene.rows_top(), scene.height) : scene.height;
  if (lane.height <= 0 || lane.y < top || lane.y + lane.height > bottom) return {};
  return lane;
}

}  // namespace leasescope::tests
