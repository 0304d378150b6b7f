#include "ui/timeline/paint/snap.h"

#include <algorithm>
#include <cstdlib>

namespace leasescope {
namespace {

class Nearest {
 public:
  Nearest(const Scene& scene, int x, int reach) : scene_(scene), x_(x), least_(reach + 1) {}

  void take(TrueTime at) {
    const int away = std::abs(scene_.x(at) - x_);
    if (at == kOpenEnd || !scene_.shows(at) || away >= least_) return;
    least_ = away;
    found_ = at;
  }
  std::optional<TrueTime> found() const { return found_; }

 private:
  const Scene& scene_;
  const int x_;
  int least_;
  std::optional<TrueTime> found_;
};

// Ends and promises lie about where the next begin: of the leases around a moment all are asked.
void take_leases(const SpanTrack& track, TrueTime at, Nearest& nearest) {
  constexpr std::size_t kAround = 2;
  const std::size_t after = track.first_starting_at(at);
  const std::size_t first = after - std::min(after, kAround), end = std::min(track.size(), after + kAround);
  for (std::size_t i = first; i < end; ++i) {
    const LeaseSpan span = track[i];
    nearest.take(span.start.hi);
    nearest.take(span.end.hi);
    nearest.take(span.lease_end);
  }
}

}  // namespace

std::optional<TrueTime> snapped(const Scene& scene, QPoint at, int reach) {
  const TrueTime pointed = scene.first_of(at.x());
  Nearest of_row(scene, at.x(), reach);
  for (const RowBox& row : scene.layout.rows) {
    const int top = scene.y(row);
    if (!row.kept && at.y() < scene.layout.top() + scene.layout.kept_height) continue;
    if (at.y() < top || at.y() >= top + row.height) continue;
    const auto index = static_cast<std::size_t>(row.index);
    if (row.kind == RowKind::kMutex) take_leases(scene.data.mutexes()[index].held, pointed, of_row);
    if (row.kind != RowKind::kContender) continue;
    take_leases(scene.data.contenders()[index].held, pointed, of_row);
    take_leases(scene.data.contenders()[index].believed, pointed, of_row);
  }
  if (of_row.found()) return of_row.found();
  Nearest of_all(scene, at.x(), reach);
  const Column<TrueTime>& moments = scene.data.moments();
  const auto next = std::lower_bound(moments.begin(), moments.end(), pointed);
  if (next != moments.end()) of_all.take(*next);
  if (next != moments.begin()) of_all.take(*std::prev(next));
  return of_all.found();
}

}  // namespace leasescope
