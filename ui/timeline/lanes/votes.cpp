// A mutex over several stores: a thin lane a store says who has its key, and in the header the quorum's bar is as high
// as the stores that agree; solid from the majority on.
#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

constexpr int kBelow = 2;                 // px under the last lane
constexpr int kFlat = 6, kFlatPitch = 8;  // px of a lane in a narrow chart
constexpr int kLeastForName = 16;
constexpr int kMostNames = 600;  // in one picture; where more could be, only wide votes have one

// A store has kept a key for somebody.
struct Vote {
  TrueTime from{}, to = kOpenEnd;
  int contender = kNoContender;
};
// From here on so many stores have a key of that contender's.
struct Count {
  TrueTime at{};
  std::vector<std::pair<int, int>> of;  // contender, stores; most first
};

struct Quorum {
  std::vector<std::string> stores;
  std::vector<std::vector<Vote>> votes;  // by store, in order
  std::vector<Count> counts;
  Peaks<std::int64_t> lasting;  // each count but the last: how long

  std::int64_t length(std::size_t count) const { return (counts[count + 1].at - counts[count].at).count(); }
  void add(Count count);
  // Of some counts the one that lasts longest; of equals the first.
  std::size_t longest(std::size_t first, std::size_t end, TrueTime now) const;
};

// Calls with each vote in view that may be seen: of those that are over in one pixel the last.
template <class Do>
void each_vote(const Scene& scene, const std::vector<Vote>& votes, Do&& action) {
  for (std::size_t i = first_lasting(votes, scene.viewport.from);
       i < votes.size() && votes[i].from < scene.viewport.to();) {
    const TrueTime to = scene.until(votes[i].to);
    if (scene.shows(votes[i].from, to)) action(votes[i]);
    const std::size_t next = first_lasting(votes, scene.first_of(scene.clipped_x(to) + 1), i);
    i = std::max(i + 1, next > 0 ? next - 1 : 0);
  }
}

class Votes : public Lane {
 public:
  std::vector<EventKind> hears() const override { return {EventKind::kVoteGranted, EventKind::kVoteEnded}; }
  void fold(Folding& at, const Event& event) override;

  std::vector<OwnRow> rows(const ChartData& /*data*/, const ChartLayout& layout, RowSpot spot,
                           int mutex) const override {
    const Quorum* const quorum = quorums_.find(mutex);
    if (spot != RowSpot::kUnderHeader || quorum == nullptr || quorum->stores.empty()) return {};
    const LineMeasures lines = lines_of(layout);
    return {{mutex, lines.first + kBelow + lines.pitch * static_cast<int>(quorum->stores.size())}};
  }
  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kLeases; }
  void write(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& scene, const RowBox& row, const Hit& hit) const override {
    if (row.kind != RowKind::kOwn || row.lane != LaneKind::kVotes || row.index != hit.row) return {};
    return line(scene.layout, hit.line);
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  static LineMeasures lines_of(const ChartLayout& layout) {
    const LineMeasures& m = measures().stores;
    return layout.density == Density::kComfortable ? m : LineMeasures{m.first, kFlat, kFlatPitch};
  }
  static Band line(const ChartLayout& layout, int store) {
    const LineMeasures lines = lines_of(layout);
    return {lines.first + store * lines.pitch, lines.height};
  }
  static int majority(const Quorum& quorum) { return static_cast<int>(quorum.stores.size()) / 2 + 1; }
  static int cell(const Quorum& quorum) {
    return std::max(1, measures().mutex_band.height / static_cast<int>(quorum.stores.size()));
  }
  void paint_bar(Canvas& canvas, const Scene& scene, const RowBox& row, const Quorum& quorum) const;
  void write_bar(Canvas& canvas, const Scene& scene, const RowBox& row, const Quorum& quorum) const;

  ByRow<Quorum> quorums_;  // by mutex
};

// ---- fold

void Votes::fold(Folding& at, const Event& event) {
  const int mutex = at.mutex(event.mutex), who = at.contender(event.node);
  Quorum& quorum = quorums_[mutex];
  const std::string name = at.text(Name{static_cast<std::uint32_t>(event.b)});
  // "store-2" before "store-10".
  const auto before = [](const std::string& one, const std::string& other) {
    return one.size() != other.size() ? one.size() < other.size() : one < other;
  };
  const auto known = std::lower_bound(quorum.stores.begin(), quorum.stores.end(), name, before);
  const auto store = static_cast<std::size_t>(known - quorum.stores.begin());
  if (known == quorum.stores.end() || *known != name) {
    quorum.stores.insert(known, name);
    quorum.votes.emplace(quorum.votes.begin() + static_cast<std::ptrdiff_t>(store));
    at.mutex_row(mutex).votes = true;
    at.moves_rows();
  }
  std::vector<Vote>& votes = quorum.votes[store];
  const bool in_force = !votes.empty() && votes.back().to == kOpenEnd;
  const bool granted = event.kind == EventKind::kVoteGranted;
  const bool own = in_force && votes.back().contender == who;
  if (granted ? own : !own) return;  // the same key for longer; or one that was another's by then
  if (in_force) votes.back().to = event.hi;
  if (granted) votes.push_back({event.hi, kOpenEnd, who});

  Count count{event.hi, {}};
  for (const std::vector<Vote>& each : quorum.votes) {
    if (each.empty() || each.back().to != kOpenEnd) continue;
    const auto same = std::find_if(count.of.begin(), count.of.end(),
                                   [&](const auto& of) { return of.first == each.back().contender; });
    if (same == count.of.end())
      count.of.emplace_back(each.back().contender, 1);
    else
      ++same->second;
  }
  std::stable_sort(count.of.begin(), count.of.end(), [](auto& a, auto& b) { return a.second > b.second; });
  quorum.add(std::move(count));
}

void Quorum::add(Count count) {
  if (!counts.empty() && counts.back().at == count.at) {
    counts.back() = std::move(count);
    return;
  }
  counts.push_back(std::move(count));
  if (counts.size() > 1) lasting.update(counts.size() - 2, [this](std::size_t i) { return length(i); });
}

std::size_t Quorum::longest(std::size_t first, std::size_t end, TrueTime now) const {
  const auto of = [this](std::size_t i) { return length(i); };
  std::size_t shown = first;
  const std::size_t ended = std::min(end, lasting.size());
  for (std::size_t i = first; i < ended; i = lasting.first_above(i + 1, length(i), of)) shown = i;
  const bool last = end == counts.size() && shown + 1 < end;  // it lasts still
  return last && (now - counts.back().at).count() > length(shown) ? end - 1 : shown;
}

// ---- paint

// Of several counts in one pixel the one that lasts longest is drawn.
void Votes::paint_bar(Canvas& canvas, const Scene& scene, const RowBox& row, const Quorum& quorum) const {
  const Colours& c = canvas.colours();
  const Band band = measures().mutex_band;
  const int bottom = scene.y(row) + band.y + band.height, high = cell(quorum), most = majority(quorum);
  canvas.hdash(bottom - most * high, scene.left(), scene.right(), c.line_strong, 1, 3);
  const std::vector<Count>& counts = quorum.counts;
  std::vector<Strip> levels(quorum.stores.size(), Strip(scene));  // from the bottom, one for each store that agrees
  for (std::size_t i = step_at(counts, scene.viewport.from); i < counts.size();) {
    if (counts[i].at >= scene.viewport.to()) break;
    const int from = scene.clipped_x(counts[i].at);
    // Up to the one that goes on into the next pixel.
    const std::size_t end = std::max(i + 1, first_at(counts, scene.first_of(from + 1), i + 1));
    const std::size_t shown = quorum.longest(i, end, scene.data.now());
    const int to = std::max(scene.clipped_x(step_end(scene, counts, end - 1)), from + 1);
    i = end;
    std::size_t level = 0;
    for (const auto& [who, stores] : counts[shown].of) {
      const IdentityColours& id = identity(canvas, scene, who);
      for (int agreed = 0; agreed < stores && level < levels.size(); ++agreed, ++level)
        levels[level].fill(from, to, stores >= most ? id.ink : id.mid);
    }
  }
  for (std::size_t level = 0; level < levels.size(); ++level)
    levels[level].put(canvas, bottom - (static_cast<int>(level) + 1) * high, high);
}

void Votes::paint(Canvas& canvas, const Scene& scene) const {
  each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
    if (const Quorum* const quorum = quorums_.find(row.index); quorum != nullptr && !quorum->stores.empty())
      paint_bar(canvas, scene, row, *quorum);
  });
  Strip bars(scene);
  each_own_row(scene, LaneKind::kVotes, [&](const RowBox& row) {
    const Quorum& quorum = *quorums_.find(row.index);
    for (int store = 0; store < static_cast<int>(quorum.stores.size()); ++store) {
      const Band band = line(scene.layout, store);
      const int y = scene.y(row) + band.y;
      canvas.hline(y + band.height / 2, scene.left(), scene.right(), canvas.colours().grid_strong);
      each_vote(scene, quorum.votes[static_cast<std::size_t>(store)], [&](const Vote& vote) {
        const int from = scene.clipped_x(vote.from), to = scene.clipped_x(scene.until(vote.to));
        bars.fill(from, from + std::max(1, to - from), identity(canvas, scene, vote.contender).ink);
      });
      bars.put(canvas, y, band.height);
    }
  });
}

constexpr int kLeastShare = 10;  // px; no label of a bar has room in less

// How many stores agreed at most in a lease's time, and since when. Of more counts than anybody sees there the first
// are looked at.
std::pair<int, TrueTime> most_for(const Quorum& quorum, const LeaseSpan& span, TrueTime end) {
  constexpr std::size_t kLookedAt = 512;
  const std::vector<Count>& counts = quorum.counts;
  std::pair<int, TrueTime> best{0, span.start.hi};
  const std::size_t first = step_at(counts, span.start.hi);
  for (std::size_t i = first; i < std::min(counts.size(), first + kLookedAt) && counts[i].at < end; ++i) {
    for (const auto& [who, count] : counts[i].of)
      if (who == span.contender && count > best.first) best = {count, std::max(best.second, counts[i].at)};
    if (best.first == static_cast<int>(quorum.stores.size())) break;
  }
  return best;
}

// "A  #4 · 4/5" where the most agree.
void Votes::write_bar(Canvas& canvas, const Scene& scene, const RowBox& row, const Quorum& quorum) const {
  const Band band = measures().mutex_band;
  const int high = cell(quorum), most = majority(quorum), bottom = scene.y(row) + band.y + band.height;
  const int stores = static_cast<int>(quorum.stores.size());
  const SpanTrack& held = scene.data.mutexes()[static_cast<std::size_t>(row.index)].held;
  const Duration room = scene.time_of(kLeastShare);
  std::size_t at = held.next_apart(held.first_ending_after(scene.viewport.from), room);
  for (; at < held.size(); at = held.next_apart(at + 1, room)) {
    const LeaseSpan span = held[at];
    if (span.start.hi >= scene.viewport.to()) break;
    const TrueTime end = held_until(scene.data, span);
    if (span.renewal || !scene.shows(span.start.hi, end)) continue;
    const auto [best, from] = most_for(quorum, span, end);
    if (best < most) continue;
    const TextStyle style{identity(canvas, scene, span.contender).on, 11, 600};
    const QString who = QString::fromStdString(scene.data.letter(span.contender));
    const QString share = QStringLiteral("%1/%2").arg(best).arg(stores);
    const int left = scene.clipped_x(from), right = scene.clipped_x(end), top = bottom - best * high;
    for (const QString& label :
         {who + "  " + tokenMark(span.token) + QStringLiteral(" · ") + share, who + "  " + share, who}) {
      if (left + 5 + least_width_of(label, style.px) + 6 > right) continue;
      const int width = canvas.width_of(label, style);
      int x = left + 5;
      if (const auto other = canvas.places().blocked({x, top, width, best * high})) x = other->right() + 5;
      if (x + width + 6 > right || !canvas.places().claim({x, top, width, best * high})) continue;
      canvas.text(x, top + best * high / 2 + 4, label, style);
      break;
    }
  }
}

void Votes::write(Canvas& canvas, const Scene& scene) const {
  each_row(scene, RowKind::kMutex, [&](const RowBox& row) {
    if (const Quorum* const quorum = quorums_.find(row.index); quorum != nullptr && !quorum->stores.empty())
      write_bar(canvas, scene, row, *quorum);
  });
  int lines = 0;
  each_own_row(scene, LaneKind::kVotes,
               [&](const RowBox& row) { lines += static_cast<int>(quorums_.find(row.index)->stores.size()); });
  const int least = std::max(kLeastForName, (scene.right() - scene.left()) * lines / kMostNames);
  each_own_row(scene, LaneKind::kVotes, [&](const RowBox& row) {
    const Quorum& quorum = *quorums_.find(row.index);
    for (int store = 0; store < static_cast<int>(quorum.stores.size()); ++store) {
      const Band band = line(scene.layout, store);
      if (band.height < 9) return;
      const int y = scene.y(row) + band.y;
      each_vote(scene, quorum.votes[static_cast<std::size_t>(store)], [&](const Vote& vote) {
        const int from = scene.clipped_x(vote.from), to = scene.clipped_x(scene.until(vote.to));
        if (to - from < least) return;
        const QString who = QString::fromStdString(scene.data.letter(vote.contender));
        const TextStyle style{identity(canvas, scene, vote.contender).on, 9, 600};
        const int width = canvas.width_of(who, style);
        if (to - from >= width + 8 && canvas.places().claim({from + 5, y, width, band.height}))
          canvas.text(from + 5, y + 9, who, style);
      });
    }
  });
}

// A modelled store's number: "redlock 2 (model)" leaves no room for the lane's own words.
QString short_name(const std::string& store) {
  const QString name = QString::fromStdString(store);
  return name.endsWith(QStringLiteral(" (model)")) ? name.chopped(8).section(u' ', -1) : name;
}

void Votes::head(Canvas& canvas, const Scene& scene, const RowBox& row) const {
  if (row.kind == RowKind::kMutex) {
    const Quorum* const quorum = quorums_.find(row.index);
    if (quorum != nullptr && !quorum->stores.empty() && !scene.layout.small)
      write_line_name(canvas, scene, row, 22, tr("%1 of %2").arg(majority(*quorum)).arg(quorum->stores.size()));
  }
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kVotes) return;
  write_row_name(canvas, scene, row, tr("stores"), tr("who has the key"));
  const Quorum& quorum = *quorums_.find(row.index);
  if (lines_of(scene.layout).pitch < 12) return;
  for (int store = 0; store < static_cast<int>(quorum.stores.size()); ++store)
    write_line_name(canvas, scene, row, line(scene.layout, store).y + 9,
                    short_name(quorum.stores[static_cast<std::size_t>(store)]));
}

// ---- hit, describe, legend

Hit Votes::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kVotes) return {};
  const Quorum& quorum = *quorums_.find(row.index);
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  for (int store = 0; store < static_cast<int>(quorum.stores.size()); ++store) {
    const Band band = line(scene.layout, store);
    if (!inside(band, at.y() - scene.y(row))) continue;
    const std::vector<Vote>& votes = quorum.votes[static_cast<std::size_t>(store)];
    // They follow each other: the first that is not over.
    if (const std::size_t i = first_lasting(votes, time); i < votes.size()) {
      const TrueTime to = scene.until(votes[i].to);
      if (time < votes[i].from || time > to) continue;
      const QRect bar(scene.x(votes[i].from), scene.y(row) + band.y, std::max(1, scene.x(to) - scene.x(votes[i].from)),
                      band.height);
      return {LaneKind::kVotes, row.kind, row.index, i, bar, votes[i].from, to, false, store};
    }
  }
  return {};
}

HoverText Votes::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const Quorum& quorum = *quorums_.find(hit.row);
  const Vote& vote = quorum.votes[static_cast<std::size_t>(hit.line)][hit.index];
  HoverText text;
  text.contender = vote.contender;
  text.title =
      tr("has the key of %1").arg(QString::fromStdString(data.mutexes()[static_cast<std::size_t>(hit.row)].name));
  text.lines.emplace_back(tr("at"), QString::fromStdString(quorum.stores[static_cast<std::size_t>(hit.line)]));
  text.lines.emplace_back(tr("from – to"), data.axis().stretchText(vote.from, hit.to));
  return text;
}

std::vector<LegendMark> Votes::legend() const {
  return {{LegendGroup::kIs, tr("quorum"), tr("as high as the stores that agree, solid from the majority on"),
           [](Canvas& c, const QRect& at) {
             const IdentityColours& id = c.colours().id[2];
             c.fill(at.x(), at.y() + 12, 8, 4, id.mid);
             c.fill(at.x() + 8, at.y() + 8, 8, 8, id.mid);
             c.fill(at.x() + 16, at.y() + 4, 8, 12, id.ink);
             c.fill(at.x() + 24, at.y(), at.width() - 24, 16, id.ink);
           }}};
}

}  // namespace

std::unique_ptr<Lane> votes_lane() { return std::make_unique<Votes>(); }

}  // namespace leasescope
