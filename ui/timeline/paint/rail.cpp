// Spans where they are, moments beside them, the worst on top.
#include "ui/timeline/paint/rail.h"

#include <QCoreApplication>
#include <climits>
#include <map>
#include <set>

#include "ui/models/words.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/hit.h"
#include "ui/timeline/paint/tape.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Rail)
};

constexpr int kGlyph = 12;         // width of a glyph in the rail
constexpr int kFarthest = 60;      // from where it belongs
constexpr int kBracketRoom = 14;   // beside the words on a bracket
constexpr int kRoomyTape = 40;     // wide enough for a glyph within, apart from both its edges
constexpr int kTapeGap = 15;       // that a glyph within a tape stands in, with an edge of ink on either side
constexpr int kInBracket = 3;      // from a bracket's begin to the glyph within it
constexpr int kLeastBracket = 20;  // a narrower one is its glyph alone
constexpr int kLeastForWord = 30;  // px; nothing that is said is narrower
constexpr int kLeftBelow = 3;      // px of a span that a tape lies on
constexpr int kLeftBeside = 3;     // ... or a glyph, if it has none of its own
constexpr int kStub = 3;           // px wide, of a glyph in a crowd, at the top
constexpr int kStubHeight = 4;
constexpr int kLowestWord = 11;  // px of a tape's plate

// Leaderless is a bracket and no more, flapping has its changes drawn into it; the others say what they are by a glyph.
bool has_glyph_within(IncidentKind kind) {
  return lasts(kind) && !is_tape(kind) && kind != IncidentKind::kLeaderless && kind != IncidentKind::kFlapping;
}

// Lies in the rail as a span; the others are their glyph alone.
bool lies_as_span(IncidentKind kind, PixelRange range) {
  return lasts(kind) && (!has_glyph_within(kind) || range.to - range.from >= kLeastBracket);
}

QString rail_word(const IncidentMark& incident, bool with_length) {
  static const QString believe = Say::tr("%1 believe");  // asked for at each mark
  const QString length = spanText(incident.end - incident.start);
  const QString name = incident.kind == IncidentKind::kBeliefOverlap ? believe.arg(incident.contenders.size())
                                                                     : fromText(title(incident.kind)).toLower();
  if (with_length) return incident.kind == IncidentKind::kFlapping ? name : name + QStringLiteral(" · ") + length;
  return incident.kind == IncidentKind::kDoubleGrant ? name : length;
}

// The brackets of all spans that are no tape.
void paint_brackets(Canvas& canvas, const Scene& scene, const RailMarks& marks) {
  const Colours& c = canvas.colours();
  const int y = scene.layout.ruler, h = scene.layout.rail;
  Strip changes(scene), posts(scene), line(scene);
  for (const RailMark& each : marks) {
    const PixelRange range = each.range;
    if (!each.is_span() || is_tape(each.kind)) continue;
    if (each.kind == IncidentKind::kFlapping)
      for (int x = range.from; x < range.to; x += 6) changes.fill(x, x + 1, c.notice);
    posts.fill(range.from, range.from + 1, c.gap_line);
    posts.fill(range.to - 1, range.to, c.gap_line);
    line.fill(range.from, range.to, c.gap_line);
  }
  changes.put(canvas, y + 5, h - 9);
  posts.put(canvas, y + h - 9, 6);
  line.put(canvas, y + h - 4, 1);
}

void write_on_bracket(Canvas& canvas, const Scene& scene, const IncidentMark& incident) {
  const Colours& c = canvas.colours();
  const PixelRange range = incident_range(scene, incident);
  const int y = scene.layout.ruler, h = scene.layout.rail;
  const TextStyle style{c.text, 10, 500};
  const QString word = rail_word(incident, true);
  const int w = canvas.width_of(word, style);
  const int from = range.from + (has_glyph_within(incident.kind) ? kInBracket + kGlyph + 2 : 0);
  if (w + kBracketRoom > range.to - from) return;
  const QRect place((from + range.to - w) / 2 - 4, y + 1, w + 8, h - 3);
  if (!canvas.places().claim(place)) return;
  canvas.fill(place.x(), place.y(), place.width(), place.height(), c.chart_alt);
  canvas.text(place.x() + 4, y + h - 5, word, style);
}

void paint_rail_tape(Canvas& canvas, const Scene& scene, const IncidentMark& incident, int left_below) {
  const Colours& c = canvas.colours();
  const PixelRange range = incident_range(scene, incident);
  const int y = scene.layout.ruler, h = scene.layout.rail - left_below, width = range.to - range.from;
  paint_tape(canvas, range, y + 2, h - 4, incident.kind);
  canvas.frame(range.from - 1, y + 1, width + 2, h - 2,
               incident.kind == IncidentKind::kDoubleGrant ? c.critical : c.text);
  Strip edges(scene);
  fill_edge_pair(edges, canvas, scene, incident, range, incident.kind == IncidentKind::kDoubleGrant ? 3 : 2);
  edges.put(canvas, y + 2, left_below > 0 ? h - 3 : h - 2);  // to the rows below, or to where it ends itself
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

  bool meets(int first, int last) const {
    const auto next = taken_.upper_bound(last);
    return next != taken_.begin() && std::prev(next)->second > first;
  }

  // The left side of what is so wide at the first free place at or right of where it belongs, else of the one left of
  // it; far away where there is neither.
  int place_near(int wanted, int width, int least, int most) const {
    int left = wanted;
    for (auto it = from(left - 1); it != taken_.end() && it->first < left + width + 1; ++it)
      if (it->second > left - 1) left = it->second + 1;
    if (left <= most && left - wanted <= kFarthest) return left;
    left = wanted;
    for (auto it = taken_.lower_bound(left + width + 1); it != taken_.begin();) {
      --it;
      if (it->second <= left - 1) break;
      left = it->first - width - 1;
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

// The widest part of a tape that no glyph stands in: there its words go. `glyphs`: their left sides, in order.
PixelRange widest_free(PixelRange tape, const std::vector<int>& glyphs) {
  PixelRange widest, part{tape.from, tape.to};
  const auto end_at = [&](int x) {
    part.to = x;
    if (part.to - part.from > widest.to - widest.from) widest = part;
  };
  for (auto left = std::upper_bound(glyphs.begin(), glyphs.end(), tape.from - kGlyph);
       left != glyphs.end() && *left < tape.to; ++left) {
    end_at(*left - 2);
    part.from = *left - 2 + kTapeGap;
  }
  end_at(tape.to);
  return widest;
}

// The tapes of a kind, in order of their left sides.
std::vector<const RailMark*> tapes_of(IncidentKind kind, const RailMarks& marks) {
  std::vector<const RailMark*> tapes;
  for (const RailMark& each : marks)
    if (each.kind == kind) tapes.push_back(&each);
  std::sort(tapes.begin(), tapes.end(),
            [](const RailMark* a, const RailMark* b) { return a->range.from < b->range.from; });
  return tapes;
}

// All of a kind. Narrow ones that follow each other closely have no edges of their own: nothing else would be seen.
// What lies below leaves its lower edge to be seen.
template <class LeftBelow>
void paint_tapes_of(Canvas& canvas, const Scene& scene, const std::vector<const RailMark*>& tapes,
                    LeftBelow&& left_below) {
  PixelRuns crowd([&](PixelRange run) {
    const IncidentKind kind = tapes.front()->kind;
    const int y = scene.layout.ruler, h = scene.layout.rail - left_below(run), width = run.to - run.from;
    paint_bare_tape(canvas, run, y + 2, h - 4, kind);
    canvas.frame(run.from - 1, y + 1, width + 2, h - 2, edge_of(canvas, kind));
  });
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    const PixelRange range = tapes[i]->range;
    const bool after = i > 0 && range.from - tapes[i - 1]->range.to < kEdgesApart;
    const bool before = i + 1 < tapes.size() && tapes[i + 1]->range.from - range.to < kEdgesApart;
    if (range.to - range.from <= measures().incident_min_width && (after || before)) {
      crowd.add(range);
      continue;
    }
    crowd.end();
    paint_rail_tape(canvas, scene, scene.data.incidents()[tapes[i]->incident], left_below(range));
  }
}

template <class LeftBelow>
void write_on_tapes(Canvas& canvas, const Scene& scene, const std::vector<const RailMark*>& tapes,
                    const std::vector<int>& glyphs, LeftBelow&& left_below) {
  for (const RailMark* const each : tapes) {
    const PixelRange words = widest_free(each->range, glyphs);
    const int height = scene.layout.rail - 2 - left_below(each->range);
    if (words.to - words.from < kLeastForWord || height < kLowestWord) continue;
    const IncidentMark& incident = scene.data.incidents()[each->incident];
    paint_tape_label(canvas, words, scene.layout.ruler + 1, height,
                     {rail_word(incident, true), rail_word(incident, false)}, incident.kind, 32);
  }
}

// The worse on top, over the brackets that have no glyph to be known by. Its words come first, and what it lies on is
// written on beside it. Gives where they lie.
Stretches paint_tapes(Canvas& canvas, const Scene& scene, const RailMarks& marks, const std::vector<int>& glyphs) {
  const std::vector<const RailMark*> beliefs = tapes_of(IncidentKind::kBeliefOverlap, marks);
  const std::vector<const RailMark*> grants = tapes_of(IncidentKind::kDoubleGrant, marks);
  Stretches brackets, taken;
  for (const RailMark& each : marks)
    if (each.is_span() && !is_tape(each.kind) && each.glyph.isEmpty()) brackets.take(each.range.from, each.range.to);
  const auto meets = [](const Stretches& below, PixelRange range) {
    return below.meets(range.from - 4, range.to + 3) ? kLeftBelow : 0;
  };
  // Who lies on a belief that leaves a bracket to be seen leaves both, also where that bracket is far.
  Stretches raised = brackets;
  const auto below_belief = [&](PixelRange range) {
    const int left = meets(brackets, range);
    if (left > 0) raised.take(range.from, range.to);
    return left;
  };
  paint_tapes_of(canvas, scene, beliefs, below_belief);
  for (const RailMark* const each : beliefs) taken.take(each->range.from, each->range.to);
  const auto below_grant = [&, beliefs_only = taken](PixelRange range) {
    return meets(raised, range) + meets(beliefs_only, range);
  };
  paint_tapes_of(canvas, scene, grants, below_grant);
  write_on_tapes(canvas, scene, grants, glyphs, below_grant);
  for (const RailMark* const each : grants) {
    canvas.places().reserve(each->mark);
    taken.take(each->range.from, each->range.to);
  }
  write_on_tapes(canvas, scene, beliefs, glyphs, below_belief);
  for (const RailMark* const each : beliefs) canvas.places().reserve(each->mark);
  return taken;
}

// On ground of its own: the line of a bracket may pass below, and in a tape it is a gap.
void paint_rail_glyph(Canvas& canvas, const Scene& scene, const RailMark& mark, bool in_tape) {
  const Colours& c = canvas.colours();
  const QRect& place = mark.glyph;
  if (mark.stub) {
    canvas.fill(place.x() - 1, place.y(), place.width() + 2, place.height() + 1, c.chart_alt);
    return canvas.fill(place.x(), place.y(), place.width(), place.height(), glyph_ink(canvas, mark.kind));
  }
  const int y = scene.layout.ruler + 1, h = scene.layout.rail - 2;
  if (in_tape) {
    canvas.fill(place.x() - 2, y, kTapeGap + 1, h, c.chart_alt);
    canvas.frame(place.x() - 2, y, kTapeGap + 1, h, c.text);
  } else {
    canvas.fill(place.x() - 1, y, place.width() + 2, h - 1, c.chart_alt);
  }
  paint_glyph(canvas, mark.kind, place, GlyphSize::kLarge, c.chart_alt);
}

// Those that are seen, of a kind one a pixel, in the order they are painted: the worst last.
RailMarks marks_in_view(const Scene& scene) {
  RailMarks marks;
  for (const IncidentKind kind : kAllIncidentKinds) {
    const int rank = severity(kind);
    each_incident(scene, scene.data.incidents_in_time().of(kind),
                  [&](std::size_t i, const IncidentMark&, PixelRange range) {
                    marks.push_back({i, kind, rank, range, {}, {}});
                  });
  }
  std::sort(marks.begin(), marks.end(), [](const RailMark& a, const RailMark& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.incident < b.incident;
  });
  return marks;
}

// What glyphs have to keep off: a narrow tape, and the edges of a broad one.
void take_tape(Stretches& taken, const Scene& scene, const IncidentMark& incident, PixelRange range) {
  if (range.to - range.from < kRoomyTape) return taken.take(range.from - 3, range.to + 3);
  if (scene.shows(incident.start)) taken.take(range.from - 3, range.from + 3);
  if (scene.shows(incident.end)) taken.take(range.to - 3, range.to + 3);
}

// Brackets that have no glyph to be known by, as long as none lies on them: next to the first that does a piece is
// left.
class FreeBrackets {
 public:
  static constexpr int kGround = kTapeGap + 1;               // of a glyph, at the most
  static constexpr int kNarrow = kGround + 2 * kLeftBeside;  // no glyph lies on these
  void add(PixelRange bracket) { free_.push_back(bracket); }
  void put_glyph(int left, Stretches& taken) {
    const PixelRange ground{left - 2, left - 2 + kGround};
    const auto covered = std::partition(free_.begin(), free_.end(), [&](PixelRange bracket) {
      return bracket.to <= ground.from || bracket.from >= ground.to;
    });
    std::for_each(covered, free_.end(), [&](PixelRange bracket) {
      if (bracket.to - ground.to >= kLeftBeside)
        taken.take(ground.to - 1, ground.to + kLeftBeside + 1);
      else
        taken.take(ground.from - kLeftBeside - 1, ground.from + 1);
    });
    free_.erase(covered, free_.end());
  }

 private:
  std::vector<PixelRange> free_;
};

// Spans lie where they are. Gives those that have a glyph, the worst first.
std::vector<RailMark*> place_spans(const Scene& scene, RailMarks& marks, Stretches& taken, FreeBrackets& brackets) {
  std::vector<RailMark*> glyphs;
  for (RailMark& each : marks) {
    const bool span = lies_as_span(each.kind, each.range);
    if (!span || has_glyph_within(each.kind)) glyphs.push_back(&each);
    if (!span) continue;
    each.mark = {each.range.from, scene.layout.ruler + 1, each.range.to - each.range.from, scene.layout.rail - 2};
    if (is_tape(each.kind)) take_tape(taken, scene, scene.data.incidents()[each.incident], each.range);
    if (is_tape(each.kind) || has_glyph_within(each.kind)) continue;
    if (each.range.to - each.range.from < FreeBrackets::kNarrow)
      taken.take(each.range.from - 1, each.range.to);
    else
      brackets.add(each.range);
  }
  std::stable_sort(glyphs.begin(), glyphs.end(),
                   [](const RailMark* a, const RailMark* b) { return a->severity < b->severity; });
  return glyphs;
}

// Every kind has one at most within so many pixels: there is room for one of each.
void place_stub(RailMark& mark, const Scene& scene, int wanted, Stretches& stubs) {
  static_assert(kIncidentKinds * (kStub + 1) <= 2 * kFarthest);
  const int free = stubs.place_near(wanted, kStub, scene.left(), scene.right() - kStub);
  const int left = std::max(free, scene.left());
  mark.glyph = {left, scene.layout.ruler + 1, kStub, kStubHeight};
  mark.stub = true;
  stubs.take(left - 1, left + kStub);
}

}  // namespace

// The spans first; then the glyphs, the worst first: beside the edges of the tapes and beside each other. One that
// finds no room near its place stands for by a neighbour of its kind; without one it is a stub over the others.
RailMarks rail_marks(const Scene& scene) {
  RailMarks marks = marks_in_view(scene);
  Stretches taken, stubs;
  FreeBrackets brackets;
  std::map<IncidentKind, std::set<int>> placed;  // by their left sides
  // Where there was no room there is none later on.
  std::vector<bool> full(static_cast<std::size_t>(std::max(1, scene.right() + 1)));
  const int most = scene.right() - kGlyph;
  for (RailMark* const each : place_spans(scene, marks, taken, brackets)) {
    const int start = scene.x(scene.data.incidents()[each->incident].start);
    const int belongs = each->mark.isEmpty() ? start - kGlyph / 2 : each->mark.left() + kInBracket;
    const int wanted = std::clamp(belongs, std::min(scene.left(), most), most);
    std::set<int>& alike = placed[each->kind];
    const auto at = static_cast<std::size_t>(std::max(wanted, 0));
    const int left = full[at] ? wanted - 2 * kFarthest : taken.place_near(wanted, kGlyph, scene.left(), most);
    if (std::abs(left - wanted) <= kFarthest) {
      each->glyph = {left, scene.layout.ruler + 1, kGlyph, scene.layout.rail - 2};
      taken.take(left - 1, left + kGlyph + 1);
      brackets.put_glyph(left, taken);
    } else {
      full[at] = true;
      const auto near = alike.lower_bound(wanted - kFarthest);
      if (near != alike.end() && *near <= wanted + kFarthest) continue;
      place_stub(*each, scene, wanted, stubs);
    }
    if (each->mark.isEmpty()) each->mark = each->glyph;
    alike.insert(each->glyph.left());
  }
  return marks;
}

RailPlan rail_plan(const Scene& scene) {
  RailPlan plan(scene.data.incidents().size());
  for (const RailMark& each : rail_marks(scene)) plan[each.incident] = each.mark;
  return plan;
}

RailPlan rail_glyphs(const Scene& scene) {
  RailPlan plan(scene.data.incidents().size());
  for (const RailMark& each : rail_marks(scene)) plan[each.incident] = each.glyph;
  return plan;
}

QRect rail_rect(const Scene& scene, const RailMarks& marks, std::size_t index) {
  const std::vector<IncidentMark>& incidents = scene.data.incidents();
  if (index >= incidents.size()) return {};
  const IncidentMark& mine = incidents[index];
  if (!scene.shows(mine.start, mine.end)) return {};
  QRect nearest;
  int distance = INT_MAX;
  for (const RailMark& each : marks) {
    if (each.incident == index && !each.mark.isEmpty()) return each.mark;
    const int away = std::abs(each.mark.center().x() - scene.x(mine.start));
    if (each.mark.isEmpty() || each.kind != mine.kind || away >= distance) continue;
    nearest = each.mark;
    distance = away;
  }
  return nearest;
}

bool rail_says(Canvas& canvas, const Scene& scene, std::size_t index) {
  const IncidentMark& incident = scene.data.incidents()[index];
  if (!scene.shows(incident.start, incident.end)) return false;
  const PixelRange range = incident_range(scene, incident);
  return range.to - range.from >= kLeastForWord &&
         canvas.width_of(rail_word(incident, true), {canvas.colours().text, 10, 500}) + kBracketRoom <=
             range.to - range.from;
}

Hit rail_hit(const Scene& scene, QPoint at) {
  Hit best;
  constexpr int kLowest = 8;  // below every severity
  int worst = 2 * kLowest;
  for (const RailMark& each : rail_marks(scene)) {
    const auto meets = [&](const QRect& place) {
      return !place.isEmpty() && place.adjusted(-2, -2, 2, 2).contains(at);
    };
    const bool glyph = meets(each.glyph);
    if (!glyph && !meets(each.mark)) continue;
    // A glyph lies on the spans.
    const int rank = each.severity + (glyph ? 0 : kLowest);
    if (rank >= worst) continue;
    worst = rank;
    const IncidentMark& incident = scene.data.incidents()[each.incident];
    best = {LaneKind::kIncidents, RowKind::kMutex, incident.mutex, each.incident, each.mark,
            incident.start,       incident.end};
  }
  return best;
}

void paint_rail(Canvas& canvas, const Scene& scene, const RailMarks& marks) {
  const Colours& c = canvas.colours();
  const int y = scene.layout.ruler, h = scene.layout.rail;
  canvas.fill(0, y, scene.right(), h, c.chart_alt);
  canvas.hline(y + h - 1, 0, scene.right(), c.line);
  canvas.text(scene.left() - 8, y + h - 5, Say::tr("incidents"), {c.muted, 10, 400, Face::kText, Align::kRight});
  // A grey bar where nothing was observed: an empty rail would look calm.
  const auto unseen = [&](const BandTrack& bands) {
    for (const std::uint32_t i :
         bands.within(BandKind::kUnobserved, scene.viewport.from, scene.viewport.to(), scene.time_of(1)))
      if (scene.shows(bands[i].begin, scene.until(bands[i].end)))
        canvas.fill(scene.clipped_x(bands[i].begin), y + h - 4,
                    scene.clipped_x(scene.until(bands[i].end)) - scene.clipped_x(bands[i].begin), 3, c.unobserved_line);
  };
  for (const ContenderRow& contender : scene.data.contenders()) unseen(contender.bands);
  unseen(scene.data.unobserved());
  std::vector<int> glyphs;
  for (const RailMark& each : marks) {
    if (each.glyph.isEmpty()) continue;
    canvas.places().reserve(each.glyph);
    glyphs.push_back(each.glyph.left());
  }
  std::sort(glyphs.begin(), glyphs.end());
  // The spans below, the glyphs in their gaps; of each the worst on top.
  paint_brackets(canvas, scene, marks);
  const Stretches tapes = paint_tapes(canvas, scene, marks, glyphs);
  for (const RailMark& each : marks)
    if (each.is_span() && !is_tape(each.kind) && each.range.to - each.range.from >= kLeastForWord)
      write_on_bracket(canvas, scene, scene.data.incidents()[each.incident]);
  for (const bool stubs : {false, true})
    for (const RailMark& each : marks)
      if (!each.glyph.isEmpty() && each.stub == stubs)
        paint_rail_glyph(canvas, scene, each, tapes.meets(each.glyph.left(), each.glyph.right()));
}

}  // namespace leasescope
