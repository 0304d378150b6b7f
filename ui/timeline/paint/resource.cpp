#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/words.h"

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

void paint_token_changes(Canvas& canvas, const Scene& scene, const ResourceRow& resource, int axis) {
  const TextStyle style{canvas.colours().text, 10, 500, Face::kMono};
  std::optional<Token> last;
  int free_from = scene.left();
  for (std::size_t i = first_at(resource.writes, scene.viewport.from); i < resource.writes.size(); ++i) {
    const WriteMark& write = resource.writes[i];
    if (write.at >= scene.viewport.to()) break;
    if (write.result != EventKind::kWriteAccepted || last == write.token) continue;
    const QString token = write.token == kNoToken ? QStringLiteral("no token") : token_text(write.token);
    const QString label = last ? token : token + " accepted";
    last = write.token;
    const int x = std::max(scene.x(write.at) + 2, free_from);
    const int width = canvas.width_of(label, style);
    if (x > scene.x(write.at) + 4 || x + width > scene.right()) continue;
    canvas.text(x, axis + 13, label, style);
    free_from = x + width + 8;
  }
}

// Refused or stale writes that stand closer than their plates, told by one plate.
struct Cluster {
  std::size_t first = 0, last = 0;
  int count = 0;
};

QString plate_text(const WriteMark& first, int count, bool stale) {
  const QString verb = stale ? QStringLiteral("accepted") : QStringLiteral("rejected");
  const QString token = first.token == kNoToken ? QStringLiteral("no token") : token_text(first.token);
  if (count == 1) {
    const QString versus =
        first.token == kNoToken ? QString() : QStringLiteral(" · %1 < %2").arg(first.token).arg(first.highest);
    return (stale ? token + QStringLiteral(" stale, ") : token + ' ') + verb + versus;
  }
  return QStringLiteral("%1 stale writes %2").arg(count).arg(verb);
}

void paint_kind(Canvas& canvas, const Scene& scene, const RowBox& row, EventKind kind) {
  const Colours& c = canvas.colours();
  const bool stale = kind == EventKind::kWriteStaleAccepted;
  const ResourceRow& resource = scene.data.resources()[static_cast<std::size_t>(row.index)];
  const int axis = axis_of(scene, row);
  PlateStyle style{stale ? c.critical : c.write_rejected, stale ? c.on_critical : c.write_on_rejected};
  style.face = Face::kMono;
  style.height = 16;
  style.padding = 5;
  int last_x = -100;
  std::optional<Cluster> cluster;
  const auto flush = [&] {
    if (!cluster) return;
    const QString text = plate_text(resource.writes[cluster->first], cluster->count, stale);
    const int width = canvas.plate_width(text, style);
    const int right = scene.x(resource.writes[cluster->last].at) + 12;
    const int left = scene.x(resource.writes[cluster->first].at) - 11 - width;
    const int y = stale ? axis - 15 : axis - 25;
    if (right + width <= scene.right())
      canvas.plate(right, y, text, style);
    else if (left >= scene.left())
      canvas.plate(left, y, text, style);
    cluster.reset();
  };
  for (std::size_t i = first_at(resource.writes, scene.viewport.from); i < resource.writes.size(); ++i) {
    const WriteMark& write = resource.writes[i];
    if (write.at >= scene.viewport.to()) break;
    if (write.result != kind) continue;
    const int x = scene.x(write.at);
    if (cluster && x - scene.x(resource.writes[cluster->last].at) > 200) flush();
    if (!cluster) cluster = Cluster{i, i, 0};
    cluster->last = i;
    ++cluster->count;
    if (x - last_x < 3) continue;
    if (stale) {
      canvas.fill(x - 1, scene.y(row), 3, row.height - 1, c.write_stale);
    } else {
      canvas.vline(x, axis - 14, axis + 6, c.write_rejected);
    }
    last_x = x;
  }
  flush();
  last_x = -100;
  for (std::size_t i = first_at(resource.writes, scene.viewport.from); i < resource.writes.size(); ++i) {
    const WriteMark& write = resource.writes[i];
    if (write.at >= scene.viewport.to()) break;
    const int x = scene.x(write.at);
    if (write.result != kind || x - last_x < 8) continue;
    if (stale)
      canvas.diamond(x + 0.5, axis - 7, 7, c.chart);
    else
      canvas.barred_disc(x + 0.5, axis - 17, 6.5, c.chart);
    last_x = x;
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
                   write.writer == kNobody ? c.write_accepted : identity(canvas, scene, write.writer).ink);
      last = x;
    }
    paint_token_changes(canvas, scene, resource, axis);
  }
}

void paint_refused_writes(Canvas& canvas, const Scene& scene) {
  for (const RowBox& row : scene.layout.rows) {
    if (row.kind != RowKind::kResource || !scene.visible(row)) continue;
    paint_kind(canvas, scene, row, EventKind::kWriteRejected);
    paint_kind(canvas, scene, row, EventKind::kWriteStaleAccepted);
  }
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
      const QColor ink = request.contender == kNobody ? c.muted : identity(canvas, scene, request.contender).ink;
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
