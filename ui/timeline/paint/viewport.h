// Time to pixels and back, exactly: integers only, so that bars keep their widths while panning.
#pragma once
#include <algorithm>
#include <cstdint>

#include "core/time/clock.h"
#include "core/time/wide.h"

namespace leasescope {

// A stretch of time over a whole number of pixels. `from` is at pixel 0; pixel(t) is rounded down on one grid that
// does not depend on `from`, so a pan moves every bar by the same number of pixels.
struct Viewport {
  TrueTime from{};
  Duration span{1};  // shown over `width`; never below a nanosecond a pixel
  int width = 1;

  TrueTime to() const { return from + span; }

  std::int64_t pixel(TrueTime t) const { return pixel(t, origin()); }
  // The same for those who ask for many of them: with the viewport's origin() at hand.
  std::int64_t pixel(TrueTime t, std::int64_t from_origin) const { return grid(t) - from_origin; }
  std::int64_t origin() const { return grid(from); }
  // The first moment of a pixel; pixel(time(x)) == x.
  TrueTime time(std::int64_t x) const { return first_of(grid(from) + x); }
  // Where bars' hatches start: the offset of time 0, folded to a period of the tiles.
  int phase(int period) const {
    const std::int64_t at = -grid(from) % period;
    return static_cast<int>(at < 0 ? at + period : at);
  }
  // Pixels that a length takes, at least 0.
  std::int64_t pixels(Duration d) const {
    return static_cast<std::int64_t>(static_cast<Int128>(d.count()) * width / span.count());
  }

  // The time under `x` stays under it. Through a series of zooms the same `anchor` keeps its place exactly.
  Viewport zoomed(Duration new_span, std::int64_t x) const { return zoomed(new_span, x, time(x)); }
  Viewport zoomed(Duration new_span, std::int64_t x, TrueTime anchor) const {
    Viewport next{from, std::max(new_span, Duration(width)), width};
    next.from = next.first_of(next.grid(anchor) - x);
    return next;
  }
  Viewport panned(std::int64_t dx) const {
    Viewport next = *this;
    next.from = time(dx);
    return next;
  }
  Viewport resized(int new_width) const {
    const int w = std::max(1, new_width);
    return {from, std::max(span, Duration(w)), w};
  }
  static Viewport fitting(TrueTime from, TrueTime to, int width) {
    const int w = std::max(1, width);
    return {from, std::max(to - from, Duration(w)), w};
  }

  friend bool operator==(const Viewport& a, const Viewport& b) {
    return a.from == b.from && a.span == b.span && a.width == b.width;
  }
  friend bool operator!=(const Viewport& a, const Viewport& b) { return !(a == b); }

 private:
  static std::int64_t floor_div(Int128 a, Int128 b) {
    const Int128 q = a / b;
    return static_cast<std::int64_t>(a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q);
  }
  // a * b / by, rounded down. What fits into 64 bits, as nearly all does, costs a quarter there.
  static std::int64_t scaled(std::int64_t a, std::int64_t b, std::int64_t by) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return floor_div(static_cast<Int128>(a) * b, by);
    const std::int64_t q = product / by;
    return product % by != 0 && (product < 0) != (by < 0) ? q - 1 : q;
  }
  std::int64_t grid(TrueTime t) const { return scaled(t.time_since_epoch().count(), width, span.count()); }
  TrueTime first_of(std::int64_t x) const { return TrueTime(Duration(-scaled(-x, span.count(), width))); }
};

// Steps 1-2-5 times a power of ten, so that labels of `label_px` do not touch.
struct Ticks {
  Duration major{};
  Duration minor{};
  int decimals = 0;  // of seconds, that the step needs

  static Ticks for_viewport(const Viewport& viewport, int label_px) {
    std::int64_t unit = 1;
    for (;; unit *= 10) {
      for (const int factor : {1, 2, 5}) {
        const Duration step(unit * factor);
        const bool fits = viewport.pixels(step) >= label_px;
        if (!fits && unit < INT64_MAX / 100) continue;
        Ticks ticks;
        ticks.major = step;
        const int parts = factor == 2 ? 4 : 5;
        ticks.minor = step.count() % parts == 0 ? step / parts : step;
        ticks.decimals = decimals_of(unit);
        return ticks;
      }
    }
  }
  // The first tick at or after t.
  static TrueTime first(TrueTime t, Duration step) {
    const std::int64_t n = t.time_since_epoch().count();
    std::int64_t k = n / step.count();
    if (k * step.count() < n) ++k;
    return TrueTime(step * k);
  }

 private:
  static int decimals_of(std::int64_t unit) {
    int decimals = 9;
    while (decimals > 0 && unit >= 10) {
      unit /= 10;
      --decimals;
    }
    return decimals;
  }
};

}  // namespace leasescope
