// What the store was asked: a square on its axis, filled when it was granted.
#include "core/store/port.h"
#include "ui/models/words.h"
#include "ui/timeline/lanes/pointing.h"

namespace leasescope {
namespace {

enum class Kind : std::uint8_t { kGranted, kRefused, kFailed, kReleased, kReleaseRefused };
struct Mark {
  TrueTime at{};
  int contender = kNoContender;
  Kind kind = Kind::kGranted;
};

std::optional<Kind> kind_of(const Event& event, Change::Hold hold) {
  switch (event.kind) {
    case EventKind::kGranted:
      return Kind::kGranted;
    case EventKind::kRenewed:
      if (hold == Change::Hold::kTakenUp || hold == Change::Hold::kRenewed) return Kind::kGranted;
      return {};
    case EventKind::kReleased:
      return Kind::kReleased;
    case EventKind::kReleaseRefused:
      return Kind::kReleaseRefused;
    default:
      break;
  }
  const auto result = static_cast<AttemptResult>(event.detail);
  if (!asks_for_it(event) || result == AttemptResult::kWon) return {};
  return result == AttemptResult::kLost ? Kind::kRefused : Kind::kFailed;
}

// Of those in one pixel the last is seen, unless one says more.
std::uint8_t rank(Kind kind) { return kind == Kind::kFailed ? 2 : kind == Kind::kReleaseRefused ? 1 : 0; }

Band request_lane() { return {measures().store_axis - 5, 11}; }

class Requests : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kGranted, EventKind::kRenewed, EventKind::kReleased, EventKind::kReleaseRefused,
            EventKind::kAttempt};
  }
  void fold(Folding& at, const Event& event) override {
    const std::optional<Kind> kind = kind_of(event, at.change.hold);
    const int who = at.contender(event.node);
    if (!kind || (event.kind == EventKind::kAttempt && who == kNoContender)) return;
    requests_.push_back({event.hi, who, *kind});
    marks_.push_back(event.hi, rank(*kind));
  }

  void paint(Canvas& canvas, const Scene& scene) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override {
    if (row.kind != RowKind::kStore) return {};
    return hit_mark(scene, requests_, LaneKind::kRequests, row, request_lane(), at.x());
  }
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& /*hit*/) const override {
    if (row.kind != RowKind::kStore) return {};
    return request_lane();
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const override {
    static constexpr std::array<const char*, 5> kWords{
        QT_TRANSLATE_NOOP("Lane", "request granted"), QT_TRANSLATE_NOOP("Lane", "request refused"),
        QT_TRANSLATE_NOOP("Lane", "request failed"), QT_TRANSLATE_NOOP("Lane", "released"),
        QT_TRANSLATE_NOOP("Lane", "late release refused")};
    const Mark& request = requests_[hit.index];
    HoverText text;
    text.contender = request.contender;
    text.title = tr(kWords[static_cast<std::size_t>(request.kind)]);
    text.lines.emplace_back(tr("at"), data.axis().text(request.at));
    return text;
  }
  std::vector<LegendMark> legend() const override;

 private:
  Column<Mark> requests_;
  MarkTrack marks_;  // the same
};

void Requests::paint(Canvas& canvas, const Scene& scene) const {
  const Colours& c = canvas.colours();
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kStore || !scene.visible(row)) continue;
    const int axis = scene.y(row) + measures().store_axis;
    canvas.hline(axis, scene.clipped_x(TrueTime{}), scene.clipped_x(std::max(scene.data.now(), scene.data.end())),
                 c.grid_strong);
    each_rank(scene, marks_, 1, [&](std::size_t i, int x, int) {
      const Mark& request = requests_[i];
      const QColor ink = request.contender == kNoContender ? c.muted : identity(canvas, scene, request.contender).ink;
      switch (request.kind) {
        case Kind::kGranted:
          canvas.fill(x - 3, axis - 3, 7, 7, ink);
          break;
        case Kind::kRefused:
        case Kind::kReleaseRefused:
          canvas.fill(x - 3, axis - 3, 7, 7, c.chart);
          canvas.frame(x - 3, axis - 3, 7, 7, ink);
          break;
        case Kind::kFailed:
          canvas.cross(x + 0.5, axis + 0.5, 3, c.attempt_failed);
          break;
        case Kind::kReleased: {
          const double m = x + 0.5;
          canvas.polygon({{m - 5.5, axis - 4.5}, {m + 5.5, axis - 4.5}, {m, axis + 5.5}}, c.chart, true);
          canvas.polygon({{m - 4, axis - 3.5}, {m + 4, axis - 3.5}, {m, axis + 4.0}}, ink, true);
          break;
        }
      }
    });
  }
}

std::vector<LegendMark> Requests::legend() const {
  return {{LegendGroup::kHappens, tr("request granted, refused"), tr("at the store: filled, hollow"),
           [](Canvas& c, const QRect& at) {
             c.fill(at.x() + 14, at.y() + 5, 7, 7, c.colours().id.front().ink);
             c.frame(at.x() + 34, at.y() + 5, 7, 7, c.colours().id.front().ink);
           }},
          {LegendGroup::kHappens, tr("late release refused"), tr("at the store: its owner has another term"),
           [](Canvas& c, const QRect& at) { c.frame(at.x() + 24, at.y() + 5, 7, 7, c.colours().id.front().ink); }}};
}

}  // namespace

std::unique_ptr<Lane> requests_lane() { return std::make_unique<Requests>(); }

}  // namespace leasescope
