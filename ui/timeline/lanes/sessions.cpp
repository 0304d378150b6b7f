// The sessions that a store keeps of a contender: above what the contender takes its session for, below what the server
// says, with the signs of life. A silence is hatched there, and in what is held by the session.
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/lanes/told.h"
#include "ui/timeline/paint/leases.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

// In which the client knew that it was cut off.
struct Cut {
  TrueTime from{}, to = kOpenEnd;
};

struct Session {
  TrueTime at{}, to = kOpenEnd;  // at the server
  TrueTime known = kOpenEnd;     // until when its client took it for its own
  Duration length{};             // without a sign of life
  std::int64_t number = 0;
  SessionEnd ending = SessionEnd::kClosed;
  int mutex = 0;
  std::vector<TrueTime> beats;  // its opening is the first
  Peaks<std::int64_t> apart;    // each from the next one
  std::vector<TrueTime> told;   // that it owns no more because of it
  std::vector<Cut> cuts;

  std::int64_t after(std::size_t beat) const { return (beats[beat + 1] - beats[beat]).count(); }
};

// Of a contender.
struct Row {
  std::vector<Session> sessions;     // in order
  IntervalTrack in_time;             // by their places: at the server or for the client
  MarkTrack endings;                 // at the server
  std::vector<std::uint32_t> ended;  // the same: which sessions these are of

  void put(const Session& session) {
    in_time.put(static_cast<std::uint32_t>(&session - sessions.data()), session.at,
                std::max(session.to, session.known));
  }
};

// Of endings that lie on each other the one that says most is seen.
std::uint8_t rank(SessionEnd ending) { return ending == SessionEnd::kClosed ? 0 : 1; }

constexpr int kClient = 6, kFlatClient = 4,
              kBetween = 2;               // px: the client's half, in lower lanes, and what is below it
constexpr int kRoomy = 14, kHalved = 10;  // px of a lane for both halves of full, and of any height
constexpr int kLeastBetweenBeats = 4;
constexpr int kTick = 3;
constexpr int kOneTick = 3;     // px; nearer endings are one
constexpr int kLeastGlyph = 6;  // ... and nearer than this a tick each: glyphs would hide each other

// How a lane is divided; a low one has the server's half alone.
struct Halves {
  Band client, server;
};
Halves halves_of(Band lane) {
  if (lane.height < kHalved) return {{}, lane};
  const int client = lane.height >= kRoomy ? kClient : kFlatClient;
  return {{lane.y, client}, {lane.y + client + kBetween, lane.height - client - kBetween}};
}

// Sessions without room for anything in them: colours side by side, and over these what is later than it was promised.
class NarrowSessions {
 public:
  NarrowSessions(const Scene& scene, const QColor& late_line)
      : client(scene), server(scene), late(scene), late_colour(late_line) {}
  void put(Canvas& canvas, Band client_band, Band server_band) {
    client.put(canvas, client_band.y, client_band.height);
    server.put(canvas, server_band.y, server_band.height);
    late.put(canvas, server_band.y - 2, server_band.height + 5);
  }

  Strip client, server, late;
  QColor late_colour;
};
constexpr int kNarrow = 2;  // px

class Sessions : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kSessionOpened, EventKind::kSessionRenewed, EventKind::kSessionEnded, EventKind::kDisbelieved,
            EventKind::kStopped,       EventKind::kCrashed,        EventKind::kDisconnected, EventKind::kConnected};
  }
  void fold(Folding& at, const Event& event) override;

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kHolds; }
  void write(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    if (scene.data.sessions())
      write_lane_name(canvas, scene, row, scene.layout.row.session, QT_TRANSLATE_NOOP("Lane", "session"));
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return scene.layout.row.session;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  void on_opened(Folding& at, const Event& event, int who);
  void on_client(const Event& event, Row& row) const;
  // Signs of life come at least so often: the usual time between two of them.
  Duration usual() const { return usual_; }
  // Calls with each stretch in view in which a sign of life was overdue and that is wider than nothing.
  template <class Do>
  void each_silence(const Scene& scene, const Session& session, Do&& action) const;
  template <class Do>
  void each_in_view(const Scene& scene, const RowBox& row, Do&& action) const;

  void paint_server(Canvas& canvas, const Scene& scene, const Session& session, Band band,
                    const IdentityColours& id) const;
  bool add_narrow(NarrowSessions& narrow, const Scene& scene, const Session& session, const IdentityColours& id) const;
  void paint_endings(Canvas& canvas, const Scene& scene, const Row& row, Band band, const IdentityColours& id) const;
  template <class Do>
  void each_held_silence(const Scene& scene, const RowBox& row, const Session& session, Do&& action) const;

  ByRow<Row> rows_;                // by contender
  std::vector<Duration> between_;  // signs of life, the first of them
  Duration usual_{};
};

// ---- fold

void Sessions::fold(Folding& at, const Event& event) {
  const int who = at.contender(event.node);
  if (who == kNoContender) return;
  if (event.kind != EventKind::kSessionOpened && (rows_.find(who) == nullptr || rows_[who].sessions.empty())) return;
  if (event.kind == EventKind::kSessionOpened) return on_opened(at, event, who);
  Row& row = rows_[who];
  if (event.kind != EventKind::kSessionRenewed && event.kind != EventKind::kSessionEnded) return on_client(event, row);
  const auto session = std::find_if(row.sessions.rbegin(), row.sessions.rend(),
                                    [&](const Session& each) { return each.number == event.b; });
  if (session == row.sessions.rend() || session->to != kOpenEnd) return;
  if (event.kind == EventKind::kSessionEnded) {
    session->to = event.hi;
    session->ending = static_cast<SessionEnd>(event.detail);
    if (session->ending == SessionEnd::kClosed) session->known = std::min(session->known, event.hi);
    row.put(*session);
    row.endings.push_back(event.hi, rank(session->ending));
    row.ended.push_back(static_cast<std::uint32_t>(&*session - row.sessions.data()));
    return;
  }
  constexpr std::size_t kLearned = 256;
  if (between_.size() < kLearned) {
    const Duration apart = event.hi - session->beats.back();
    between_.insert(std::lower_bound(between_.begin(), between_.end(), apart), apart);
    usual_ = between_[between_.size() / 2];
  }
  session->beats.push_back(event.hi);
  session->apart.update(session->beats.size() - 2, [&](std::size_t i) { return session->after(i); });
}

void Sessions::on_opened(Folding& at, const Event& event, int who) {
  Row& row = rows_[who];
  if (!row.sessions.empty()) {
    row.sessions.back().known = std::min(row.sessions.back().known, event.hi);
    row.put(row.sessions.back());
  }
  Session session;
  session.at = event.hi;
  session.length = Duration(event.a);
  session.number = event.b;
  session.mutex = event.mutex.empty() ? at.contender_row(who).mutex : at.mutex(event.mutex);
  session.beats = {event.hi};
  row.sessions.push_back(std::move(session));
  row.put(row.sessions.back());
  at.wakes(who);
  if (!std::exchange(at.rows().sessions, true)) at.moves_rows();
}

// What the client came to know of its session.
void Sessions::on_client(const Event& event, Row& row) const {
  Session& session = row.sessions.back();
  if (session.known != kOpenEnd) return;
  switch (event.kind) {
    case EventKind::kDisconnected:
      session.cuts.push_back({event.hi, kOpenEnd});
      return;
    case EventKind::kConnected:
      if (!session.cuts.empty() && session.cuts.back().to == kOpenEnd) session.cuts.back().to = event.hi;
      return;
    case EventKind::kDisbelieved:
      if (static_cast<DisbeliefReason>(event.detail) != DisbeliefReason::kSession) return;
      if (session.to != kOpenEnd) session.known = event.hi;
      session.told.push_back(event.hi);
      break;
    default:
      session.known = event.hi;  // its process ended
  }
  row.put(session);
}

// Those that begin and end in one pixel are not seen: after each the next that may be is the one that goes on behind
// its last pixel.
template <class Do>
void Sessions::each_silence(const Scene& scene, const Session& session, Do&& action) const {
  if (usual().count() <= 0) return;
  const std::vector<TrueTime>& beats = session.beats;
  const auto lasting = [&](TrueTime at) {  // the beat before the first one from then on
    const auto next = std::lower_bound(beats.begin(), beats.end(), at);
    return next == beats.begin() ? 0 : static_cast<std::size_t>(next - beats.begin()) - 1;
  };
  const auto after = [&](std::size_t i) { return session.after(i); };
  const std::int64_t most = (usual() * 3 / 2).count();
  for (std::size_t i = session.apart.first_above(lasting(scene.viewport.from), most, after);
       i < session.apart.size() && beats[i] + usual() < scene.viewport.to();) {
    action(beats[i] + usual(), beats[i + 1]);
    const std::size_t next = lasting(scene.first_of(scene.clipped_x(beats[i + 1]) + 1));
    i = session.apart.first_above(std::max(i + 1, next), most, after);
  }
  const TrueTime end = session.to == kOpenEnd ? std::max(scene.data.now(), session.at) : session.to;
  if (end - beats.back() > usual() * 3 / 2) action(beats.back() + usual(), end);
}

template <class Do>
void Sessions::each_in_view(const Scene& scene, const RowBox& row, Do&& action) const {
  const Row* const known = rows_.find(row.index);
  if (known == nullptr) return;
  each_seen(scene, known->in_time, [&](std::uint32_t i) {
    const Session& session = known->sessions[i];
    if (scene.shows(session.at, std::max(scene.until(session.to), scene.until(session.known)))) action(session);
  });
}

// ---- paint

void paint_client(Canvas& canvas, const Scene& scene, const Session& session, Band band, const IdentityColours& id) {
  if (band.height == 0) return;
  const int from = scene.clipped_x(session.at), to = scene.clipped_x(scene.until(session.known));
  if (to <= from) return;
  canvas.fill(from, band.y, to - from, band.height, id.tint);
  canvas.frame(from, band.y, to - from, band.height, id.ink);
  for (std::size_t i = first_lasting(session.cuts, scene.viewport.from); i < session.cuts.size();) {
    const Cut& cut = session.cuts[i];
    if (cut.from >= scene.viewport.to()) break;
    const int a = std::max(from, scene.clipped_x(cut.from)), b = std::min(to, scene.clipped_x(scene.until(cut.to)));
    i = std::max(i + 1, first_lasting(session.cuts, scene.first_of(scene.clipped_x(scene.until(cut.to)) + 1), i));
    if (b <= a) continue;
    canvas.fill(a, band.y, b - a, band.height, canvas.colours().chart);
    canvas.dashed_frame(a, band.y, b - a, band.height, id.ink, 4, 3);
  }
}

void Sessions::paint_server(Canvas& canvas, const Scene& scene, const Session& session, Band band,
                            const IdentityColours& id) const {
  const int from = scene.clipped_x(session.at), to = std::max(scene.clipped_x(scene.until(session.to)), from + 1);
  canvas.fill(from, band.y, to - from, band.height, id.ink);
  each_silence(scene, session, [&](TrueTime begin, TrueTime end) {
    if (scene.shows(begin, end))
      paint_transition(canvas, scene.clipped_x(begin), scene.clipped_x(end), band.y, band.height, id);
  });
  if (scene.viewport.pixels(usual()) >= kLeastBetweenBeats)
    for (auto beat = std::lower_bound(session.beats.begin() + 1, session.beats.end(), scene.viewport.from);
         beat != session.beats.end() && scene.shows(*beat);) {
      const int x = scene.x(*beat);
      canvas.fill(x, band.y, 1, band.height, canvas.colours().chart);
      canvas.fill(x, band.y + band.height, 1, kTick, id.ink);
      beat = std::lower_bound(beat + 1, session.beats.end(), scene.first_of(x + 1));
    }
  const TrueTime deadline = session.beats.back() + session.length;
  if (session.to != kOpenEnd && session.to > deadline && scene.shows(deadline))
    canvas.vline(scene.x(deadline), band.y - 2, band.y + band.height + 3, canvas.colours().text);
}

// Whether it was one: nothing of it is wider than its edges.
bool Sessions::add_narrow(NarrowSessions& narrow, const Scene& scene, const Session& session,
                          const IdentityColours& id) const {
  const int from = scene.clipped_x(session.at), known = scene.clipped_x(scene.until(session.known));
  const int to = std::max(scene.clipped_x(scene.until(session.to)), from + 1);
  const bool beats = session.beats.size() > 1 && scene.viewport.pixels(usual()) >= kLeastBetweenBeats;
  if (to - from > kNarrow || known - from > kNarrow || beats || !session.cuts.empty()) return false;
  narrow.client.fill(from, known, id.ink);
  narrow.server.fill(from, to, id.ink);
  each_silence(scene, session, [&](TrueTime begin, TrueTime end) {
    if (scene.shows(begin, end)) narrow.server.fill(scene.clipped_x(begin), scene.clipped_x(end), id.mid);
  });
  const TrueTime deadline = session.beats.back() + session.length;
  if (session.to != kOpenEnd && session.to > deadline && scene.shows(deadline))
    narrow.late.fill(scene.x(deadline), scene.x(deadline) + 1, narrow.late_colour);
  return true;
}

// What is held by a session that is silent runs out, as a transition does: in its holder's row, and in the header where
// that has one band.
template <class Do>
void Sessions::each_held_silence(const Scene& scene, const RowBox& row, const Session& session, Do&& action) const {
  const Band held = scene.layout.row.held, header = measures().mutex_band;
  const SpanTrack& spans = contender_of(scene, row).held;
  each_silence(scene, session, [&](TrueTime begin, TrueTime end) {
    const TrueTime last = std::min(end, scene.viewport.to());
    std::size_t i = spans.first_ending_after(std::max(begin, scene.viewport.from - Duration(1)));
    while (i < spans.size() && spans.start(i) < last) {
      const LeaseSpan span = spans[i];
      const TrueTime from = std::max(begin, span.start.hi), to = std::min(end, held_until(scene.data, span));
      const int a = scene.clipped_x(from), b = scene.clipped_x(to);
      // Those that are over in its last pixel are not seen beside it.
      i = std::max(i + 1, spans.first_ending_after(last_before(scene, b + 1)));
      if (from >= to || !scene.shows(from, to)) continue;
      action(PixelRange{a, b}, Band{scene.y(row) + held.y, span.shared ? held.height / 2 : held.height});
      const RowBox* const mutex = scene.layout.mutex_row(span.mutex);
      const bool one = scene.data.mutexes()[static_cast<std::size_t>(span.mutex)].places.empty();
      if (mutex != nullptr && one && scene.visible(*mutex))
        action(PixelRange{a, b}, Band{scene.y(*mutex) + header.y, header.height});
    }
  });
}

// It ran out: an hourglass. Its process went on, and somebody else ended it: a square. Both with a pixel of the ground.
void paint_hourglass(Canvas& canvas, int middle, int y) {
  const Colours& c = canvas.colours();
  const double x = middle + 0.5;
  canvas.polygon({{x - 4.5, y - 6.0},
                  {x + 4.5, y - 6.0},
                  {x + 4.5, y - 3.5},
                  {x + 1.5, y + 0.0},
                  {x + 4.5, y + 3.5},
                  {x + 4.5, y + 6.0},
                  {x - 4.5, y + 6.0},
                  {x - 4.5, y + 3.5},
                  {x - 1.5, y + 0.0},
                  {x - 4.5, y - 3.5}},
                 c.chart, true);
  canvas.polygon({{x - 3.5, y - 5.0},
                  {x + 3.5, y - 5.0},
                  {x + 3.5, y - 3.5},
                  {x + 0.5, y + 0.0},
                  {x + 3.5, y + 3.5},
                  {x + 3.5, y + 5.0},
                  {x - 3.5, y + 5.0},
                  {x - 3.5, y + 3.5},
                  {x - 0.5, y + 0.0},
                  {x - 3.5, y - 3.5}},
                 c.text, true);
}

void paint_ending(Canvas& canvas, const Scene& scene, const Session& session, Band band, const IdentityColours& id) {
  const Colours& c = canvas.colours();
  const int x = scene.x(session.to), y = band.y + band.height / 2;
  switch (session.ending) {
    case SessionEnd::kExpired:
      return paint_hourglass(canvas, x - 6, y);
    case SessionEnd::kForced:
      canvas.fill(x - 10, y - 4, 9, 9, c.chart);
      return canvas.fill(x - 9, y - 3, 7, 7, c.text);
    case SessionEnd::kClosed:
      break;
  }
  const double m = x + 0.5;
  canvas.polygon({{m - 5.5, y - 4.5}, {m + 5.5, y - 4.5}, {m, y + 5.5}}, c.chart, true);
  canvas.polygon({{m - 4, y - 3.5}, {m + 4, y - 3.5}, {m, y + 4.0}}, id.ink, true);
}

void Sessions::paint_endings(Canvas& canvas, const Scene& scene, const Row& row, Band band,
                             const IdentityColours& id) const {
  Strip ticks(scene);
  int last = -100;
  each_rank(scene, row.endings, kOneTick, [&](std::size_t i, int x, int next) {
    const Session& session = row.sessions[row.ended[i]];
    if (x - last < kLeastGlyph || (next < scene.right() && next - x < kLeastGlyph))
      ticks.fill(x, x + 1, session.ending == SessionEnd::kClosed ? id.ink : canvas.colours().text);
    else
      paint_ending(canvas, scene, session, band, id);
    last = x;
  });
  ticks.put(canvas, band.y - 2, band.height + 4);
}

void Sessions::paint(Canvas& canvas, const Scene& scene) const {
  if (!scene.data.sessions()) return;
  NarrowSessions narrow(scene, canvas.colours().text);
  const Halves halves = halves_of(scene.layout.row.session);
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const IdentityColours& id = identity(canvas, scene, row.index);
    const int y = scene.y(row);
    const Band client{y + halves.client.y, halves.client.height}, server{y + halves.server.y, halves.server.height};
    each_in_view(scene, row, [&](const Session& session) {
      if (!add_narrow(narrow, scene, session, id)) {
        narrow.put(canvas, client, server);
        paint_client(canvas, scene, session, client, id);
        paint_server(canvas, scene, session, server, id);
      }
      each_held_silence(scene, row, session, [&](PixelRange range, Band band) {
        paint_transition(canvas, range.from, range.to, band.y, band.height, id);
      });
    });
    narrow.put(canvas, client, server);
    if (const Row* const known = rows_.find(row.index)) paint_endings(canvas, scene, *known, server, id);
  });
}

// With the number of a session.
struct Words {
  QString name = Lane::tr("session %1"), told = Lane::tr("told: session %1 is over");
  QString expired = Lane::tr("session %1 expired"), forced = Lane::tr("session %1 closed by force");
  QString closed = Lane::tr("session %1 closed");

  QString ending(const Session& session) const {
    const bool expires = session.ending == SessionEnd::kExpired, forces = session.ending == SessionEnd::kForced;
    return (expires ? expired : forces ? forced : closed).arg(session.number);
  }
};

// Its number above its begin; at its end what became of it, unless its client just closed it.
void Sessions::write(Canvas& canvas, const Scene& scene) const {
  if (!scene.data.sessions()) return;
  const Words words;
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    each_in_view(scene, row, [&](const Session& session) {
      each_held_silence(scene, row, session, [&](PixelRange range, Band band) {
        canvas.places().reserve({range.from, band.y, range.to - range.from, band.height});
      });
      for (auto at = std::lower_bound(session.told.begin(), session.told.end(), scene.viewport.from);
           at != session.told.end() && scene.shows(*at);
           at = std::lower_bound(at + 1, session.told.end(), scene.first_of(scene.x(*at) + 1)))
        write_told(canvas, scene, row.index, *at, words.told.arg(session.number));
    });
  });
  if (scene.layout.row.session.height < kRoomy) return;
  const Colours& c = canvas.colours();
  const TextStyle muted{c.muted, 10};
  const Band lane = scene.layout.row.session;
  const Halves halves = halves_of(lane);
  // No name and no plate is narrower than these.
  PlateStyle style{c.pause_fill, c.text, c.pause_line};
  style.weight = 400;
  const QString bare = words.name.arg(QString());
  const int least = canvas.width_of(bare, muted), least_plate = canvas.plate_width(bare, style);
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const int y = scene.y(row);
    each_in_view(scene, row, [&](const Session& session) {
      const int x = scene.clipped_x(session.at) + 1;
      const int end = std::min(scene.clipped_x(scene.until(session.known)) + 40, scene.right());
      if (x + least < end) {
        const QString name = words.name.arg(session.number);
        const int width = canvas.width_of(name, muted);
        const QRect place(x, y + lane.y - 11, width, 11);
        if (x + width < end && canvas.places().claim(place)) {
          if (over_band(scene, contender_of(scene, row), x, x + width))
            canvas.fill(x - 2, place.y(), width + 4, place.height() - 1, c.chart);
          canvas.text(x, y + lane.y - 2, name, muted);
        }
      }
      if (session.to == kOpenEnd || session.ending == SessionEnd::kClosed || !scene.shows(session.to)) return;
      QRect plate(scene.x(session.to) + 5, y + halves.server.y - 4, least_plate, 14);
      if (plate.right() >= scene.right() || canvas.places().blocked(plate)) return;
      const QString ended = words.ending(session);
      plate.setWidth(canvas.plate_width(ended, style));
      if (plate.right() < scene.right() && canvas.places().claim(plate))
        canvas.plate(plate.x(), plate.y(), ended, style);
    });
  });
}

// ---- hit, describe, legend

Hit Sessions::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kContender || !scene.data.sessions()) return {};
  const Band lane = scene.layout.row.session;
  const Row* const known = rows_.find(row.index);
  if (known == nullptr || !inside(lane, at.y() - scene.y(row))) return {};
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  Hit found;  // the last of them
  each_at(known->in_time, time, [&](std::uint32_t i) {
    const Session& session = known->sessions[i];
    const TrueTime to = std::max(scene.until(session.to), std::min(scene.until(session.known), scene.data.now()));
    if (time < session.at || time > to) return;
    const QRect bar(scene.x(session.at), scene.y(row) + lane.y, std::max(1, scene.x(to) - scene.x(session.at)),
                    lane.height);
    found = {LaneKind::kSessions, row.kind, row.index, i, bar, session.at, to};
  });
  return found;
}

HoverText Sessions::describe(const ChartData& data, const Hit& hit, TrueTime at) const {
  const Session& session = rows_.find(hit.row)->sessions[hit.index];
  HoverText text;
  text.contender = hit.row;
  text.title = tr("session at the store");
  text.right = QString::number(session.number);
  const TrueTime to = session.to == kOpenEnd ? data.now() : session.to;
  text.lines.emplace_back(tr("from – to"), data.axis().stretchText(session.at, to));
  const auto next = std::upper_bound(session.beats.begin(), session.beats.end(), at);
  text.moving = tr("here");
  if (next != session.beats.begin() && at <= to)
    text.lines.emplace_back(text.moving, tr("%1 since its last sign of life, %2 allowed")
                                             .arg(spanText(at - *std::prev(next)), spanText(session.length)));
  text.lines.emplace_back(tr("ended"), session.to == kOpenEnd                   ? tr("not ended yet")
                                       : session.ending == SessionEnd::kExpired ? tr("expired")
                                       : session.ending == SessionEnd::kForced  ? tr("closed by force")
                                                                                : tr("closed by its client"));
  if (session.to != kOpenEnd && session.known > session.to && at > session.to)
    text.warning = tr("its client does not know that it is over");
  return text;
}

std::vector<LegendMark> Sessions::legend() const {
  const auto lane = [](Canvas& c, const QRect& at, int solid) {
    const IdentityColours& id = c.colours().id.front();
    c.fill(at.x(), at.y() + 1, at.width(), kClient, id.tint);
    c.frame(at.x(), at.y() + 1, at.width(), kClient, id.ink);
    c.fill(at.x(), at.y() + 9, solid, 6, id.ink);
    for (int x = at.x() + 8; x < at.x() + solid; x += 12) {
      c.fill(x, at.y() + 9, 1, 6, c.colours().chart);
      c.fill(x, at.y() + 15, 1, kTick, id.ink);
    }
    if (solid < at.width()) paint_transition(c, at.x() + solid, at.x() + at.width(), at.y() + 9, 6, id);
  };
  return {{LegendGroup::kIs, tr("session"), tr("its client's view, and the server's with the signs of life"),
           [lane](Canvas& c, const QRect& at) { lane(c, at, at.width()); }},
          {LegendGroup::kIs, tr("session, silent"), tr("no sign of life in time, until it expires"),
           [lane](Canvas& c, const QRect& at) {
             lane(c, at, at.width() / 2);
             paint_hourglass(c, at.right() - 6, at.y() + 12);
           }}};
}

}  // namespace

std::unique_ptr<Lane> sessions_lane() { return std::make_unique<Sessions>(); }

}  // namespace leasescope
