// A run as one picture: what it was, the chart, the whole run, the incidents. PNG or SVG by the file's ending.
#pragma once
#include <optional>
#include <utility>

#include <QSize>
#include <QString>

#include "core/history/history.h"
#include "ui/models/run_facts.h"
#include "ui/theme/tokens.h"

class QPainter;

namespace leasescope {

struct PictureOptions {
  RunFacts facts;
  Theme theme = Theme::kLight;
  QSize size{1280, 0};  // height 0 = as much as the rows and incidents need
  double scale = 1;     // device pixels a pixel, of a PNG
  // Shown stretch; none = around the worst incident, or the whole run when there is none.
  std::optional<std::pair<TrueTime, TrueTime>> range;
  std::optional<TrueTime> cursor;
  QString title;    // "" = the scenario's name
  QString outcome;  // "as expected"
};

// Needs a QGuiApplication; the platform "offscreen" will do. False with the reason when it cannot be written.
bool write_picture(const History& history, const PictureOptions& options, const QString& path,
                   QString* error = nullptr);

}  // namespace leasescope
