// A run as one picture: what it was, the chart, the whole run, the incidents.
#pragma once
#include <optional>
#include <string>
#include <utility>

#include <QSize>
#include <QString>
#include <tl/expected.hpp>

#include "core/base/byte_sink.h"
#include "ui/look/tokens.h"
#include "ui/timeline/paint/chart_data.h"

namespace leasescope {

struct PictureOptions {
  Theme theme = Theme::kLight;
  QSize size{1280, 0};  // height 0 = as much as the rows and incidents need
  double scale = 1;     // device pixels a pixel, of a PNG
  // Shown stretch; none = around the worst incident, or the whole run when there is none.
  std::optional<std::pair<TrueTime, TrueTime>> range;
  std::optional<TrueTime> cursor;
  QString title;    // "" = the scenario's name
  QString outcome;  // "as expected"
};

enum class PictureKind : std::uint8_t { kPng, kSvg };

// The bytes of a file, into `out`, which may want no more at any time. Any thread may paint one. Needs a
// QGuiApplication; the platform "offscreen" will do. An error says why there is none.
tl::expected<void, std::string> draw_picture(ByteSink& out, const ChartData& data, const PictureOptions& options,
                                             PictureKind kind);

}  // namespace leasescope
