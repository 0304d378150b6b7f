// What is done with two runs side by side.
#pragma once
#include "ui/window/action_table.h"

namespace leasescope {

enum class CompareAction {
  kOpenA,
  kOpenB,
  kSwap,
  kClose,
  kLinked,
  kDifferencesOnly,
  kNextDifference,
  kPreviousDifference,
};
using CompareActions = Actions<CompareAction>;
std::vector<ActionSpec> compareActionSpecs();

}  // namespace leasescope
