// What can be done with a chart, and with the tables beside it, in every perspective that has one.
#pragma once
#include "ui/window/action_table.h"

namespace leasescope {

enum class ChartAction {
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
  kTimeOfRun,
  kTimeInUtc,
  kTimeHere,
  kTimeOfRow,
  kFindRow,
  kNextRow,
  kPreviousRow,
  kBlocker,
  kPinRow,
  kHideRow,
  kRowUp,
  kRowDown,
  kShowRows,
  kResetRows,
  kNextIncident,
  kPreviousIncident,
  kNextEvent,
  kPreviousEvent,
  kSearch,
  kFilter,
  kHelp,
  kExport,  // the first of the register of reports; the others follow
};
using ChartActions = Actions<ChartAction>;
std::vector<ActionSpec> chartActionSpecs();
// Of a report, by its place in the register.
constexpr ChartAction exportAction(std::size_t report) {
  return static_cast<ChartAction>(static_cast<std::size_t>(ChartAction::kExport) + report);
}

}  // namespace leasescope
