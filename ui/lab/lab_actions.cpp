#include "ui/lab/lab_actions.h"

namespace leasescope {
namespace {

constexpr int kSpeeds = 2;

}  // namespace

std::vector<ActionSpec> labActionSpecs() {
  using L = LabAction;
  return {
      spec(L::kNewScenario, "File", 0, "&New scenario", "Ctrl+N"),
      spec(L::kRecentScenario, "File", 0, "&Recent scenarios…", "Ctrl+Shift+O"),
      spec(L::kCloseScenario, "File", 0, "&Close scenario", "Ctrl+W"),
      spec(L::kSaveScenario, "File", 1, "&Save scenario", "Ctrl+S"),
      spec(L::kSaveScenarioAs, "File", 1, "Save scenario &as…", "Ctrl+Shift+S"),
      spec(L::kSaveRecording, "File", 2, "Sa&ve run as recording…", "Ctrl+Shift+R"),
      spec(L::kCompareRun, "File", 2, "Co&mpare this run", "Ctrl+Alt+M"),
      spec(L::kUndo, "Edit", 0, "&Undo", "Ctrl+Z"),
      spec(L::kRedo, "Edit", 0, "&Redo", "Ctrl+Shift+Z"),
      spec(L::kResetValues, "Edit", 1, "Values as in the &file", "Ctrl+Backspace"),
      spec(L::kAddFault, "Edit", 2, "&Add a fault", "Ctrl+Shift+A"),
      spec(L::kFaultTool, "Edit", 2, "Add faults on the c&hart", "Ctrl+Shift+D", -1, kOnOff),
      spec(L::kText, "Edit", 2, "Edit as &TOML", "Ctrl+T"),
      spec(L::kCopyToml, "Edit", 3, "Copy scenario as T&OML", "Ctrl+Shift+M"),
      spec(L::kCopyCommand, "Edit", 3, "Copy scenario as command &line", "Ctrl+Shift+L"),
      spec(L::kCopySpring, "Edit", 3, "Copy scenario as Simba's Spring &properties", "Ctrl+Shift+J"),
      spec(L::kGoToError, "Go", 2, "Go to the &error in the text", "F8"),
      spec(L::kRun, "Run", 0, "&Run or pause", "Space", picture(Icon::kRun)),
      spec(L::kRestart, "Run", 0, "Run &again from the start", "Ctrl+R", picture(Icon::kFirst)),
      spec(L::kToEnd, "Run", 0, "Run to the &end", "Ctrl+End", picture(Icon::kLast)),
      spec(L::kStop, "Run", 0, "S&top here", "Ctrl+.", picture(Icon::kStop)),
      spec(L::kStep, "Run", 1, "&Step forward one input", "Ctrl+Right", picture(Icon::kStep)),
      spec(L::kStepBack, "Run", 1, "Step &back one input", "Ctrl+Left", picture(Icon::kStepBack)),
      spec(L::kStepTen, "Run", 1, "Ten steps forward", "Ctrl+Shift+Right"),
      spec(L::kStepBackTen, "Run", 1, "Ten steps back", "Ctrl+Shift+Left"),
      spec(L::kFork, "Run", 2, "&Fork here", "Ctrl+K", picture(Icon::kFork)),
      spec(L::kSpeed01, "Run", 3, "Speed 0.1 ×", "1", -1, kSpeeds),
      spec(L::kSpeed1, "Run", 3, "Speed 1 ×", "2", -1, kSpeeds),
      spec(L::kSpeed10, "Run", 3, "Speed 10 ×", "3", -1, kSpeeds),
      spec(L::kSpeedMax, "Run", 3, "As fast as it goes", "4", -1, kSpeeds),
      spec(L::kNewSeed, "Run", 4, "&Another seed", "Ctrl+D", picture(Icon::kDice)),
      spec(L::kBothWorlds, "Run", 5, "Run in both &worlds", "Ctrl+Alt+B"),
      spec(L::kTwoSeeds, "Run", 5, "Run with two see&ds", "Ctrl+Alt+R"),
      spec(L::kTwoSettings, "Run", 5, "Run with two settin&gs", "Ctrl+Alt+C"),
      spec(L::kForkAndOrigin, "Run", 5, "Run the fork and its &origin", "Ctrl+Alt+F"),
  };
}

}  // namespace leasescope
