#include "ui/recordings/recording_actions.h"

namespace leasescope {

std::vector<ActionSpec> recordingActionSpecs() {
  using R = RecordingAction;
  return {
      spec(R::kReadAgain, "File", 0, "&Read it again", "F5", picture(Icon::kRestart)),
      spec(R::kCompare, "File", 0, "Co&mpare with another", "Ctrl+Shift+M"),
      spec(R::kClose, "File", 0, "&Close recording", "Ctrl+W"),
      spec(R::kStop, "File", 0, "S&top reading", "Ctrl+.", picture(Icon::kStop)),
      spec(R::kUndo, "Edit", 0, "&Undo", "Ctrl+Z"),
      spec(R::kRedo, "Edit", 0, "&Redo", "Ctrl+Shift+Z"),
      spec(R::kStepBack, "Go", 1, "One event &back", "Ctrl+Left", picture(Icon::kStepBack)),
      spec(R::kStep, "Go", 1, "One event &forward", "Ctrl+Right", picture(Icon::kStep)),
  };
}

}  // namespace leasescope
