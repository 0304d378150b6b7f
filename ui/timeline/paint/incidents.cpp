#include <climits>
#include <map>
#include <set>

#include "ui/models/words.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

constexpr int kGlyph = 12;        // width of a glyph in the rail
constexpr int kFarthest = 60;     // from where it belongs
constexpr int kBracketRoom = 14;  // beside the words on a bracket
constexpr int kRoomyTape = 40;    // wide enough for a glyph within, apart from both its edges
constexpr int kTapeGap = 15;      // that a glyph within a tape stands in, with an edge of ink on either side

bool is_tape(IncidentKind kind) { return kind == IncidentKind::kBeliefOverlap || kind == IncidentKind::kDoubleGrant; }

QColor edge_of(const Canvas& canvas, IncidentKind kind) {
  const Colours& c = canvas.colours();
  if (kind == IncidentKind::kDoubleGrant) return c.critical;
  return canvas.theme() == Theme::kLight ? c.overlap_ink : c.overlap;
}

void paint_tape(Canvas& canvas, PixelRange range, int y, int height, IncidentKind kind) {
  const Colours& c = canvas.colours();
  const int width = range.to - range.from;
  if (kind == IncidentKind::kDoubleGrant) {
    canvas.hatch(range.from, y, width, height, Tile::kCritical, c.on_critical, c.critical);
    if (width > 4) canvas.frame(range.from, y, width, height, c.critical, 2);
  } else {
    canvas.hatch(range.from, y, width, height, Tile::kOverlap, c.overlap_ink, c.overlap);
    if (width > 4) canvas.frame(range.from, y, width, height, edge_of(canvas, kind));
  }
}

// The longest text that leaves enough tape to be seen; none rather than tape hidden by its own label.
void paint_tape_label(Canvas& canvas, PixelRange range, int y, int height, std::initializer_list<QString> texts,
                      IncidentKind kind, int tape_left) {
  const Colours& c = canvas.colours();
  const bool critical = kind == IncidentKind::kDoubleGrant;
  PlateStyle style{critical ? c.critical : c.overlap, critical ? c.on_critical : c.overlap_ink,
                   critical ? QColor() : c.overlap_ink};
  style.weight = 600;
  style.px = height >= 13 ? 11 : 10;
  style.height = height;
  style.padding = 6;
  style.align = Align::kCentre;
  for (const QString& text : texts) {
    if (text.isEmpty() || canvas.plate_width(text, style) > range.to - range.from - tape_left) continue;
    canvas.plate((range.from + range.to) / 2, y, text, style);
    return;
  }
}

Token token_of(const IncidentMark& incident, std::size_t contender) {
  return contender < incident.tokens.size() ? incident.tokens[contender]
         : incident.tokens.empty()          ? kNoToken
                                            : incident.tokens.back();
}

void paint_rows_of(Canvas& canvas, const Scene& scene, const IncidentMark& incident) {
  const PixelRange range = incident_range(scene, incident);
  const bool twice = incident.kind == IncidentKind::kDoubleGrant;
  const Band band = twice ? scene.layout.row.held : scene.layout.row.believed;
  for (std::size_t i = 0; i < incident.contenders.size(); ++i) {
    const RowBox* row = scene.layout.contender_row(incident.contenders[i]);
    if (row == nullptr || !scene.visible(*row)) continue;
    const int y = scene.y(*row) + band.y;
    paint_tape(canvas, range, y, band.height, incident.kind);
    const QString token = tokenMark(token_of(incident, i));
    const int height = std::min(16, band.height - 2);
    if (height >= 12)
      paint_tape_label(
          canvas, range, y + (band.height - height) / 2, height,
          {((twice ? QStringLiteral("granted twice ") : QStringLiteral("believes ")) + token).trimmed(), token},
          incident.kind, measures().tape_left_beside_label);
  }
}

// While the store has granted twice its band is two halves, one in each owner's hue.
void paint_split_header(Canvas& canvas, const Scene& scene, const IncidentMark& incident) {
  const RowBox* row = scene.layout.mutex_row(incident.mutex);
  if (row == nullptr || !scene.visible(*row) || incident.contenders.size() < 2) return;
  const PixelRange range = incident_range(scene, incident);
  const Band band = measures().mutex_band;
  const int y = scene.y(*row) + band.y, half = band.height / 2;
  canvas.fill(range.from, y, range.to - range.from, band.height, canvas.colours().chart);
  canvas.fill(range.from, y, range.to - range.from, half - 1, identity(canvas, scene, incident.contenders[0]).ink);
  canvas.fill(range.from, y + half + 1, range.to - range.from, half - 1,
              identity(canvas, scene, incident.contenders[1]).ink);
}

// On a narrow tape the edges stand outside it, so that its colours are still to be seen; the broad red ones always,
// because a grant to a second owner is where beliefs begin to overlap.
void paint_edge_pair(Canvas& canvas, const Scene& scene, const IncidentMark& incident, PixelRange range, Band band,
                     int width) {
  const QColor colour = edge_of(canvas, incident.kind);
  const bool narrow = range.to - range.from < 12 || incident.kind == IncidentKind::kDoubleGrant;
  const int left = narrow ? range.from - width : range.from - 1, right = narrow ? range.to : range.to - 1;
  if (scene.shows(incident.start)) canvas.fill(std::max(left, scene.left()), band.y, width, band.height, colour);
  if (!incident.open && scene.shows(incident.end)) canvas.fill(right, band.y, width, band.height, colour);
}

void paint_edges(Canvas& canvas, const Scene& scene, const IncidentMark& incident) {
  const PixelRange range = incident_range(scene, incident);
  const Band block = scene.layout.mutex_block(incident.mutex);
  const int width = incident.kind == IncidentKind::kDoubleGrant ? 3 : 2;
  const int top = scene.layout.ruler + 2;
  const int bottom = scene.layout.top() + block.y + block.height - scene.scroll;
  paint_edge_pair(canvas, scene, incident, range, {top, bottom - top}, width);
}

QString rail_word(const IncidentMark& incident, bool with_length) {
  const QString length = spanText(incident.end - incident.start);
  switch (incident.kind) {
    case IncidentKind::kBeliefOverlap:
      return with_length ? QStringLiteral("%1 believe · %2").arg(incident.contenders.size()).arg(length) : length;
    case IncidentKind::kDoubleGrant:
      return with_length ? QStringLiteral("double grant · ") + length : QStringLiteral("double grant");
    case IncidentKind::kStoreRefuses:
      return with_length ? QStringLiteral("store refuses · ") + length : length;
    case IncidentKind::kLeaderless:
      return with_length ? QStringLiteral("leaderless · ") + length : length;
    default:
      return with_length ? QString::fromLatin1(title(incident.kind).data()).toLower() : QString();
  }
}

void paint_rail_span(Canvas& canvas, const Scene& scene, const IncidentMark& incident, PixelRange words) {
  const Colours& c = canvas.colours();
  const PixelRange range = incident_range(scene, incident);
  const int y = scene.layout.ruler, h = scene.layout.rail, width = range.to - range.from;
  const TextStyle style{c.text, 10, 500};
  if (!is_tape(incident.kind)) {
    if (incident.kind == IncidentKind::kFlapping)
      for (int x = range.from; x < range.to; x += 6) canvas.vline(x, y + 5, y + h - 4, c.notice);
    canvas.vline(range.from, y + h - 9, y + h - 3, c.gap_line);
    canvas.vline(range.to - 1, y + h - 9, y + h - 3, c.gap_line);
    canvas.hline(y + h - 4, range.from, range.to, c.gap_line);
    // A store that refuses has its glyph within, three from the bracket's begin; it is never left out.
    const bool refuses = incident.kind == IncidentKind::kStoreRefuses;
    if (refuses) {
      canvas.fill(range.from + 2, y + 1, 14, h - 3, c.chart_alt);
      paint_glyph(canvas, incident.kind, QRect(range.from + 3, y + 1, 12, h - 3), GlyphSize::kLarge, c.chart_alt);
    }
    const QString word = rail_word(incident, true);
    const int w = canvas.width_of(word, style), from = range.from + (refuses ? 17 : 0);
    if (w + kBracketRoom > range.to - from) return;
    const QRect place((from + range.to - w) / 2 - 4, y + 1, w + 8, h - 3);
    if (!canvas.places().claim(place)) return;
    canvas.fill(place.x(), place.y(), place.width(), place.height(), c.chart_alt);
    canvas.text(place.x() + 4, y + h - 5, word, style);
    return;
  }
  paint_tape(canvas, range, y + 2, h - 4, incident.kind);
  canvas.frame(range.from - 1, y + 1, width + 2, h - 2,
               incident.kind == IncidentKind::kDoubleGrant ? c.critical : c.text);
  paint_tape_label(canvas, words, y + 1, h - 2, {rail_word(incident, true), rail_word(incident, false)}, incident.kind,
                   32);
}

// What is taken of the rail: stretches apart from each other.
class Stretches {
 public:
  void take(int from, int to) {
    auto next = taken_.upper_bound(from);
    if (next != taken_.begin() && std::prev(next)->second >= from) {
      --next;
      from = next->first;
      to = std::max(to, next->second);
      next = taken_.erase(next);
    }
    while (next != taken_.end() && next->first <= to) {
      to = std::max(to, next->second);
      next = taken_.erase(next);
    }
    taken_[from] = to;
  }

  // The left side of a glyph at the first free place at or right of where it belongs, else of the one left of it; far
  // away where there is neither.
  int place_near(int wanted, int least, int most) const {
    int left = wanted;
    for (auto it = from(left - 1); it != taken_.end() && it->first < left + kGlyph + 1; ++it)
      if (it->second > left - 1) left = it->second + 1;
    if (left <= most && left - wanted <= kFarthest) return left;
    left = wanted;
    for (auto it = taken_.lower_bound(left + kGlyph + 1); it != taken_.begin();) {
      --it;
      if (it->second <= left - 1) break;
      left = it->first - kGlyph - 1;
    }
    return left >= least ? left : wanted - 2 * kFarthest;
  }

 private:
  // The first that may reach as far as x.
  std::map<int, int>::const_iterator from(int x) const {
    const auto next = taken_.upper_bound(x);
    return next == taken_.begin() ? next : std::prev(next);
  }

  std::map<int, int> taken_;  // from → to
};

// The widest part of a tape that no glyph stands in: there its words go.
PixelRange widest_free(PixelRange tape, const RailPlan& plan, const std::vector<IncidentMark>& incidents) {
  std::vector<int> glyphs;
  for (std::size_t i = 0; i < plan.size(); ++i)
    if (!is_span(incidents[i].kind) && !plan[i].isEmpty() && plan[i].left() < tape.to && plan[i].right() >= tape.from)
      glyphs.push_back(plan[i].left());
  std::sort(glyphs.begin(), glyphs.end());
  PixelRange widest, part{tape.from, tape.to};
  const auto end_at = [&](int x) {
    part.to = x;
    if (part.to - part.from > widest.to - widest.from) widest = part;
  };
  for (const int left : glyphs) {
    end_at(left - 2);
    part.from = left - 2 + kTapeGap;
  }
  end_at(tape.to);
  return widest;
}

// On ground of its own: the line of a bracket may pass below, and in a tape it is a gap.
void paint_rail_glyph(Canvas& canvas, const Scene& scene, IncidentKind kind, const QRect& place, bool in_tape) {
  const Colours& c = canvas.colours();
  const int y = scene.layout.ruler + 1, h = scene.layout.rail - 2;
  if (in_tape) {
    canvas.fill(place.x() - 2, y, kTapeGap + 1, h, c.chart_alt);
    canvas.frame(place.x() - 2, y, kTapeGap + 1, h, c.text);
  } else {
    canvas.fill(place.x() - 1, y, place.width() + 2, h - 1, c.chart_alt);
  }
  paint_glyph(canvas, kind, place, GlyphSize::kLarge, c.chart_alt);
}

}  // namespace

bool is_span(IncidentKind kind) {
  return kind == IncidentKind::kBeliefOverlap || kind == IncidentKind::kDoubleGrant ||
         kind == IncidentKind::kLeaderless || kind == IncidentKind::kFlapping || kind == IncidentKind::kStoreRefuses;
}

PixelRange incident_range(const Scene& scene, const IncidentMark& incident) {
  const int width = measures().incident_min_width;
  PixelRange range;
  range.from = std::clamp(scene.x(incident.start), scene.left(), scene.right());
  range.to = std::clamp(scene.x(incident.end), scene.left(), scene.right());
  if (range.to - range.from >= width) return range;
  range.from = std::min(range.from, scene.right() - width);
  range.to = range.from + width;
  return range;
}

// The spans first, where they are; then the moments, the worst first: beside the edges of the tapes and beside each
// other. One that finds no room near its place stands for by a neighbour of its kind; without one it lies where it is.
RailPlan rail_plan(const Scene& scene) {
  const std::vector<IncidentMark>& incidents = scene.data.incidents();
  const int y = scene.layout.ruler + 1, h = scene.layout.rail - 2;
  RailPlan plan(incidents.size());
  std::vector<std::size_t> moments;
  Stretches taken;
  for (std::size_t i = 0; i < incidents.size(); ++i) {
    if (!scene.shows(incidents[i].start, incidents[i].end)) continue;
    if (!is_span(incidents[i].kind)) {
      moments.push_back(i);
      continue;
    }
    const PixelRange range = incident_range(scene, incidents[i]);
    plan[i] = {range.from, y, range.to - range.from, h};
    if (!is_tape(incidents[i].kind)) continue;
    if (range.to - range.from < kRoomyTape) {
      taken.take(range.from - 3, range.to + 3);
    } else {
      if (scene.shows(incidents[i].start)) taken.take(range.from - 3, range.from + 3);
      if (scene.shows(incidents[i].end)) taken.take(range.to - 3, range.to + 3);
    }
  }
  std::stable_sort(moments.begin(), moments.end(), [&](std::size_t a, std::size_t b) {
    return severity(incidents[a].kind) < severity(incidents[b].kind);
  });
  std::map<IncidentKind, std::set<int>> placed;  // by their left sides
  for (const std::size_t i : moments) {
    const int most = scene.right() - kGlyph;
    const int wanted = std::clamp(scene.x(incidents[i].start) - kGlyph / 2, std::min(scene.left(), most), most);
    std::set<int>& alike = placed[incidents[i].kind];
    int left = taken.place_near(wanted, scene.left(), most);
    if (std::abs(left - wanted) > kFarthest) {
      const auto near = alike.lower_bound(wanted - kFarthest);
      if (near != alike.end() && *near <= wanted + kFarthest) continue;
      left = wanted;
    }
    plan[i] = {left, y, kGlyph, h};
    alike.insert(left);
    taken.take(left - 1, left + kGlyph + 1);
  }
  return plan;
}

// Of one that is folded: the neighbour that stands for it.
QRect rail_rect(const Scene& scene, std::size_t index) {
  const std::vector<IncidentMark>& incidents = scene.data.incidents();
  if (index >= incidents.size()) return {};
  const RailPlan plan = rail_plan(scene);
  const IncidentMark& mine = incidents[index];
  if (!plan[index].isEmpty() || !scene.shows(mine.start, mine.end)) return plan[index];
  QRect nearest;
  int distance = INT_MAX;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const int away = std::abs(plan[i].center().x() - scene.x(mine.start));
    if (plan[i].isEmpty() || incidents[i].kind != mine.kind || away >= distance) continue;
    nearest = plan[i];
    distance = away;
  }
  return nearest;
}

// Where the tapes lie and the edges stand no label may be: it starts behind the edge or stands before it.
void reserve_incidents(Canvas& canvas, const Scene& scene) {
  for (const IncidentMark& incident : scene.data.incidents()) {
    if (!is_tape(incident.kind) || !scene.shows(incident.start, incident.end)) continue;
    const PixelRange range = incident_range(scene, incident);
    const bool twice = incident.kind == IncidentKind::kDoubleGrant;
    const Band block = scene.layout.mutex_block(incident.mutex);
    const int top = scene.layout.top(), bottom = top + block.y + block.height - scene.scroll;
    if (scene.shows(incident.start)) canvas.places().reserve({range.from - 3, top, 5, bottom - top});
    if (!incident.open && scene.shows(incident.end)) canvas.places().reserve({range.to - 2, top, 5, bottom - top});
    const Band band = twice ? scene.layout.row.held : scene.layout.row.believed;
    for (const int who : incident.contenders)
      if (const RowBox* row = scene.layout.contender_row(who))
        canvas.places().reserve({range.from - 3, scene.y(*row) + band.y, range.to - range.from + 6, band.height});
    const RowBox* head = scene.layout.mutex_row(incident.mutex);
    if (twice && head != nullptr)
      canvas.places().reserve({range.from - 3, scene.y(*head) + measures().mutex_band.y, range.to - range.from + 6,
                               measures().mutex_band.height});
  }
}

bool rail_says(Canvas& canvas, const Scene& scene, std::size_t index) {
  const IncidentMark& incident = scene.data.incidents()[index];
  if (!scene.shows(incident.start, incident.end)) return false;
  const PixelRange range = incident_range(scene, incident);
  return canvas.width_of(rail_word(incident, true), {canvas.colours().text, 10, 500}) + kBracketRoom <=
         range.to - range.from;
}

// Over all other data, the worst last.
void paint_incidents(Canvas& canvas, const Scene& scene) {
  for (const IncidentKind kind : {IncidentKind::kBeliefOverlap, IncidentKind::kDoubleGrant}) {
    for (const IncidentMark& incident : scene.data.incidents()) {
      if (incident.kind != kind || !scene.shows(incident.start, incident.end)) continue;
      paint_rows_of(canvas, scene, incident);
      if (kind == IncidentKind::kDoubleGrant) paint_split_header(canvas, scene, incident);
      paint_edges(canvas, scene, incident);
    }
  }
}

void paint_rail(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  const int y = scene.layout.ruler, h = scene.layout.rail;
  canvas.fill(0, y, scene.right(), h, c.chart_alt);
  canvas.hline(y + h - 1, 0, scene.right(), c.line);
  canvas.text(scene.left() - 8, y + h - 5, QStringLiteral("incidents"), {c.muted, 10, 400, Face::kText, Align::kRight});
  // A grey bar where nothing was observed: an empty rail would look calm.
  const auto unseen = [&](const BandSpan& band) {
    if (band.kind == BandKind::kUnobserved && scene.shows(band.begin, scene.until(band.end)))
      canvas.fill(scene.clipped_x(band.begin), y + h - 4,
                  scene.clipped_x(scene.until(band.end)) - scene.clipped_x(band.begin), 3, c.unobserved_line);
  };
  for (const ContenderRow& contender : scene.data.contenders())
    for (const BandSpan& band : contender.bands) unseen(band);
  for (const BandSpan& band : scene.data.unobserved()) unseen(band);
  const RailPlan plan = rail_plan(scene);
  for (const QRect& place : plan)
    if (!place.isEmpty() && place.width() == kGlyph) canvas.places().reserve(place);
  const std::vector<IncidentMark>& incidents = scene.data.incidents();
  // The spans below, the moments in their gaps; of each the worst on top.
  const auto each = [&](bool spans, auto paint) {
    for (int worst = 4; worst >= 1; --worst)
      for (std::size_t i = 0; i < plan.size(); ++i)
        if (severity(incidents[i].kind) == worst && is_span(incidents[i].kind) == spans && !plan[i].isEmpty())
          paint(incidents[i], plan[i]);
  };
  std::vector<QRect> tapes;
  each(true, [&](const IncidentMark& incident, const QRect& place) {
    const PixelRange range = incident_range(scene, incident);
    if (!is_tape(incident.kind)) return paint_rail_span(canvas, scene, incident, range);
    paint_rail_span(canvas, scene, incident, widest_free(range, plan, incidents));
    const int w = incident.kind == IncidentKind::kDoubleGrant ? 3 : 2;
    paint_edge_pair(canvas, scene, incident, range, {y + 2, h - 2}, w);
    tapes.push_back(place);
  });
  each(false, [&](const IncidentMark& incident, const QRect& place) {
    const bool in_tape =
        std::any_of(tapes.begin(), tapes.end(), [&](const QRect& tape) { return tape.intersects(place); });
    paint_rail_glyph(canvas, scene, incident.kind, place, in_tape);
  });
}

}  // namespace leasescope
