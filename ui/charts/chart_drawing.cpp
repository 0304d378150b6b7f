#include "ui/charts/chart_drawing.h"

#include <algorithm>
#include <cmath>

namespace leasescope {

std::vector<QPointF> thinned(const std::vector<QPointF>& points, std::size_t most) {
  if (points.size() <= most || most < 4) return points;
  std::vector<QPointF> out;
  out.reserve(most);
  // Two of every stretch, in their order; the first and the last stay.
  const std::size_t stretches = (most - 2) / 2;
  out.push_back(points.front());
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(points.size() * i / stretches);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>(points.size() * (i + 1) / stretches);
    const auto [low, high] =
        std::minmax_element(begin, end, [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); });
    out.push_back(*std::min(low, high));
    out.push_back(*std::max(low, high));
  }
  out.push_back(points.back());
  return out;
}

double round_step(double length, int most) {
  const double least = length / most, power = std::pow(10, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0})
    if (times * power >= least * (1 - 1e-9)) return times * power;
  return 10 * power;
}

}  // namespace leasescope
