#include <climits>

#include "ui/timeline/paint/glyphs.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

template <class Marks>
std::size_t first_at(const Marks& marks, TrueTime at) {
  const auto found =
      std::lower_bound(marks.begin(), marks.end(), at, [](const auto& mark, TrueTime t) { return mark.at < t; });
  return static_cast<std::size_t>(found - marks.begin());
}

int axis_of(const Scene& scene, const RowBox& row) {
  return scene.y(row) + row.height - measures().resource_axis_from_bottom;
}

void paint_changes(Canvas& canvas, const Scene& scene, const ResourceRow& resource, int axis) {
  const TextStyle style{canvas.colours().text, 10, 500, Face::kMono};
  std::optional<Token> last;
  int free_from = scene.left();
  for (std::size_t i = first_at(resource.writes, scene.viewport.from); i < resource.writes.size(); ++i) {
    const WriteMark& write = resource.writes[i];
    if (write.at >= scene.viewport.to()) break;
    if (write.result != EventKind::kWriteAccepted || last == write.token) continue;
    const QString token = tokenText(write.token);
    const QString label = last ? token : token + " accepted";
    last = write.token;
    const int x = std::max(scene.x(write.at) + 2, free_from);
    const int width = canvas.width_of(label, style);
    if (x > scene.x(write.at) + 4 || x + width > scene.right()) continue;
    if (!canvas.places().claim({x, axis + 3, width, 12})) continue;
    canvas.text(x, axis + 13, label, style);
    free_from = x + width + 8;
  }
}

constexpr int kOnePlate = 200;  // refused writes of one term nearer to each other than this share a plate
constexpr int kOneMark = 14;    // ... and nearer than this a mark, with a stem each

bool never_dropped(WriteFate fate) { return fate != WriteFate::kNone && fate != WriteFate::kAccepted; }

// Writes of one fate and one term that follow each other closely, also beyond the picture's edges.
struct Cluster {
  WriteFate fate = WriteFate::kNone;
  std::size_t first = 0, last = 0;
  std::uint64_t count = 0;
  bool one_height = true;  // the resource had seen the same before each
};

bool belongs(const Scene& scene, const WriteMark& before, const WriteMark& after) {
  return before.fate() == after.fate() && before.token == after.token &&
         scene.viewport.pixel(after.at) - scene.viewport.pixel(before.at) <= kOnePlate;
}

std::vector<Cluster> clusters_of(const Scene& scene, const std::vector<WriteMark>& writes) {
  std::vector<Cluster> clusters;
  const auto take = [&](std::size_t i) {
    const WriteFate fate = writes[i].fate();
    if (!never_dropped(fate)) return;
    auto mine = std::find_if(clusters.rbegin(), clusters.rend(),
                             [&](const Cluster& c) { return belongs(scene, writes[c.last], writes[i]); });
    if (mine == clusters.rend()) {
      clusters.push_back({fate, i, i, 0, true});
      mine = clusters.rbegin();
    }
    mine->last = i;
    ++mine->count;
    mine->one_height = mine->one_height && writes[i].highest == writes[mine->first].highest;
  };
  // Those before the picture that the first in it belong to are counted with them.
  std::size_t i = first_at(writes, scene.viewport.from);
  std::size_t begin = i;
  for (std::size_t last = i; begin > 0 && last - begin < 20'000; --begin) {
    const WriteMark& write = writes[begin - 1];
    if (scene.viewport.pixel(write.at) < -kOnePlate &&
        !(never_dropped(write.fate()) && begin < last && belongs(scene, write, writes[begin])))
      break;
  }
  for (i = begin; i < writes.size(); ++i) {
    if (writes[i].at >= scene.viewport.to() &&
        (clusters.empty() || !belongs(scene, writes[clusters.back().last], writes[i])))
      break;
    take(i);
  }
  return clusters;
}

PlateStyle plate_of(const Colours& c, WriteFate fate) {
  const bool stale = fate == WriteFate::kStaleAccepted;
  PlateStyle style{stale ? c.critical : c.write_rejected, stale ? c.on_critical : c.write_on_rejected};
  style.face = Face::kMono;
  style.height = 16;
  style.padding = 5;
  return style;
}

// After the last of them; before the first where there is no room; else beside the first mark in view.
void paint_plate(Canvas& canvas, const Scene& scene, const Cluster& cluster, const std::vector<WriteMark>& writes,
                 int axis) {
  const PlateStyle style = plate_of(canvas.colours(), cluster.fate);
  const WriteMark& first = writes[cluster.first];
  const QString text =
      writePlate(cluster.fate, first.token, cluster.one_height ? first.highest : kNoToken, cluster.count);
  const int width = canvas.plate_width(text, style);
  const int y = cluster.fate == WriteFate::kStaleAccepted ? axis - 15 : axis - 25;
  const int from = std::max(scene.x(first.at), scene.left());
  for (const int x : {scene.x(writes[cluster.last].at) + 12, from - 11 - width, from + 12}) {
    if (x < scene.left() || x + width > scene.right()) continue;
    if (!canvas.places().claim({x, y, width, style.height})) continue;
    canvas.plate(x, y, text, style);
    return;
  }
}

// In a dense run the stems end at the axis: below it stands who may write from then on.
void paint_stem(Canvas& canvas, const Scene& scene, const RowBox& row, WriteFate fate, int x, int axis, bool dense) {
  const Colours& c = canvas.colours();
  if (fate == WriteFate::kStaleAccepted)
    canvas.fill(x - 1, scene.y(row), 3, row.height - 1, c.write_stale);
  else
    canvas.vline(x, axis - 14, axis + (dense ? 1 : 6), c.write_rejected);
}

void paint_refusal(Canvas& canvas, WriteFate fate, int x, int axis) {
  const Colours& c = canvas.colours();
  switch (fate) {
    case WriteFate::kStaleAccepted:
      return canvas.diamond(x + 0.5, axis - 7, 7, c.chart);
    case WriteFate::kTokenless:
      canvas.fill(x - 6, axis - 24, 14, 14, c.chart);
      return paint_glyph(canvas, IncidentKind::kTokenlessRefused, QRect(x - 7, axis - 25, 16, 16), GlyphSize::kLarge,
                         c.chart);
    default:
      return canvas.barred_disc(x + 0.5, axis - 17, 6.5, c.chart);
  }
}

void paint_cluster(Canvas& canvas, const Scene& scene, const RowBox& row, const Cluster& cluster,
                   const std::vector<WriteMark>& writes, int axis) {
  std::vector<int> marks;
  int last_stem = -100, last = INT_MIN / 2;
  for (std::size_t i = cluster.first; i <= cluster.last; ++i) {
    if (writes[i].fate() != cluster.fate || writes[i].token != writes[cluster.first].token) continue;
    if (!scene.shows(writes[i].at)) continue;
    const int x = scene.x(writes[i].at);
    if (x - last_stem >= 3) {
      paint_stem(canvas, scene, row, cluster.fate, x, axis, x - last < kOneMark);
      last_stem = x;
    }
    if (x - last >= kOneMark) marks.push_back(x);
    last = x;
  }
  for (const int x : marks) {
    paint_refusal(canvas, cluster.fate, x, axis);
    canvas.places().reserve({x - 7, axis - 25, 15, 16});
  }
}

}  // namespace

void paint_writes(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kResource || !scene.visible(row)) continue;
    const ResourceRow& resource = scene.data.resources()[static_cast<std::size_t>(row.index)];
    const int axis = axis_of(scene, row);
    canvas.hline(axis, scene.clipped_x(TrueTime{}), scene.clipped_x(scene.data.now()), c.resource);
    int last = -1;
    for (std::size_t i = first_at(resource.writes, scene.viewport.from); i < resource.writes.size(); ++i) {
      const WriteMark& write = resource.writes[i];
      if (write.at >= scene.viewport.to()) break;
      const int x = scene.x(write.at);
      if (write.result != EventKind::kWriteAccepted || x == last) continue;
      canvas.vline(x, axis - 9, axis,
                   write.writer == kNoContender ? c.write_accepted : identity(canvas, scene, write.writer).ink);
      last = x;
    }
  }
}

// The worst last, so that none is covered by a lesser one.
void paint_refused_writes(Canvas& canvas, const Scene& scene) {
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kResource || !scene.visible(row)) continue;
    const std::vector<WriteMark>& writes = scene.data.resources()[static_cast<std::size_t>(row.index)].writes;
    const int axis = axis_of(scene, row);
    std::vector<Cluster> clusters = clusters_of(scene, writes);
    std::stable_sort(clusters.begin(), clusters.end(), [](const Cluster& a, const Cluster& b) {
      return (a.fate == WriteFate::kStaleAccepted) < (b.fate == WriteFate::kStaleAccepted);
    });
    for (const Cluster& cluster : clusters) paint_cluster(canvas, scene, row, cluster, writes, axis);
    for (auto cluster = clusters.rbegin(); cluster != clusters.rend(); ++cluster)
      paint_plate(canvas, scene, *cluster, writes, axis);
  }
}

void paint_token_changes(Canvas& canvas, const Scene& scene) {
  for (const RowBox& row : scene.layout.rows)
    if (row.kind == RowKind::kResource && scene.visible(row))
      paint_changes(canvas, scene, scene.data.resources()[static_cast<std::size_t>(row.index)], axis_of(scene, row));
}

void paint_requests(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kStore || !scene.visible(row)) continue;
    const int axis = scene.y(row) + measures().store_axis;
    canvas.hline(axis, scene.clipped_x(TrueTime{}), scene.clipped_x(std::max(scene.data.now(), scene.data.end())),
                 c.grid_strong);
    for (std::size_t i = first_at(scene.data.requests(), scene.viewport.from); i < scene.data.requests().size(); ++i) {
      const RequestMark& request = scene.data.requests()[i];
      if (request.at >= scene.viewport.to()) break;
      const int x = scene.x(request.at);
      const QColor ink = request.contender == kNoContender ? c.muted : identity(canvas, scene, request.contender).ink;
      switch (request.kind) {
        case RequestMark::Kind::kGranted:
          canvas.fill(x - 3, axis - 3, 7, 7, ink);
          break;
        case RequestMark::Kind::kRefused:
          canvas.fill(x - 3, axis - 3, 7, 7, c.chart);
          canvas.frame(x - 3, axis - 3, 7, 7, ink);
          break;
        case RequestMark::Kind::kFailed:
          canvas.cross(x + 0.5, axis + 0.5, 3, c.attempt_failed);
          break;
        case RequestMark::Kind::kReleased: {
          const double m = x + 0.5;
          canvas.polygon({{m - 5.5, axis - 4.5}, {m + 5.5, axis - 4.5}, {m, axis + 5.5}}, c.chart, true);
          canvas.polygon({{m - 4, axis - 3.5}, {m + 4, axis - 3.5}, {m, axis + 4.0}}, ink, true);
          break;
        }
      }
    }
  }
}

}  // namespace leasescope
