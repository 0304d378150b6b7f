#include "ui/models/words.h"

#include <QCoreApplication>

#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Heads)
};

constexpr int kIdLeft = 34;

// What a mutex allows, or else whose word its band is.
QString says_of(const MutexRow& mutex) {
  if (mutex.capacity > 1) return Say::tr("%1 permits").arg(mutex.capacity);
  // Of one that was watched nobody says whether they read, or have permits.
  if (mutex.readers) return mutex.announced ? Say::tr("read-write") : Say::tr("shared");
  return mutex.votes ? Say::tr("the quorum says") : Say::tr("the store says");
}

void paint_mutex_head(Canvas& canvas, const Scene& scene, const RowBox& row) {
  const Colours& c = canvas.colours();
  const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
  const int y = scene.y(row);
  canvas.elided(kHeadText, y + 20, scene.left() - 20, QString::fromStdString(mutex.name), {c.text, 13, 600});
  if (!scene.layout.small && mutex.capacity <= 1) canvas.text(kHeadText, y + 35, says_of(mutex), {c.muted, 10});
}

void paint_contender_head(Canvas& canvas, const Scene& scene, const RowBox& row) {
  const Colours& c = canvas.colours();
  const ContenderRow& contender = scene.data.contenders()[static_cast<std::size_t>(row.index)];
  const int y = scene.y(row);
  const bool comfortable = scene.layout.density == Density::kComfortable;
  const int top = scene.layout.density == Density::kCompact ? 6 : 9;
  const QString letter = QString::fromStdString(scene.data.letter(row.index));
  canvas.badge(kHeadText, y + top, letter, identity(canvas, scene, row.index));
  const int id_left = std::max(kIdLeft, kHeadText + Canvas::badge_width(letter) + 6);
  const int room = scene.left() - id_left - (comfortable ? 54 : row.pinned ? 24 : 8);
  canvas.elided(id_left, y + top + 12, room, QString::fromStdString(contender.name), {c.text, 11, 500, Face::kMono},
                Qt::ElideMiddle);
  if (!row.pinned) return;
  // A pin: below the badge where there is room, or else at the right.
  const int middle = comfortable ? kHeadText + 8 : scene.left() - 14, pin = y + top + (comfortable ? 23 : 3);
  canvas.polygon(
      {{middle - 3.0, pin + 0.0}, {middle + 4.0, pin + 0.0}, {middle + 2.5, pin + 4.0}, {middle - 1.5, pin + 4.0}},
      c.text, true);
  canvas.vline(middle, pin + 4, pin + 9, c.text);
}

void paint_resource_head(Canvas& canvas, const Scene& scene, const RowBox& row) {
  const Colours& c = canvas.colours();
  const ResourceRow& resource = scene.data.resources()[static_cast<std::size_t>(row.index)];
  const int y = scene.y(row);
  canvas.elided(kHeadText, y + 20, scene.left() - 64, QString::fromStdString(resource.name), {c.text, 12, 600});
  canvas.text(kHeadText, y + 34, resource.fencing ? Say::tr("resource, fence on") : Say::tr("resource, fence off"),
              {c.muted, 10});
}

void paint_store_head(Canvas& canvas, const Scene& scene, const RowBox& row) {
  const Colours& c = canvas.colours();
  const int y = scene.y(row);
  canvas.elided(kHeadText, y + 16, scene.left() - 20, QString::fromStdString(scene.data.facts().store),
                {c.text, 11, 500});
  canvas.text(kHeadText, y + 29, Say::tr("requests"), {c.muted, 10});
}

bool paused(const ContenderRow& contender, TrueTime at) {
  const std::vector<std::uint32_t> bands = contender.bands.within(at, at, {});
  return std::any_of(bands.begin(), bands.end(), [&](std::uint32_t i) {
    return contender.bands[i].kind == BandKind::kPause && at < contender.bands[i].end;
  });
}

}  // namespace

void paint_heads(Canvas& canvas, const Scene& scene) {
  const Colours& c = canvas.colours();
  const int bottom = std::min(scene.height, scene.layout.height() - scene.scroll);
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const int y = scene.y(row);
    canvas.fill(0, y, scene.left() - 1, row.height - 1, row.alternate ? c.chart_alt : c.chart);
    switch (row.kind) {
      case RowKind::kMutex:
        paint_mutex_head(canvas, scene, row);
        break;
      case RowKind::kContender:
        paint_contender_head(canvas, scene, row);
        break;
      case RowKind::kFold:
      case RowKind::kOwn:
        break;  // their lanes write it
      case RowKind::kResource:
        paint_resource_head(canvas, scene, row);
        break;
      case RowKind::kStore:
        paint_store_head(canvas, scene, row);
        break;
    }
  }
  canvas.vline(scene.left() - 1, scene.layout.ruler, bottom, c.line_strong);
  for (const RowBox& row : scene.layout.rows)
    if (scene.visible(row))
      for (const std::unique_ptr<Lane>& lane : scene.data.lanes()) lane->head(canvas, scene, row);
}

QString state_text(const ChartData& data, int index, TrueTime at) {
  const ContenderRow& contender = data.contenders()[static_cast<std::size_t>(index)];
  const std::size_t later = first_at(contender.life, at + Duration(1));
  const LifeKind life = later == 0 ? LifeKind::kStarted : contender.life[later - 1].kind;
  if (life == LifeKind::kCrashed) return Say::tr("crashed");
  if (paused(contender, at)) return Say::tr("paused");
  const bool holds = span_at(contender.held, at).has_value(), believes = span_at(contender.believed, at).has_value();
  if (holds && believes) return Say::tr("owner");
  if (believes) return Say::tr("believes it owns");
  if (holds) return Say::tr("holds");
  if (life == LifeKind::kStopped) return Say::tr("stopped");
  // Where nobody but stores was looked at, what anybody else does is not known.
  if (data.facts().legend.contenders.empty()) return Say::tr("not seen to hold");
  return contender.foreign ? Say::tr("not ours") : Say::tr("waits");
}

void paint_head_states(Canvas& canvas, const Scene& scene, TrueTime at) {
  const Colours& c = canvas.colours();
  for (const RowBox& row : scene.layout.rows) {
    if (!scene.visible(row)) continue;
    const int y = scene.y(row);
    if (row.kind == RowKind::kContender && scene.layout.density == Density::kComfortable)
      canvas.elided(kIdLeft, y + 36, scene.left() - kIdLeft - 54, state_text(scene.data, row.index, at), {c.muted, 10});
    if (row.kind != RowKind::kMutex) continue;
    // The fence at the cursor: the token last granted there.
    const MutexRow& mutex = scene.data.mutexes()[static_cast<std::size_t>(row.index)];
    const std::size_t next = mutex.held.first_starting_at(at + Duration(1));
    const Token token = next == 0 ? kNoToken : mutex.held[next - 1].token;
    const QString fence = token == kNoToken ? QString() : Say::tr("fence %1").arg(token);
    if (mutex.capacity > 1)  // at the right stand the numbers of the places
      canvas.elided(kHeadText, y + 35, scene.left() - kHeadText - 20,
                    fence.isEmpty() ? says_of(mutex) : says_of(mutex) + QStringLiteral(", ") + fence, {c.muted, 10});
    else
      canvas.text(scene.left() - 8, y + 35, fence, {c.muted, 10, 400, Face::kMono, Align::kRight});
  }
}

}  // namespace leasescope
