// What is done with a watch.
#pragma once
#include "ui/window/action_table.h"

namespace leasescope {

enum class WatchAction {
  kAddStore,
  kStoreForm,
  kRecord,
  kRules,
  kBeliefs,
  kClose,
  kUndo,
  kRedo,
  kGroupByNothing,
  kGroupByStore,
  kGroupBySystem,
  kGroupByState,
  kColumns,
  kFindMutex,
  kFavourite,
  kSimulate,
  kGoToMoment,
  kFeed,
  kStepBack,
  kStep,
  kLive,
};
using WatchActions = Actions<WatchAction>;
std::vector<ActionSpec> watchActionSpecs();

}  // namespace leasescope
