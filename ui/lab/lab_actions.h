// What the Lab does with a scenario and its run.
#pragma once
#include "ui/window/action_table.h"

namespace leasescope {

enum class LabAction {
  kNewScenario,
  kRecentScenario,
  kCloseScenario,
  kSaveScenario,
  kSaveScenarioAs,
  kSaveRecording,
  kCompareRun,
  kUndo,
  kRedo,
  kResetValues,
  kAddFault,
  kFaultTool,
  kText,
  kCopyToml,
  kCopyCommand,
  kCopySpring,
  kGoToError,
  kRun,
  kRestart,
  kStep,
  kStepBack,
  kStepTen,
  kStepBackTen,
  kFork,
  kToEnd,
  kStop,
  kSpeed01,
  kSpeed1,
  kSpeed10,
  kSpeedMax,
  kNewSeed,
  kBothWorlds,
  kTwoSeeds,
  kTwoSettings,
  kForkAndOrigin,
};
using LabActions = Actions<LabAction>;
std::vector<ActionSpec> labActionSpecs();

}  // namespace leasescope
