// The sessions that a store keeps of a contender: above what the contender takes its session for, below what the server
// says, with the signs of life. A silence is hatched there, and in what is held by the session.
#include "ui/models/words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/lanes/told.h"
#include "ui/timeline/paint/leases.h"

namespace leasescope {
namespace {

struct Session {
  TrueTime at{}, to = kOpenEnd;  // at the server
  TrueTime known = kOpenEnd;     // until when its client took it for its own
  Duration length{};             // without a sign of life
  std::int64_t number = 0;
  SessionEnd ending = SessionEnd::kClosed;
  int mutex = 0;
  std::vector<TrueTime> beats;                      // its opening is the first
  std::vector<TrueTime> told;                       // that it owns no more because of it
  std::vector<std::pair<TrueTime, TrueTime>> cuts;  // in which the client knew that it was cut off
};

constexpr int kClient = 6, kFlatClient = 4,
              kBetween = 2;               // px: the client's half, in lower lanes, and what is below it
constexpr int kRoomy = 14, kHalved = 10;  // px of a lane for both halves of full, and of any height
constexpr int kLeastBetweenBeats = 4;
constexpr int kTick = 3;

// How a lane is divided; a low one has the server's half alone.
struct Halves {
  Band client, server;
};
Halves halves_of(Band lane) {
  if (lane.height < kHalved) return {{}, lane};
  const int client = lane.height >= kRoomy ? kClient : kFlatClient;
  return {{lane.y, client}, {lane.y + client + kBetween, lane.height - client - kBetween}};
}

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
    if (scene.data.sessions()) write_lane_name(canvas, scene, row, scene.layout.row.session, "session");
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return scene.layout.row.session;
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  void on_client(const Event& event, std::vector<Session>& sessions) const;
  // Signs of life come at least so often: the usual time between two of them.
  Duration usual() const { return usual_; }
  // Calls with each stretch in which a sign of life was overdue.
  template <class Do>
  void each_silence(const ChartData& data, const Session& session, Do&& action) const;
  template <class Do>
  void each_in_view(const Scene& scene, const RowBox& row, Do&& action) const;

  void paint_server(Canvas& canvas, const Scene& scene, const Session& session, Band band,
                    const IdentityColours& id) const;
  template <class Do>
  void each_held_silence(const Scene& scene, const RowBox& row, const Session& session, Do&& action) const;

  ByRow<std::vector<Session>> sessions_;  // by contender, in order
  std::vector<Duration> between_;         // signs of life, the first of them
  Duration usual_{};
};

// ---- fold

void Sessions::fold(Folding& at, const Event& event) {
  const int who = at.contender(event.node);
  if (who == kNoContender) return;
  if (event.kind != EventKind::kSessionOpened && sessions_.find(who) == nullptr) return;
  std::vector<Session>& sessions = sessions_[who];
  if (event.kind == EventKind::kSessionOpened) {
    if (!sessions.empty()) sessions.back().known = std::min(sessions.back().known, event.hi);
    Session session;
    session.at = event.hi;
    session.length = Duration(event.a);
    session.number = event.b;
    session.mutex = event.mutex.empty() ? at.contender_row(who).mutex : at.mutex(event.mutex);
    session.beats = {event.hi};
    sessions.push_back(session);
    at.wakes(who);
    if (!std::exchange(at.rows().sessions, true)) at.moves_rows();
    return;
  }
  if (event.kind != EventKind::kSessionRenewed && event.kind != EventKind::kSessionEnded)
    return on_client(event, sessions);
  const auto session =
      std::find_if(sessions.rbegin(), sessions.rend(), [&](const Session& each) { return each.number == event.b; });
  if (session == sessions.rend() || session->to != kOpenEnd) return;
  if (event.kind == EventKind::kSessionEnded) {
    session->to = event.hi;
    session->ending = static_cast<SessionEnd>(event.detail);
    if (session->ending == SessionEnd::kClosed) session->known = std::min(session->known, event.hi);
    return;
  }
  constexpr std::size_t kLearned = 256;
  if (between_.size() < kLearned) {
    const Duration apart = event.hi - session->beats.back();
    between_.insert(std::lower_bound(between_.begin(), between_.end(), apart), apart);
    usual_ = between_[between_.size() / 2];
  }
  session->beats.push_back(event.hi);
}

// What the client came to know of its session.
void Sessions::on_client(const Event& event, std::vector<Session>& sessions) const {
  Session& session = sessions.back();
  if (session.known != kOpenEnd) return;
  switch (event.kind) {
    case EventKind::kDisconnected:
      session.cuts.emplace_back(event.hi, kOpenEnd);
      return;
    case EventKind::kConnected:
      if (!session.cuts.empty() && session.cuts.back().second == kOpenEnd) session.cuts.back().second = event.hi;
      return;
    case EventKind::kDisbelieved:
      if (static_cast<DisbeliefReason>(event.detail) != DisbeliefReason::kSession) return;
      if (session.to != kOpenEnd) session.known = event.hi;
      session.told.push_back(event.hi);
      return;
    default:
      session.known = event.hi;  // its process ended
  }
}

template <class Do>
void Sessions::each_silence(const ChartData& data, const Session& session, Do&& action) const {
  if (usual().count() <= 0) return;
  const TrueTime end = session.to == kOpenEnd ? std::max(data.now(), session.at) : session.to;
  for (std::size_t i = 0; i < session.beats.size(); ++i) {
    const TrueTime next = i + 1 < session.beats.size() ? session.beats[i + 1] : end;
    if (next - session.beats[i] > usual() * 3 / 2) action(session.beats[i] + usual(), next);
  }
}

template <class Do>
void Sessions::each_in_view(const Scene& scene, const RowBox& row, Do&& action) const {
  const std::vector<Session>* const sessions = sessions_.find(row.index);
  if (sessions == nullptr) return;
  for (const Session& session : *sessions)
    if (scene.shows(session.at, std::max(scene.until(session.to), scene.until(session.known)))) action(session);
}

// ---- paint

void paint_client(Canvas& canvas, const Scene& scene, const Session& session, Band band, const IdentityColours& id) {
  if (band.height == 0) return;
  const int from = scene.clipped_x(session.at), to = scene.clipped_x(scene.until(session.known));
  if (to <= from) return;
  canvas.fill(from, band.y, to - from, band.height, id.tint);
  canvas.frame(from, band.y, to - from, band.height, id.ink);
  for (const auto& [begin, end] : session.cuts) {
    const int a = std::max(from, scene.clipped_x(begin)), b = std::min(to, scene.clipped_x(scene.until(end)));
    if (b <= a) continue;
    canvas.fill(a, band.y, b - a, band.height, canvas.colours().chart);
    canvas.dashed_frame(a, band.y, b - a, band.height, id.ink, 4, 3);
  }
}

void Sessions::paint_server(Canvas& canvas, const Scene& scene, const Session& session, Band band,
                            const IdentityColours& id) const {
  const int from = scene.clipped_x(session.at), to = std::max(scene.clipped_x(scene.until(session.to)), from + 1);
  canvas.fill(from, band.y, to - from, band.height, id.ink);
  each_silence(scene.data, session, [&](TrueTime begin, TrueTime end) {
    if (scene.shows(begin, end))
      paint_transition(canvas, scene.clipped_x(begin), scene.clipped_x(end), band.y, band.height, id);
  });
  if (scene.viewport.pixels(usual()) >= kLeastBetweenBeats)
    for (std::size_t i = 1; i < session.beats.size(); ++i) {
      if (!scene.shows(session.beats[i])) continue;
      const int x = scene.x(session.beats[i]);
      canvas.fill(x, band.y, 1, band.height, canvas.colours().chart);
      canvas.fill(x, band.y + band.height, 1, kTick, id.ink);
    }
  const TrueTime deadline = session.beats.back() + session.length;
  if (session.to != kOpenEnd && session.to > deadline && scene.shows(deadline))
    canvas.vline(scene.x(deadline), band.y - 2, band.y + band.height + 3, canvas.colours().text);
}

// What is held by a session that is silent runs out, as a transition does: in its holder's row, and in the header where
// that has one band.
template <class Do>
void Sessions::each_held_silence(const Scene& scene, const RowBox& row, const Session& session, Do&& action) const {
  const Band held = scene.layout.row.held, header = measures().mutex_band;
  const SpanTrack& spans = contender_of(scene, row).held;
  each_silence(scene.data, session, [&](TrueTime begin, TrueTime end) {
    for (std::size_t i = spans.first_ending_after(begin); i < spans.size() && spans.start(i) < end; ++i) {
      const LeaseSpan span = spans[i];
      const TrueTime from = std::max(begin, span.start.hi), to = std::min(end, held_until(scene.data, span));
      if (from >= to || !scene.shows(from, to)) continue;
      const int a = scene.clipped_x(from), b = scene.clipped_x(to);
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
  if (session.to == kOpenEnd || !scene.shows(session.to)) return;
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

void Sessions::paint(Canvas& canvas, const Scene& scene) const {
  if (!scene.data.sessions()) return;
  const Halves halves = halves_of(scene.layout.row.session);
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const IdentityColours& id = identity(canvas, scene, row.index);
    const int y = scene.y(row);
    const Band client{y + halves.client.y, halves.client.height}, server{y + halves.server.y, halves.server.height};
    each_in_view(scene, row, [&](const Session& session) {
      paint_client(canvas, scene, session, client, id);
      paint_server(canvas, scene, session, server, id);
      each_held_silence(scene, row, session, [&](PixelRange range, Band band) {
        paint_transition(canvas, range.from, range.to, band.y, band.height, id);
      });
    });
    each_in_view(scene, row, [&](const Session& session) { paint_ending(canvas, scene, session, server, id); });
  });
}

QString ending_words(const Session& session) {
  const QString name = QStringLiteral("session %1 ").arg(session.number);
  switch (session.ending) {
    case SessionEnd::kExpired:
      return name + QStringLiteral("expired");
    case SessionEnd::kForced:
      return name + QStringLiteral("closed by force");
    case SessionEnd::kClosed:
      break;
  }
  return name + QStringLiteral("closed");
}

// Its number above its begin; at its end what became of it, unless its client just closed it.
void Sessions::write(Canvas& canvas, const Scene& scene) const {
  if (!scene.data.sessions()) return;
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    each_in_view(scene, row, [&](const Session& session) {
      each_held_silence(scene, row, session, [&](PixelRange range, Band band) {
        canvas.places().reserve({range.from, band.y, range.to - range.from, band.height});
      });
      for (const TrueTime at : session.told)
        write_told(canvas, scene, row.index, at, QStringLiteral("told: session %1 is over").arg(session.number));
    });
  });
  if (scene.layout.row.session.height < kRoomy) return;
  const Colours& c = canvas.colours();
  const TextStyle muted{c.muted, 10};
  const Band lane = scene.layout.row.session;
  const Halves halves = halves_of(lane);
  each_row(scene, RowKind::kContender, [&](const RowBox& row) {
    const int y = scene.y(row);
    each_in_view(scene, row, [&](const Session& session) {
      const QString name = QStringLiteral("session %1").arg(session.number);
      const int x = scene.clipped_x(session.at) + 1, width = canvas.width_of(name, muted);
      const QRect place(x, y + lane.y - 11, width, 11);
      if (x + width < std::min(scene.clipped_x(scene.until(session.known)) + 40, scene.right()) &&
          canvas.places().claim(place)) {
        if (over_band(scene, contender_of(scene, row), x, x + width))
          canvas.fill(x - 2, place.y(), width + 4, place.height() - 1, c.chart);
        canvas.text(x, y + lane.y - 2, name, muted);
      }
      if (session.to == kOpenEnd || session.ending == SessionEnd::kClosed || !scene.shows(session.to)) return;
      PlateStyle style{c.pause_fill, c.text, c.pause_line};
      style.weight = 400;
      const QString words = ending_words(session);
      const QRect plate(scene.x(session.to) + 5, y + halves.server.y - 4, canvas.plate_width(words, style), 14);
      if (plate.right() < scene.right() && canvas.places().claim(plate))
        canvas.plate(plate.x(), plate.y(), words, style);
    });
  });
}

// ---- hit, describe, legend

Hit Sessions::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kContender || !scene.data.sessions()) return {};
  const Band lane = scene.layout.row.session;
  const std::vector<Session>* const sessions = sessions_.find(row.index);
  if (sessions == nullptr || !inside(lane, at.y() - scene.y(row))) return {};
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  for (std::size_t i = sessions->size(); i-- > 0;) {
    const Session& session = (*sessions)[i];
    const TrueTime to = std::max(scene.until(session.to), std::min(scene.until(session.known), scene.data.now()));
    if (time < session.at || time > to) continue;
    const QRect bar(scene.x(session.at), scene.y(row) + lane.y, std::max(1, scene.x(to) - scene.x(session.at)),
                    lane.height);
    return {LaneKind::kSessions, row.kind, row.index, i, bar, session.at, to};
  }
  return {};
}

HoverText Sessions::describe(const ChartData& data, const Hit& hit, TrueTime at) const {
  const Session& session = (*sessions_.find(hit.row))[hit.index];
  HoverText text;
  text.contender = hit.row;
  text.title = QStringLiteral("session at the store");
  text.right = QStringLiteral("%1").arg(session.number);
  const TrueTime to = session.to == kOpenEnd ? data.now() : session.to;
  text.lines.emplace_back(QStringLiteral("from – to"), data.axis().stretchText(session.at, to));
  const auto next = std::upper_bound(session.beats.begin(), session.beats.end(), at);
  text.moving = QStringLiteral("here");
  if (next != session.beats.begin() && at <= to)
    text.lines.emplace_back(text.moving, QStringLiteral("%1 since its last sign of life, %2 allowed")
                                             .arg(spanText(at - *std::prev(next)), spanText(session.length)));
  text.lines.emplace_back(QStringLiteral("ended"), session.to == kOpenEnd ? QStringLiteral("not ended yet")
                                                   : session.ending == SessionEnd::kExpired ? QStringLiteral("expired")
                                                   : session.ending == SessionEnd::kForced
                                                       ? QStringLiteral("closed by force")
                                                       : QStringLiteral("closed by its client"));
  if (session.to != kOpenEnd && session.known > session.to && at > session.to)
    text.warning = QStringLiteral("its client does not know that it is over");
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
  return {{LegendGroup::kIs, "session", "its client's view, and the server's with the signs of life",
           [lane](Canvas& c, const QRect& at) { lane(c, at, at.width()); }},
          {LegendGroup::kIs, "session, silent", "no sign of life in time, until it expires",
           [lane](Canvas& c, const QRect& at) {
             lane(c, at, at.width() / 2);
             paint_hourglass(c, at.right() - 6, at.y() + 12);
           }}};
}

}  // namespace

std::unique_ptr<Lane> sessions_lane() { return std::make_unique<Sessions>(); }

}  // namespace leasescope
