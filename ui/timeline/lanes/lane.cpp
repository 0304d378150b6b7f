#include "ui/timeline/lanes/lane.h"

#include "core/store/port.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {

const RunFacts& Folding::facts() const { return data_.facts_; }
const Cast& Folding::cast() const { return data_.cast_; }
ChartRows& Folding::rows() const { return data_.rows_; }
int Folding::contender(Name name) const { return data_.contender_of(name); }
int Folding::mutex(Name name) const { return data_.mutex_of(name); }
int Folding::resource(Name name) const { return data_.resource_of(name); }

ContenderRow* Folding::contender_row(Name name) const {
  const int who = contender(name);
  return who == kNoContender ? nullptr : &contender_row(who);
}

void Folding::wakes(int contender) const { data_.busy_ += data_.relevance(contender) == 0; }
void Folding::moves_rows() const { ++data_.busy_; }

std::vector<LegendMark> chart_legend() {
  std::vector<LegendMark> marks;
  for (const std::unique_ptr<Lane>& lane : make_lanes())
    for (LegendMark& mark : lane->legend()) marks.push_back(std::move(mark));
  return marks;
}

bool over_band(const Scene& scene, const ContenderRow& contender, int from, int to) {
  return contender.bands.meets(scene.first_of(from + 1), scene.first_of(to) - Duration(1));
}

bool asks_for_it(const Event& attempt) {
  switch (static_cast<RequestKind>(attempt.b)) {
    case RequestKind::kSubscribe:
    case RequestKind::kUnsubscribe:
    case RequestKind::kRelease:
    case RequestKind::kOpenSession:
    case RequestKind::kHeartbeat:
    case RequestKind::kCloseSession:
    case RequestKind::kUnlock:
    case RequestKind::kQuery:
      return false;
    default:
      return true;
  }
}

void write_row_name(Canvas& canvas, const Scene& scene, const RowBox& row, const QString& name, const QString& about) {
  const Colours& c = canvas.colours();
  canvas.elided(kHeadText, scene.y(row) + 16, scene.left() - kHeadText - 30, name, {c.text, 11, 500});
  if (row.height >= 34 && !scene.layout.small) canvas.text(kHeadText, scene.y(row) + 29, about, {c.muted, 10});
}

void write_line_name(Canvas& canvas, const Scene& scene, const RowBox& row, int baseline, const QString& name) {
  canvas.text(scene.left() - 8, scene.y(row) + baseline, name,
              {canvas.colours().muted, 10, 400, Face::kMono, Align::kRight});
}

void write_lane_name(Canvas& canvas, const Scene& scene, const RowBox& row, Band band, const char* word) {
  if (row.kind != RowKind::kContender || scene.layout.density != Density::kComfortable) return;
  canvas.text(scene.left() - 8, scene.y(row) + band.y + band.height / 2 + 4, Lane::tr(word),
              {canvas.colours().muted, 10, 400, Face::kText, Align::kRight});
}

}  // namespace leasescope
