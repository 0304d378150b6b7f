#include "ui/timeline/paint/heard.h"

#include <algorithm>

#include <QCoreApplication>

#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"

namespace leasescope {
namespace {

constexpr int kAcross = 2, kDown = 4;  // px from one place that is felt to the next; no mark is smaller

class Say {
  Q_DECLARE_TR_FUNCTIONS(Heard)
};

QString heard_mutex(const ChartData& data, int index, TrueTime at) {
  const MutexRow& mutex = data.mutexes()[static_cast<std::size_t>(index)];
  const std::optional<LeaseSpan> held = span_at(mutex.held, at);
  const QString name = QString::fromStdString(mutex.name);
  if (!held) return Say::tr("mutex %1, nobody holds").arg(name);
  if (held->contender == kNoContender) return Say::tr("mutex %1, held").arg(name);
  const ContenderRow& who = data.contenders()[static_cast<std::size_t>(held->contender)];
  return Say::tr("mutex %1, held by %2").arg(name, QString::fromStdString(who.name));
}

QString heard_contender(const ChartData& data, int index, TrueTime at) {
  const ContenderRow& who = data.contenders()[static_cast<std::size_t>(index)];
  QStringList words{QString::fromStdString(data.letter(index)) + u' ' + QString::fromStdString(who.name),
                    state_text(data, index, at)};
  if (who.incidents > 0) words << Say::tr("%n incident(s)", nullptr, static_cast<int>(who.incidents));
  return words.join(QStringLiteral(", "));
}

}  // namespace

QString heard_row(const ChartData& data, const RowBox& row, TrueTime at) {
  switch (row.kind) {
    case RowKind::kMutex:
      return heard_mutex(data, row.index, at);
    case RowKind::kContender:
      return heard_contender(data, row.index, at);
    case RowKind::kFold:
      return Say::tr("%n contender(s) without a row of their own", nullptr, row.count);
    case RowKind::kResource:
      return Say::tr("resource %1")
          .arg(QString::fromStdString(data.resources()[static_cast<std::size_t>(row.index)].name));
    case RowKind::kStore:
      return Say::tr("requests to %1").arg(QString::fromStdString(data.facts().store));
    case RowKind::kOwn:
      break;
  }
  const std::string_view lane = kLaneNames[static_cast<std::size_t>(row.lane)];
  return QString::fromLatin1(lane.data(), static_cast<qsizetype>(lane.size())).replace(u'_', u' ');
}

std::vector<Hit> heard_segments(const Scene& scene, const RowBox& row, std::size_t most) {
  std::vector<Hit> found;
  const Lanes& lanes = scene.data.lanes();
  // Each lane by itself: what lies on top of another hides nothing from who hears.
  for (std::size_t lane = lanes.size(); lane-- > 0;)
    for (int y = scene.y(row) + 1; y < scene.y(row) + row.height; y += kDown)
      for (int x = scene.left(); x < scene.right(); x += kAcross) {
        const Hit hit = lanes[lane]->hit(scene, row, {x, y});
        if (!hit) continue;
        if (std::find(found.begin(), found.end(), hit) == found.end()) found.push_back(hit);
        if (found.size() >= most) break;
        if (!hit.mark) x = std::max(x, std::min(hit.bar.right(), scene.right()) - kAcross);
      }
  std::stable_sort(found.begin(), found.end(), [](const Hit& a, const Hit& b) { return a.from < b.from; });
  return found;
}

QString heard_segment(const ChartData& data, const Hit& hit) {
  const HoverText text = describe(data, hit, hit.from);
  QStringList words{text.right.isEmpty() ? text.title : text.title + u' ' + text.right};
  for (const auto& [label, value] : text.lines) words << label + u' ' + value;
  if (!text.warning.isEmpty()) words << text.warning;
  return words.join(QStringLiteral(", "));
}

}  // namespace leasescope
