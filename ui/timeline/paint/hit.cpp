#include "ui/timeline/paint/hit.h"

#include "ui/models/words.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

constexpr int kReach = 6;  // px around a mark without width

bool inside(Band band, int y) { return y >= band.y && y < band.y + band.height; }

Band write_lane(const RowBox& row) { return {row.height - measures().resource_axis_from_bottom - 26, 32}; }
Band request_lane() { return {measures().store_axis - 5, 11}; }

// A lease with its renewals is one thing to point at.
Hit hit_span(const Scene& scene, const std::vector<LeaseSpan>& spans, HitKind kind, const RowBox& row, Band band,
             TrueTime at) {
  const LeaseSpan* found = span_at(spans, at);
  if (found == nullptr) return {};
  auto first = static_cast<std::size_t>(found - spans.data());
  std::size_t last = first;
  while (first > 0 && spans[first].renewal) --first;
  while (last + 1 < spans.size() && spans[last + 1].renewal) ++last;
  Hit hit{kind, row.index, first, {}, spans[first].start.hi, scene.until(spans[last].end.hi)};
  const int y = scene.y(row) + band.y;
  hit.bar = QRect(QPoint(scene.x(hit.from), y),
                  QPoint(std::max(scene.x(hit.to), scene.x(hit.from) + 1) - 1, y + band.height - 1));
  return hit;
}

template <class Marks>
Hit hit_mark(const Scene& scene, const Marks& marks, HitKind kind, const RowBox& row, Band band, int x) {
  Hit best;
  int distance = kReach + 1;
  const TrueTime from = scene.viewport.time(x - scene.left() - kReach);
  auto mark = std::lower_bound(marks.begin(), marks.end(), from, [](const auto& m, TrueTime t) { return m.at < t; });
  for (; mark != marks.end() && scene.x(mark->at) <= x + kReach; ++mark) {
    const int away = std::abs(scene.x(mark->at) - x);
    if (away >= distance) continue;
    distance = away;
    best = {kind,
            row.index,
            static_cast<std::size_t>(mark - marks.begin()),
            QRect(scene.x(mark->at) - 5, scene.y(row) + band.y, 11, band.height),
            mark->at,
            mark->at};
  }
  return best;
}

Hit hit_incident(const Scene& scene, QPoint at) {
  Hit best;
  constexpr int kLowest = 8;  // below every severity
  int worst = 2 * kLowest;
  const RailPlan plan = rail_plan(scene);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const IncidentMark& incident = scene.data.incidents()[i];
    const QRect rail = plan[i];
    if (rail.isEmpty() || !rail.adjusted(-2, -2, 2, 2).contains(at)) continue;
    // A glyph lies on the spans.
    const int rank = severity(incident.kind) + (is_span(incident.kind) ? kLowest : 0);
    if (rank >= worst) continue;
    worst = rank;
    best = {HitKind::kIncident, incident.mutex, i, rail, incident.start, incident.end};
  }
  return best;
}

Hit hit_tape(const Scene& scene, const RowBox& row, bool held_lane, int x) {
  Hit best;
  for (std::size_t i = 0; i < scene.data.incidents().size(); ++i) {
    const IncidentMark& incident = scene.data.incidents()[i];
    if (incident.kind != (held_lane ? IncidentKind::kDoubleGrant : IncidentKind::kBeliefOverlap)) continue;
    if (std::find(incident.contenders.begin(), incident.contenders.end(), row.index) == incident.contenders.end())
      continue;
    if (!scene.shows(incident.start, incident.end)) continue;
    const PixelRange range = incident_range(scene, incident);
    if (x < range.from - 1 || x > range.to) continue;
    const Band band = held_lane ? scene.layout.row.held : scene.layout.row.believed;
    best = {HitKind::kIncident,
            incident.mutex,
            i,
            QRect(range.from, scene.y(row) + band.y, range.to - range.from, band.height),
            incident.start,
            incident.end};
  }
  return best;
}

Hit hit_band(const Scene& scene, const std::vector<BandSpan>& bands, const RowBox& row, TrueTime at) {
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const TrueTime end = scene.until(bands[i].end);
    if (at < bands[i].begin || at > end) continue;
    return {HitKind::kBand,
            row.kind == RowKind::kStore ? -1 : row.index,
            i,
            QRect(QPoint(scene.x(bands[i].begin), scene.y(row)), QPoint(scene.x(end), scene.y(row) + row.height - 2)),
            bands[i].begin,
            end};
  }
  return {};
}

Hit hit_contender(const Scene& scene, const RowBox& row, QPoint at, TrueTime time) {
  const ContenderRow& contender = scene.data.contenders()[static_cast<std::size_t>(row.index)];
  const RowMeasures& m = scene.layout.row;
  const int y = at.y() - scene.y(row);
  Hit hit;
  if (inside(m.believed, y)) {
    hit = hit_tape(scene, row, false, at.x());
    if (!hit) hit = hit_span(scene, contender.believed, HitKind::kBelieved, row, m.believed, time);
  } else if (inside(m.held, y)) {
    hit = hit_tape(scene, row, true, at.x());
    if (!hit) hit = hit_span(scene, contender.held, HitKind::kHeld, row, m.held, time);
  } else if (inside(m.attempts, y)) {
    hit = hit_mark(scene, contender.life, HitKind::kRefused, row, m.attempts, at.x());
    if (!hit || !contender.life[hit.index].refused())
      hit = hit_mark(scene, contender.attempts, HitKind::kAttempt, row, m.attempts, at.x());
  }
  return hit ? hit : hit_band(scene, contender.bands, row, time);
}

// Where a hit lies in its row; none in any other row.
std::optional<Band> lane_of(const Scene& scene, const RowBox& row, const Hit& hit) {
  const RowMeasures& m = scene.layout.row;
  const bool own = row.index == hit.row;
  switch (row.kind) {
    case RowKind::kMutex:
      if (own && hit.kind == HitKind::kStoreHeld) return measures().mutex_band;
      break;
    case RowKind::kContender:
      if (!own) break;
      if (hit.kind == HitKind::kHeld) return m.held;
      if (hit.kind == HitKind::kBelieved) return m.believed;
      if (hit.kind == HitKind::kAttempt || hit.kind == HitKind::kRefused) return m.attempts;
      if (hit.kind == HitKind::kBand) return Band{0, row.height - 1};
      break;
    case RowKind::kResource:
      if (own && hit.kind == HitKind::kWrite) return write_lane(row);
      break;
    case RowKind::kFold:
      if (own && hit.kind == HitKind::kFold) return Band{0, row.height};
      break;
    case RowKind::kStore:
      if (hit.kind == HitKind::kRequest) return request_lane();
      if (hit.kind == HitKind::kBand && hit.row < 0) return Band{0, row.height - 1};
      break;
  }
  return {};
}

Hit hit_row(const Scene& scene, const RowBox& row, QPoint at) {
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  const auto index = static_cast<std::size_t>(row.index);
  switch (row.kind) {
    case RowKind::kMutex:
      return hit_span(scene, scene.data.mutexes()[index].held, HitKind::kStoreHeld, row, measures().mutex_band, time);
    case RowKind::kContender:
      return hit_contender(scene, row, at, time);
    case RowKind::kFold:
      return {HitKind::kFold, row.index, 0, QRect(0, scene.y(row), scene.right(), row.height), time, time};
    case RowKind::kResource:
      return hit_mark(scene, scene.data.resources()[index].writes, HitKind::kWrite, row, write_lane(row), at.x());
    case RowKind::kStore:
      break;
  }
  const Hit hit = hit_mark(scene, scene.data.requests(), HitKind::kRequest, row, request_lane(), at.x());
  return hit ? hit : hit_band(scene, scene.data.store_bands(), row, time);
}

}  // namespace

Hit hit_test(const Scene& whole, QPoint at) {
  Scene scene = whole;
  scene.pinned = scene.layout.pinned_row(scene.scroll);
  if (at.x() < scene.left() || at.x() >= scene.right() || at.y() >= scene.height) return {};
  if (at.y() < scene.layout.ruler) return {};
  if (at.y() < scene.layout.top()) return hit_incident(scene, at);
  if (scene.pinned != nullptr && at.y() < scene.rows_top()) return hit_row(scene, *scene.pinned, at);
  for (const RowBox& row : scene.layout.rows)
    if (at.y() >= scene.y(row) && at.y() < scene.y(row) + row.height) return hit_row(scene, row, at);
  return {};
}

QRect bar_of(const Scene& scene, const Hit& hit) {
  if (hit.kind == HitKind::kIncident) return rail_rect(scene, hit.index);
  for (const RowBox& row : scene.layout.rows) {
    const std::optional<Band> band = lane_of(scene, row, hit);
    if (!band || !scene.shows(hit.from, hit.to)) continue;
    const int x = scene.x(hit.from), y = scene.y(row) + band->y;
    const bool mark = hit.kind == HitKind::kAttempt || hit.kind == HitKind::kRefused || hit.kind == HitKind::kWrite ||
                      hit.kind == HitKind::kRequest;
    return mark ? QRect(x - kReach + 1, y, 2 * kReach - 1, band->height)
                : QRect(x, y, std::max(scene.x(hit.to) - x, 1), band->height);
  }
  return {};
}

}  // namespace leasescope
