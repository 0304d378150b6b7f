// What is done with lessons.
#pragma once
#include "ui/window/action_table.h"

namespace leasescope {

enum class LearnAction {
  kOpenInLab,
  kPrevious,
  kNext,
  kSearch,
};
using LearnActions = Actions<LearnAction>;
std::vector<ActionSpec> learnActionSpecs();

}  // namespace leasescope
