#include "ui/timeline/paint/hover_zones.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace leasescope {
namespace {

constexpr int kStep = 2;      // px from one look to the next
constexpr int kStepDown = 3;  // likewise; no lane is lower

HoverText at_rest(const ChartData& data, const Hit& hit, TrueTime at) {
  HoverText text = describe(data, hit, at);
  if (text.moving.isEmpty()) return text;
  const auto moving = [&](const auto& line) { return line.first == text.moving; };
  text.lines.erase(std::remove_if(text.lines.begin(), text.lines.end(), moving), text.lines.end());
  return text;
}

bool says_the_same(const HoverText& a, const HoverText& b) {
  return a.title == b.title && a.right == b.right && a.lines == b.lines && a.warning == b.warning;
}

// A bar by what is told along it: that another believes too is true of a part of it.
void add_pieces(const Scene& scene, const Hit& hit, const QRect& area, std::vector<HoverZone>& zones) {
  HoverZone zone{hit, area, at_rest(scene.data, hit, hit.mark ? hit.from : scene.first_of(area.left()))};
  for (int x = area.left() + kStep; !hit.mark && x <= area.right(); x += kStep) {
    HoverText here = at_rest(scene.data, hit, scene.first_of(x));
    if (says_the_same(here, zone.text)) continue;
    zone.area.setRight(x - 1);
    zones.push_back(zone);
    zone = {hit, QRect(QPoint(x, area.top()), area.bottomRight()), std::move(here)};
  }
  zones.push_back(std::move(zone));
}

}  // namespace

std::vector<HoverZone> hover_zones(const Scene& scene) {
  const QRect plot(scene.left(), scene.layout.ruler, scene.right() - scene.left(), scene.height - scene.layout.ruler);
  std::set<std::tuple<LaneKind, RowKind, int, std::size_t, int>> known;
  std::vector<HoverZone> zones;
  for (int y = plot.top(); y <= plot.bottom(); y += kStepDown)
    for (int x = plot.left(); x <= plot.right(); x += kStep) {
      const Hit hit = hit_test(scene, {x, y});
      if (!hit || !known.emplace(hit.lane, hit.on, hit.row, hit.index, hit.line).second) continue;
      const QRect area = hit.bar.intersected(plot);
      if (!area.isEmpty()) add_pieces(scene, hit, area, zones);
    }
  const auto size = [](const HoverZone& zone) { return zone.area.width() * zone.area.height(); };
  std::stable_sort(zones.begin(), zones.end(),
                   [&](const HoverZone& a, const HoverZone& b) { return size(a) > size(b); });
  return zones;
}

}  // namespace leasescope
