// What a chart shows: a stretch of the time its ruler counts, and the moments of the run that lie in it.
#pragma once
#include "ui/timeline/paint/clock_map.h"
#include "ui/timeline/paint/viewport.h"

namespace leasescope {

// Without a clock both are the same. With one, `shown` has places on that clock's chart (ClockMap), all else moments of
// the run: whoever paints or points asks for pixels of moments and for moments of pixels, and knows of no clock.
struct ClockView {
  Viewport shown;
  const ClockMap* clock = nullptr;
  TrueTime from{};   // the first moment in it; where all of it lies in a gap, that after it
  Duration span{1};  // from there; nothing where all of it lies in a gap
  int width = 1;

  ClockView(const Viewport& plain) : ClockView(plain, nullptr) {}
  ClockView(const Viewport& stretch, const ClockMap* by)
      : shown(stretch), clock(by), from(stretch.from), span(stretch.span), width(stretch.width) {
    if (clock == nullptr) return;
    from = clock->to_observer(stretch.from);
    span = clock->to_observer(stretch.to()) - from;
  }

  TrueTime to() const { return from + span; }
  // The same picture, of which no moments but those in [first, end) are asked for.
  ClockView within(TrueTime first, TrueTime end) const {
    ClockView part = *this;
    part.from = first;
    part.span = end - first;
    return part;
  }

  TrueTime place(TrueTime t) const { return clock == nullptr ? t : clock->to_clock(t); }
  std::int64_t pixel(TrueTime t) const { return shown.pixel(place(t)); }
  std::int64_t pixel(TrueTime t, std::int64_t from_origin) const { return shown.pixel(place(t), from_origin); }
  std::int64_t origin() const { return shown.origin(); }
  // The first moment of a pixel, or after it where none lies in it.
  TrueTime time(std::int64_t x) const { return clock == nullptr ? shown.time(x) : clock->to_observer(shown.time(x)); }
  int phase(int period) const { return shown.phase(period); }
  // Pixels that a length takes by the ruler.
  std::int64_t pixels(Duration d) const { return shown.pixels(d); }
  // The least time of the run that is so many pixels wide, rounded down; gaps beside.
  Duration least_of(int pixels) const {
    const Duration length(static_cast<std::int64_t>(static_cast<Int128>(shown.span.count()) * pixels / shown.width));
    return clock == nullptr ? length : clock->least_of(length);
  }
};

}  // namespace leasescope
