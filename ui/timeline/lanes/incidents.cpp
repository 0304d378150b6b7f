// What is wrong, over all other data and at every zoom: tape where two believe, lattice where the store granted twice,
// and the edges of both from the rail to the resource.
#include "ui/models/words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/tape.h"

namespace leasescope {
namespace {

class Incidents : public Lane {
 public:
  void settle(Folding& at) override;
  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kReserved; }
  void write(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  void begin_again(Folding& at);

  std::size_t settled_ = 0;  // those before it have ended and are taken over for good
};

// ---- fold

// The list is another one: what was found by the one before is found no more.
void Incidents::begin_again(Folding& at) {
  at.rows().incidents.clear();
  at.rows().incidents_in_time = {};
  for (ContenderRow& contender : at.rows().contenders) contender.incidents = 0;
  settled_ = 0;
}

// Their ends and causes move while they are open, and those of writes while their writer goes on; the latest few
// hundred are looked at again, so that a long run costs no more than a short one.
void Incidents::settle(Folding& at) {
  const IncidentList& incidents = at.history.incidents;
  std::vector<IncidentMark>& marks = at.rows().incidents;
  constexpr std::size_t kMoving = 512;
  if (incidents.size() < marks.size()) begin_again(at);
  for (std::size_t i = settled_; i < incidents.size(); ++i) {
    const Incident& from = incidents[i];
    if (i < marks.size() && (marks[i].kind != from.kind || marks[i].start != from.start)) {
      begin_again(at);
      return settle(at);
    }
    if (i < marks.size() && !marks[i].open && marks[i].end == from.end && marks[i].cause == from.cause) continue;
    IncidentMark mark;
    mark.kind = from.kind;
    mark.start = from.start;
    mark.end = from.end;
    mark.open = from.open;
    mark.mutex = at.mutex(from.mutex);
    for (const Name name : from.contenders) {
      const int who = at.contender(name);
      mark.contenders.push_back(who);
      if (i < marks.size() || who == kNoContender) continue;
      ++at.contender_row(who).incidents;
      at.moves_rows();
    }
    mark.tokens = from.tokens;
    mark.cause = from.cause;
    at.rows().incidents_in_time.put(i, mark);
    if (i < marks.size())
      marks[i] = std::move(mark);
    else
      marks.push_back(std::move(mark));
  }
  while (settled_ + kMoving < marks.size() && !marks[settled_].open) ++settled_;
}

// ---- paint

constexpr std::size_t kCrowd = 24;  // so many have edges wherever they are
constexpr int kLeastForWords = 24;  // of a tape

Token token_of(const IncidentMark& incident, std::size_t contender) {
  return contender < incident.tokens.size() ? incident.tokens[contender]
         : incident.tokens.empty()          ? kNoToken
                                            : incident.tokens.back();
}

// Who reads has half a band: what it believes the lower, what was held the upper.
Band part_of(const Scene& scene, const RowBox& row, const IncidentMark& incident, bool twice) {
  const ContenderRow& contender = contender_of(scene, row);
  const Band band = twice ? scene.layout.row.held : scene.layout.row.believed;
  const std::optional<LeaseSpan> span = span_at(twice ? contender.held : contender.believed, incident.start);
  if (!span || !span->shared) return band;
  const int half = band.height / 2;
  return {twice ? band.y : band.y + band.height - half, half};
}

// `word`: what is wrong.
void label_tape(Canvas& canvas, const Scene& scene, const RowBox& row, const IncidentMark& incident, PixelRange range,
                const QString& word) {
  const bool twice = incident.kind == IncidentKind::kDoubleGrant;
  const Band band = twice ? scene.layout.row.held : scene.layout.row.believed;
  const Band part = part_of(scene, row, incident, twice);
  const auto who = std::find(incident.contenders.begin(), incident.contenders.end(), row.index);
  const QString token = tokenMark(token_of(incident, static_cast<std::size_t>(who - incident.contenders.begin())));
  // On half a band there is no room: the words stand on the other lane's.
  const bool half = part.height < band.height;
  const Band place = half ? Band{scene.y(row) + (twice ? scene.layout.row.believed : scene.layout.row.held).y + 1, 14}
                          : Band{scene.y(row) + part.y, part.height};
  const int height = half ? std::min(14, band.height - 2) : std::min(16, band.height - 2);
  if (height >= 12)
    paint_tape_label(canvas, range, place.y + (place.height - height) / 2, height,
                     {(word + u' ' + token).trimmed(), token}, incident.kind, measures().tape_left_beside_label);
}

// What one of those who are wrong together shows of it.
void paint_row_of(Canvas& canvas, const Scene& scene, const RowBox& row, IncidentKind kind) {
  const bool twice = kind == IncidentKind::kDoubleGrant;
  const Band lane = twice ? scene.layout.row.held : scene.layout.row.believed;
  PixelRuns narrow([&](PixelRange run) { paint_bare_tape(canvas, run, scene.y(row) + lane.y, lane.height, kind); });
  each_incident_run(
      scene, scene.data.incidents_in_time().of_contender(kind, row.index), [&](PixelRange range) { narrow.add(range); },
      [&](std::size_t, const IncidentMark& incident, PixelRange range) {
        narrow.end();
        const Band part = part_of(scene, row, incident, twice);
        paint_tape(canvas, range, scene.y(row) + part.y, part.height, kind);
      });
}

// While the store has granted twice its band is two halves, one in each owner's hue.
void paint_split_header(Canvas& canvas, const Scene& scene, const RowBox& row, const IncidentMark& incident,
                        PixelRange range) {
  if (incident.contenders.size() < 2) return;
  const Band band = measures().mutex_band;
  const int y = scene.y(row) + band.y, half = band.height / 2;
  canvas.fill(range.from, y, range.to - range.from, band.height, canvas.colours().chart);
  canvas.fill(range.from, y, range.to - range.from, half - 1, identity(canvas, scene, incident.contenders[0]).ink);
  canvas.fill(range.from, y + half + 1, range.to - range.from, half - 1,
              identity(canvas, scene, incident.contenders[1]).ink);
}

struct Edged {
  const IncidentMark* incident = nullptr;  // none: narrow ones that follow each other closely
  PixelRange range;
};

// All in view; none when there are more than a crowd is.
std::vector<Edged> few_of(const Scene& scene, const IntervalTrack& track) {
  std::vector<Edged> found;
  each_incident(scene, track, [&](std::size_t, const IncidentMark& incident, PixelRange range) {
    found.push_back({&incident, range});
    return found.size() <= kCrowd;
  });
  if (found.size() > kCrowd) found.clear();
  return found;
}

bool is_crowd(const Scene& scene, const IntervalTrack& all) {
  return all.begun(scene.viewport.from, scene.viewport.to()) > kCrowd && few_of(scene, all).empty();
}

// From the rail to the last of its mutex's rows. In a crowd over those rows alone: the edges of all mutexes, one over
// the other, would hide what lies between.
Band edge_band(const Scene& scene, int mutex, bool crowd) {
  const Band block = scene.layout.mutex_block(mutex);
  const int first = scene.layout.top() + block.y - scene.scroll;
  const int top = crowd ? first : scene.layout.ruler + 2;
  return {top, first + block.height - top};
}

std::vector<Edged> crowd_of(const Scene& scene, const IntervalTrack& track) {
  std::vector<Edged> found;
  track.each_run(scene.viewport.from, scene.viewport.to() - Duration(1), scene.time_of(kEdgesApart - 1),
                 [&](std::size_t first, std::size_t end) {
                   PixelRange range = incident_range(scene, track.begin(first), track.end(first));
                   const bool several = end > first + 1;
                   if (several) range.to = incident_range(scene, track.begin(end - 1), track.end(end - 1)).to;
                   found.push_back({several ? nullptr : &scene.data.incidents()[track.of(first)], range});
                   const bool narrow = several || range.to - range.from <= measures().incident_min_width;
                   return narrow ? scene.first_of(range.to) - Duration(1) : track.begin(first);
                 });
  return found;
}

// Of a crowd those whose edges can be told from their neighbours': of narrow ones that follow each other closely
// nothing but edges would be seen.
template <class Do>
void each_edged(const Scene& scene, const IntervalTrack& track, Do&& action) {
  const std::vector<Edged> few = few_of(scene, track);
  for (const Edged& each : few) action(*each.incident, each.range);
  if (!few.empty()) return;
  const std::vector<Edged> found = crowd_of(scene, track);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].incident == nullptr) continue;
    const PixelRange range = found[i].range;
    const bool left = i == 0 || range.from - found[i - 1].range.to >= kEdgesApart;
    const bool right = i + 1 == found.size() || found[i + 1].range.from - range.to >= kEdgesApart;
    if (range.to - range.from >= kEdgesApart || (left && right)) action(*found[i].incident, range);
  }
}

// Over all other data, the worst last.
void Incidents::paint(Canvas& canvas, const Scene& scene) const {
  const IncidentTracks& tracks = scene.data.incidents_in_time();
  const int mutexes = static_cast<int>(scene.data.mutexes().size());
  for (const IncidentKind kind : {IncidentKind::kBeliefOverlap, IncidentKind::kDoubleGrant}) {
    const bool twice = kind == IncidentKind::kDoubleGrant;
    each_row(scene, RowKind::kContender, [&](const RowBox& row) { paint_row_of(canvas, scene, row, kind); });
    if (twice)
      each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
        each_incident(scene, tracks.of_mutex(kind, row.index),
                      [&](std::size_t, const IncidentMark& incident, PixelRange range) {
                        paint_split_header(canvas, scene, row, incident, range);
                      });
      });
    const bool crowd = is_crowd(scene, tracks.of(kind));
    for (int mutex = 0; mutex < mutexes; ++mutex) {
      const Band band = edge_band(scene, mutex, crowd);
      if (!scene.meets_rows(band)) continue;
      Strip edges(scene);
      each_edged(scene, tracks.of_mutex(kind, mutex), [&](const IncidentMark& incident, PixelRange range) {
        fill_edge_pair(edges, canvas, scene, incident, range, twice ? 3 : 2);
      });
      edges.put(canvas, band.y, band.height);
    }
  }
}

// Where edges stand no label may be: it starts behind the edge or stands before it.
void keep_off_edges(Canvas& canvas, const Scene& scene, IncidentKind kind) {
  const bool crowd = is_crowd(scene, scene.data.incidents_in_time().of(kind));
  for (int mutex = 0; mutex < static_cast<int>(scene.data.mutexes().size()); ++mutex) {
    const Band edges = edge_band(scene, mutex, crowd);
    if (!scene.meets_rows(edges)) continue;
    const int top = std::max(scene.layout.top(), edges.y), height = edges.y + edges.height - top;
    each_edged(scene, scene.data.incidents_in_time().of_mutex(kind, mutex),
               [&](const IncidentMark& incident, PixelRange range) {
                 if (scene.shows(incident.start)) canvas.places().reserve({range.from - 3, top, 5, height});
                 if (!incident.open && scene.shows(incident.end))
                   canvas.places().reserve({range.to - 2, top, 5, height});
               });
  }
}

// ... and where tapes lie, no other than their own.
void write_on_row(Canvas& canvas, const Scene& scene, const RowBox& row, Band band, const IntervalTrack& track,
                  const QString& word) {
  const bool labelled = row.kind == RowKind::kContender;
  std::vector<QRect> tapes;
  PixelRuns runs([&](PixelRange range) {
    tapes.emplace_back(range.from - 3, scene.y(row) + band.y, range.to - range.from + 6, band.height);
  });
  each_incident_run(
      scene, track, [&](PixelRange range) { runs.add(range); },
      [&](std::size_t, const IncidentMark& incident, PixelRange range) {
        runs.add(range);
        if (labelled && range.to - range.from >= kLeastForWords) label_tape(canvas, scene, row, incident, range, word);
      });
  runs.end();
  for (const QRect& tape : tapes) canvas.places().reserve(tape);
}

// The worst first.
void Incidents::write(Canvas& canvas, const Scene& scene) const {
  const IncidentTracks& tracks = scene.data.incidents_in_time();
  constexpr std::array kinds{IncidentKind::kDoubleGrant, IncidentKind::kBeliefOverlap};
  for (const IncidentKind kind : kinds) keep_off_edges(canvas, scene, kind);
  for (const IncidentKind kind : kinds) {
    const bool twice = kind == IncidentKind::kDoubleGrant;
    const QString word = twice ? tr("granted twice") : tr("believes");
    if (twice)
      each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
        write_on_row(canvas, scene, row, measures().mutex_band, tracks.of_mutex(kind, row.index), word);
      });
    each_row(scene, RowKind::kContender, [&](const RowBox& row) {
      write_on_row(canvas, scene, row, twice ? scene.layout.row.held : scene.layout.row.believed,
                   tracks.of_contender(kind, row.index), word);
    });
  }
}

// ---- hit, describe, legend

Hit Incidents::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kContender) return {};
  const RowMeasures& m = scene.layout.row;
  const int x = at.x(), y = at.y() - scene.y(row);
  const bool held_lane = inside(m.held, y);
  if (!held_lane && !inside(m.believed, y)) return {};
  Hit best;
  const IncidentKind kind = held_lane ? IncidentKind::kDoubleGrant : IncidentKind::kBeliefOverlap;
  const Band band = held_lane ? m.held : m.believed;
  const int reach = measures().incident_min_width + 1;
  scene.data.incidents_in_time()
      .of_contender(kind, row.index)
      .each(scene.first_of(x - reach), scene.first_of(x + reach), [&](std::uint32_t i) {
        const IncidentMark& incident = scene.data.incidents()[i];
        const PixelRange range = incident_range(scene, incident);
        if (scene.shows(incident.start, incident.end) && x >= range.from - 1 && x <= range.to)
          best = {LaneKind::kIncidents,
                  RowKind::kMutex,
                  incident.mutex,
                  i,
                  QRect(range.from, scene.y(row) + band.y, range.to - range.from, band.height),
                  incident.start,
                  incident.end};
        return incident.start;
      });
  return best;
}

HoverText Incidents::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const IncidentMark& incident = data.incidents()[hit.index];
  HoverText text;
  text.title = QString::fromLatin1(title(incident.kind).data());
  if (!incident.contenders.empty()) text.contender = incident.contenders.front();
  text.right = tokensText(incident.kind, incident.tokens);
  if (incident.instant())
    text.lines.emplace_back(tr("at"), data.axis().text(incident.start));
  else
    text.lines.emplace_back(tr("from – to"), data.axis().stretchText(incident.start, incident.end) +
                                                 (incident.open ? QStringLiteral(" …") : QString()));
  text.warning = QString::fromStdString(incident.cause);
  return text;
}

// Every kind by its glyph; below a picture the two that are drawn on the bars.
std::vector<LegendMark> Incidents::legend() const {
  const auto on_bars = [](Tile tile, QColor Colours::*line, QColor Colours::*ground, QColor Colours::*frame) {
    return [=](Canvas& c, const QRect& at) {
      c.hatch(at.x(), at.y(), at.width(), at.height(), tile, c.colours().*line, c.colours().*ground);
      c.frame(at.x(), at.y(), at.width(), at.height(), c.colours().*frame);
    };
  };
  std::vector<LegendMark> marks{
      {LegendGroup::kWentWrong,
       {},
       {},
       on_bars(Tile::kOverlap, &Colours::overlap_ink, &Colours::overlap, &Colours::text),
       tr("two believe")},
      {LegendGroup::kWentWrong,
       {},
       {},
       on_bars(Tile::kCritical, &Colours::on_critical, &Colours::critical, &Colours::critical),
       tr("granted twice")}};
  for (const IncidentKind kind : kAllIncidentKinds)
    marks.push_back({LegendGroup::kWentWrong, fromText(title(kind)), {}, [kind](Canvas& canvas, const QRect& at) {
                       paint_glyph(canvas, kind, at, GlyphSize::kLarge, Qt::transparent);
                     }});
  return marks;
}

}  // namespace

std::unique_ptr<Lane> incidents_lane() { return std::make_unique<Incidents>(); }

}  // namespace leasescope
