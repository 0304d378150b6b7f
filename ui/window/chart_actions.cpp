#include "ui/window/chart_actions.h"

#include "ui/report/report_format.h"

namespace leasescope {
namespace {

constexpr int kClocks = 2;

}  // namespace

std::vector<ActionSpec> chartActionSpecs() {
  using C = ChartAction;
  std::vector<ActionSpec> specs{
      spec(C::kCopyIncident, "Edit", 5, "&Copy incident as Markdown", "Ctrl+Shift+C"),
      spec(C::kPutMarker, "Edit", 6, "Put a &marker", "M"),
      spec(C::kNameMarker, "Edit", 6, "&Name the marker…", "F2"),
      spec(C::kIncidentNote, "Edit", 6, "Note to the &incident…", "Ctrl+M"),
      spec(C::kZoomIn, "View", 0, "Zoom &in", "W"),
      spec(C::kZoomOut, "View", 0, "Zoom &out", "S"),
      spec(C::kFitSelection, "View", 0, "&Fit selection", "F"),
      spec(C::kFitAll, "View", 0, "Fit &all", "Shift+F", picture(Icon::kFit)),
      spec(C::kUndoZoom, "View", 0, "&Undo zoom", "Backspace", picture(Icon::kUndo)),
      spec(C::kRedoZoom, "View", 0, "Redo &zoom", "Shift+Backspace"),
      spec(C::kBusiestFirst, "View", 0, "&Busiest rows first", "O", -1, kOnOff),
      spec(C::kAllRows, "View", 0, "Idle &rows too", "U", -1, kOnOff),
      spec(C::kFollow, "View", 0, "Fo&llow the newest", "L", picture(Icon::kFollow), kOnOff),
      spec(C::kMeasure, "View", 0, "&Measure from the cursor", "X", -1, kOnOff),
      spec(C::kFindRow, "View", 2, "&Rows with…", "Ctrl+Shift+F"),
      spec(C::kPinRow, "View", 2, "&Pin the row to the top", "P"),
      spec(C::kHideRow, "View", 2, "&Hide the row", "H"),
      spec(C::kRowUp, "View", 2, "Move the row u&p", "Ctrl+Shift+Up"),
      spec(C::kRowDown, "View", 2, "Move the row &down", "Ctrl+Shift+Down"),
      spec(C::kShowRows, "View", 2, "Sho&w all rows", "Shift+H"),
      spec(C::kResetRows, "View", 2, "Rows as they &were", "Shift+P"),
      spec(C::kTimeOfRun, "View", 3, "Seconds of the r&un", "Ctrl+Alt+1", -1, kClocks),
      spec(C::kTimeInUtc, "View", 3, "Wall &clock, UTC", "Ctrl+Alt+2", -1, kClocks),
      spec(C::kTimeHere, "View", 3, "Wall clock, loc&al", "Ctrl+Alt+3", -1, kClocks),
      spec(C::kTimeOfRow, "View", 3, "Clock of the ro&w", "Ctrl+Alt+4", -1, kClocks),
      spec(C::kKeepView, "View", 1, "&Keep this view", "B"),
      spec(C::kNextIncident, "Go", 0, "&Next incident", "]"),
      spec(C::kPreviousIncident, "Go", 0, "&Previous incident", "["),
      spec(C::kNextMarker, "Go", 0, "Next &marker", "N"),
      spec(C::kPreviousMarker, "Go", 0, "Previous m&arker", "Shift+N"),
      spec(C::kNextRow, "Go", 1, "Next r&ow", "Ctrl+Down"),
      spec(C::kPreviousRow, "Go", 1, "Previous ro&w", "Ctrl+Up"),
      spec(C::kBlocker, "Go", 1, "Who &holds it then", "Ctrl+B"),
      spec(C::kNextEvent, "Go", 1, "Next &event", "."),
      spec(C::kPreviousEvent, "Go", 1, "Previous e&vent", ","),
      spec(C::kSearch, "Go", 2, "&Search the list", "/", picture(Icon::kSearch)),
      spec(C::kFilter, "Go", 2, "Fil&ter the table", "Ctrl+F"),
      spec(C::kHelp, "Help", 0, "&Help and legend", "F1"),
  };
  const std::vector<ReportFormat>& formats = report_formats();
  for (std::size_t i = 0; i < formats.size(); ++i)
    specs.push_back(spec(exportAction(i), "File", 5, formats[i].menu, formats[i].key));
  return specs;
}

}  // namespace leasescope
