#include "ui/learn/learn_actions.h"

namespace leasescope {

std::vector<ActionSpec> learnActionSpecs() {
  using L = LearnAction;
  return {
      spec(L::kOpenInLab, "Go", 0, "Open in the &Lab", "Ctrl+L", picture(Icon::kRun)),
      spec(L::kPrevious, "Go", 1, "&Previous lesson", "Ctrl+Up", picture(Icon::kStepBack)),
      spec(L::kNext, "Go", 1, "&Next lesson", "Ctrl+Down", picture(Icon::kStep)),
      spec(L::kSearch, "Go", 2, "&Search the list", "/", picture(Icon::kSearch)),
  };
}

}  // namespace leasescope
