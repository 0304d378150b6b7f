#include "tests/ui/rows_seen.h"

#include <array>
#include <map>
#include <set>

#include "tests/ui/device_pixels.h"
#include "tests/ui/lane_lines.h"
#include "tests/ui/naive_leases.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/tape.h"

namespace leasescope::tests {
namespace {

std::size_t place(int x) { return static_cast<std::size_t>(x); }

Scene with_pinned_header(const Scene& whole) {
  Scene scene = whole;
  scene.pinned = scene.layout.pinned_row(scene.scroll);
  return scene;
}

// Where a picture has another pixel than who painted there last left, if nobody did so later; none: nowhere.
std::optional<int> first_other(const Scene& scene, const QImage& image, const LaneLine& line) {
  for (int x = scene.left(); x < scene.right(); ++x) {
    if (line.above[place(x)] != 0) continue;
    const QRgb own = line.own[place(x)];
    if (pixel_of(image, x, line.y) != (own == LaneLine::kNothing ? line.below[place(x)] : own)) return x;
  }
  return {};
}

// ---- leases

// A lane of leases in a row. Bars have the whole height of a band or, of those who read, half of it at one edge: of
// either the uppermost or the lowest line has ink wherever it has any.
struct Bars {
  const RowBox* row = nullptr;
  const SpanTrack* track = nullptr;
  bool held = false;
  std::size_t upper = 0, lower = 0;  // of the lines
};

std::vector<Bars> bars_of(const Scene& scene, std::vector<LaneLine>& lines) {
  std::vector<Bars> found;
  const auto add = [&](const RowBox& row, const SpanTrack& track, bool held, Band band) {
    const auto at = seen_whole(scene, row, band);
    if (!at) return;
    const LaneKind lane = held ? LaneKind::kHeld : LaneKind::kBelieved;
    found.push_back({&row, &track, held, lines.size(), lines.size() + 1});
    lines.push_back({lane, &row, at->y});
    lines.push_back({lane, &row, at->y + at->height - 1});
  };
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind == RowKind::kMutex) {
      const MutexRow& mutex = scene.data.mutexes()[place(row.index)];
      // What several hold at once lies beside each other, and a majority's is told by its votes.
      if (mutex.places.empty() && !mutex.votes) add(row, mutex.held, true, measures().mutex_band);
    } else if (row.kind == RowKind::kContender) {
      const ContenderRow& contender = scene.data.contenders()[place(row.index)];
      add(row, contender.held, true, scene.layout.row.held);
      add(row, contender.believed, false, scene.layout.row.believed);
    }
  }
  return found;
}

LeaseColumn painted_column(const Bars& bars, const LaneLine& upper, const LaneLine& lower, int x, QRgb paper) {
  const QRgb a = upper.own[place(x)], b = lower.own[place(x)];
  if (a == LaneLine::kNothing && b == LaneLine::kNothing) return LeaseColumn::kNone;
  // A belief past its deadline is dots and dashes on paper.
  if (!bars.held) return LeaseColumn::kLease;
  const auto free = [paper](QRgb pixel) { return pixel == paper || pixel == LaneLine::kNothing; };
  return free(a) && free(b) ? LeaseColumn::kBoundary : LeaseColumn::kLease;
}

const char* word_of(LeaseColumn column) {
  return column == LeaseColumn::kNone ? "nothing" : column == LeaseColumn::kLease ? "a lease" : "a boundary";
}

bool is_exact(const SpanTrack& track) {
  for (std::size_t i = 0; i < track.size(); ++i)
    if (!track.exact(i)) return false;
  return true;
}

std::optional<QString> wrong_bars(const Scene& scene, Theme theme, const QImage& image, const Bars& bars,
                                  const std::vector<LaneLine>& lines, RowsSeen& seen) {
  const LaneLine &upper = lines[bars.upper], &lower = lines[bars.lower];
  const auto wrong = [&](const QString& what, int x) {
    return QStringLiteral("%1 of row %2: %3 at %4 px")
        .arg(bars.row->kind == RowKind::kMutex ? QStringLiteral("header")
             : bars.held                       ? QStringLiteral("held")
                                               : QStringLiteral("believed"))
        .arg(bars.row->index)
        .arg(what)
        .arg(x);
  };
  if (!is_exact(*bars.track)) return wrong(QStringLiteral("bounds, of which nothing is said here"), scene.left());
  const std::vector<LeaseColumn> expected = walked_columns(scene, *bars.track, bars.held);
  ++seen.lanes;
  for (int x = scene.left(); x < scene.right(); ++x) {
    const LeaseColumn now = painted_column(bars, upper, lower, x, colours(theme).chart.rgb());
    if (now != expected[place(x)])
      return wrong(QStringLiteral("%1 instead of %2")
                       .arg(QString::fromLatin1(word_of(now)), QString::fromLatin1(word_of(expected[place(x)]))),
                   x);
    if (now != LeaseColumn::kLease) continue;
    ++seen.leases;
    for (const LaneLine* const line : {&upper, &lower})
      if (line->own[place(x)] != LaneLine::kNothing && line->above[place(x)] == 0) {
        ++seen.open;
        break;
      }
  }
  for (const LaneLine* const line : {&upper, &lower})
    if (const auto x = first_other(scene, image, *line))
      return wrong(QStringLiteral("another picture than its lane's"), *x);
  return {};
}

// ---- incidents

constexpr int kParts = 4;  // lines of a band, two in each half

// The lines of a kind's band in a row, from above.
using TapeLines = std::map<std::pair<const RowBox*, IncidentKind>, std::array<std::size_t, kParts>>;

const Band& band_of(const Scene& scene, IncidentKind kind) {
  return kind == IncidentKind::kDoubleGrant ? scene.layout.row.held : scene.layout.row.believed;
}

// Who reads has half of it: next to the other lane.
bool is_half(const ContenderRow& contender, IncidentKind kind, TrueTime at) {
  const auto span = span_at(kind == IncidentKind::kDoubleGrant ? contender.held : contender.believed, at);
  return span && span->shared;
}

struct Wrongdoing {
  const IncidentMark* incident = nullptr;
  const RowBox* row = nullptr;
};

std::vector<Wrongdoing> wrongdoings(const Scene& scene) {
  std::vector<Wrongdoing> found;
  for (const IncidentMark& incident : scene.data.incidents()) {
    if (!is_tape(incident.kind) || !scene.shows(incident.start, incident.end)) continue;
    for (const int who : incident.contenders) {
      const RowBox* const row = who == kNoContender ? nullptr : scene.layout.contender_row(who);
      if (row != nullptr && seen_whole(scene, *row, band_of(scene, incident.kind))) found.push_back({&incident, row});
    }
  }
  return found;
}

TapeLines lines_of(const Scene& scene, const std::vector<Wrongdoing>& all, std::vector<LaneLine>& lines) {
  TapeLines found;
  for (const Wrongdoing& each : all) {
    const auto [at, is_new] = found.try_emplace({each.row, each.incident->kind});
    if (!is_new) continue;
    const Band band = *seen_whole(scene, *each.row, band_of(scene, each.incident->kind));
    const std::array<int, kParts> from_top{0, band.height / 4, 3 * band.height / 4, band.height - 1};
    for (std::size_t part = 0; part < kParts; ++part) {
      at->second[part] = lines.size();
      lines.push_back({LaneKind::kIncidents, each.row, band.y + from_top[part]});
    }
  }
  return found;
}

std::set<QRgb> inks_of(IncidentKind kind, const Colours& c) {
  return kind == IncidentKind::kDoubleGrant ? std::set{c.critical.rgb(), c.on_critical.rgb()}
                                            : std::set{c.overlap.rgb(), c.overlap_ink.rgb()};
}

// In the columns of its time all is tape but where the red edges of grants cross it; beside them too, as far as the
// narrowest mark goes, unless it is over within the narrow mark of another. Some of it has nothing on it.
std::optional<QString> wrong_tape(const Scene& scene, const Colours& c, const Wrongdoing& each,
                                  const std::array<std::size_t, kParts>& parts, const std::vector<LaneLine>& lines,
                                  const QImage& image) {
  const IncidentKind kind = each.incident->kind;
  const bool twice = kind == IncidentKind::kDoubleGrant;
  const bool half = is_half(scene.data.contenders()[place(each.row->index)], kind, each.incident->start);
  const std::set<QRgb> inks = inks_of(kind, c);
  const PixelRange range = incident_range(scene, *each.incident);
  const int last = scene.clipped_x(each.incident->end);
  int open = 0;
  for (std::size_t part = half && !twice ? kParts / 2 : 0; part < (half && twice ? kParts / 2 : kParts); ++part) {
    const LaneLine& line = lines[parts[part]];
    for (int x = range.from; x < range.to; ++x) {
      const QRgb own = line.own[place(x)];
      const bool tape = inks.count(own) > 0;
      if (x > last && own == LaneLine::kNothing) continue;
      if (!tape && (twice || own != c.critical.rgb())) return QStringLiteral("has no tape at %1 px").arg(x);
      if (line.above[place(x)] != 0) continue;
      if (pixel_of(image, x, line.y) != own) return QStringLiteral("is not seen at %1 px").arg(x);
      open += tape;
    }
  }
  return open > 0 ? std::nullopt : std::optional(QStringLiteral("is covered whole"));
}

}  // namespace

RowsSeen bars_seen(const Scene& whole, Theme theme, const QImage& image) {
  const Scene scene = with_pinned_header(whole);
  RowsSeen seen;
  std::vector<LaneLine> lines;
  const std::vector<Bars> all = bars_of(scene, lines);
  if (all.empty()) return seen;
  paint_lines(scene, theme, image.devicePixelRatio(), lines);
  for (const Bars& each : all)
    if ((seen.wrong = wrong_bars(scene, theme, image, each, lines, seen))) return seen;
  return seen;
}

RowsSeen tapes_seen(const Scene& whole, Theme theme, const QImage& image) {
  const Scene scene = with_pinned_header(whole);
  RowsSeen seen;
  const std::vector<Wrongdoing> all = wrongdoings(scene);
  if (all.empty()) return seen;
  std::vector<LaneLine> lines;
  const TapeLines parts = lines_of(scene, all, lines);
  paint_lines(scene, theme, image.devicePixelRatio(), lines);
  for (const Wrongdoing& each : all) {
    const auto& own = parts.at({each.row, each.incident->kind});
    if (const auto wrong = wrong_tape(scene, colours(theme), each, own, lines, image)) {
      seen.wrong = QStringLiteral("%1 at %2 ns in row %3 %4")
                       .arg(QString::fromUtf8(text(each.incident->kind).data()))
                       .arg(each.incident->start.time_since_epoch().count())
                       .arg(each.row->index)
                       .arg(*wrong);
      return seen;
    }
    ++seen.tapes;
  }
  return seen;
}

}  // namespace leasescope::tests
