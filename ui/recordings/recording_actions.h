// What is done with recordings.
#pragma once
#include "ui/window/action_table.h"

namespace leasescope {

enum class RecordingAction {
  kClose,
  kReadAgain,
  kCompare,
  kStop,
  kUndo,
  kRedo,
  kStep,
  kStepBack,
};
using RecordingActions = Actions<RecordingAction>;
std::vector<ActionSpec> recordingActionSpecs();

}  // namespace leasescope
