#include "ui/models/words.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {

// Ticks from below, labels right of the major ones; never more digits than the step needs, milliseconds at least.
void paint_ruler(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  const int h = scene.layout.ruler;
  canvas.fill(0, 0, scene.right(), h, c.header);
  const TextStyle style{c.muted, 10, 400, Face::kMono};
  Ticks ticks = Ticks::for_viewport(scene.viewport, 60);
  int decimals = std::max(3, ticks.decimals);
  const int label = canvas.width_of(secondsText(scene.viewport.to(), decimals), style);
  if (label + 14 > 60) ticks = Ticks::for_viewport(scene.viewport, label + 14);
  decimals = std::max(3, ticks.decimals);
  const TrueTime first = Ticks::first(scene.viewport.from - ticks.major, ticks.minor);
  for (TrueTime t = first; t < scene.viewport.to(); t += ticks.minor) {
    const bool major = t.time_since_epoch() % ticks.major == Duration{};
    const int x = scene.x(t);
    if (x >= scene.left()) canvas.vline(x, h - (major ? 9 : 5), h, major ? c.muted : c.line_strong);
    if (!major || x < scene.left() - 4) continue;
    const QString text = secondsText(t, decimals);
    if (x + 4 + canvas.width_of(text, style) < scene.right()) canvas.text(x + 4, h - 9, text, style);
  }
  canvas.fill(0, 0, scene.left(), h - 1, c.header);
  canvas.hline(h - 1, 0, scene.right(), c.line);
  canvas.text(
      12, 17,
      scene.data.facts().world == "live" ? QStringLiteral("time of the run, s") : QStringLiteral("simulated time, s"),
      {c.muted, 10});
}

}  // namespace leasescope
