// What can be done with a chart, and with the tables beside it, in every perspective that has one.
#pragma once
#include "ui/window/action_table.h"

namespace leasescope {

enum class ChartAction {
  kExportPng,
  kExportSvg,
  kCopyIncident,
  kZoomIn,
  kZoomOut,
  kFitSelection,
  kFitAll,
  kUndoZoom,
  kRedoZoom,
  kBusiestFirst,
  kAllRows,
  kFollow,
  kMeasure,
  kPutMarker,
  kNameMarker,
  kIncidentNote,
  kNextMarker,
  kPreviousMarker,
  kKeepView,
  kNextIncident,
  kPreviousIncident,
  kNextEvent,
  kPreviousEvent,
  kSearch,
  kFilter,
  kHelp,
};
using ChartActions = Actions<ChartAction>;
std::vector<ActionSpec> chartActionSpecs();

}  // namespace leasescope
