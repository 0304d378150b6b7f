#include "ui/timeline/paint/flags.h"

#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

constexpr int kTop = 4, kHeight = 15, kPadding = 4;
constexpr int kPennant = 7;     // of a flag without its name
constexpr int kLeastName = 18;  // px that a name is cut to
constexpr int kMostName = 160;
constexpr int kPx = 10, kWeight = 600;

}  // namespace

std::vector<FlagPlace> flag_places(const Scene& scene, const MarkerFlags& flags, std::optional<TrueTime> cursor) {
  const auto before = [](const MarkerFlag& flag, TrueTime at) { return flag.at < at; };
  const auto first = std::lower_bound(flags.begin(), flags.end(), scene.viewport.from, before);
  const auto end = std::lower_bound(first, flags.end(), scene.viewport.to(), before);
  const QRect covered = cursor && scene.shows(*cursor) ? cursor_plate(scene, *cursor) : QRect();
  const TextStyle style{{}, kPx, kWeight};
  std::vector<FlagPlace> places;
  int taken = scene.left();
  for (auto flag = first; flag != end; ++flag) {
    FlagPlace place{static_cast<int>(flag - flags.begin()), scene.x(flag->at), {}, {}};
    int left = std::max(place.x, taken);
    // Right of the cursor's plate, or it would lie under it from the moment it is put there.
    if (left <= covered.right() && left + kPennant >= covered.left()) left = covered.right() + 3;
    int right = flag + 1 != end ? scene.x((flag + 1)->at) : scene.right();
    if (covered.left() > left) right = std::min(right, covered.left());
    const int room = std::min(right - left - 2 * kPadding - 1, kMostName);
    const int wanted = width_of(flag->name, style);
    if (room >= std::min(wanted, kLeastName)) place.name = fitting(flag->name, room, style);
    const int width = place.name.isEmpty() ? kPennant : width_of(place.name, style) + 2 * kPadding;
    if (left + width <= scene.right()) {
      place.plate = {left, kTop, width, kHeight};
      taken = left + width;
    }
    places.push_back(std::move(place));
  }
  return places;
}

int flag_at(const Scene& scene, const MarkerFlags& flags, std::optional<TrueTime> cursor, QPoint at) {
  if (at.y() >= scene.layout.ruler || at.x() < scene.left()) return -1;
  for (const FlagPlace& place : flag_places(scene, flags, cursor))
    if (place.plate.adjusted(-1, -kTop, 1, kTop).contains(at) || std::abs(place.x - at.x()) <= 2) return place.flag;
  return -1;
}

void paint_flags(Canvas& canvas, const Scene& scene, const MarkerFlags& flags, std::optional<TrueTime> cursor,
                 int over) {
  const Colours& c = canvas.colours();
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  QColor line = c.marker;
  line.setAlpha(110);
  for (const FlagPlace& place : flag_places(scene, flags, cursor)) {
    const bool pointed = place.flag == over;
    canvas.vline(place.x, scene.layout.top(), bottom, pointed ? c.marker : line);
    canvas.vline(place.x, kTop, scene.layout.ruler, c.marker);
    const QRect& plate = place.plate;
    if (plate.isEmpty()) continue;
    clear_ruler_under(canvas, scene, {place.x, plate.right() + 2});
    canvas.vline(place.x, kTop, scene.layout.ruler, c.marker);
    if (plate.left() > place.x + 1) canvas.hline(kTop, place.x, plate.left(), c.marker);
    canvas.fill(plate.x(), plate.y(), plate.width(), plate.height(), pointed ? c.marker : c.chart);
    canvas.frame(plate.x(), plate.y(), plate.width(), plate.height(), c.marker);
    if (place.name.isEmpty()) canvas.fill(plate.x(), plate.y(), plate.width(), plate.height(), c.marker);
    canvas.text(plate.x() + kPadding, plate.y() + 11, place.name, {pointed ? c.chart : c.text, kPx, kWeight});
  }
}

}  // namespace leasescope
