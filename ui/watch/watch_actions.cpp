#include "ui/watch/watch_actions.h"

namespace leasescope {
namespace {

constexpr int kGroups = 2;

}  // namespace

std::vector<ActionSpec> watchActionSpecs() {
  using W = WatchAction;
  return {
      spec(W::kAddStore, "File", 0, "&Watch a store…", "Ctrl+N"),
      spec(W::kStoreForm, "File", 0, "Watch a store by a &form…", "Ctrl+Shift+N"),
      spec(W::kRecord, "File", 0, "&Record what is seen…", "Ctrl+Shift+R", -1, kOnOff),
      spec(W::kRules, "File", 0, "&Rules of alerts…", "Ctrl+Shift+A"),
      spec(W::kBeliefs, "File", 0, "Hear &beliefs at a socket…", "Ctrl+Shift+B", -1, kOnOff),
      spec(W::kClose, "File", 0, "&End the watch", "Ctrl+W"),
      spec(W::kUndo, "Edit", 0, "&Undo", "Ctrl+Z"),
      spec(W::kRedo, "Edit", 0, "&Redo", "Ctrl+Shift+Z"),
      spec(W::kGroupByNothing, "View", 4, "Mutexes not &grouped", "Ctrl+Alt+5", -1, kGroups),
      spec(W::kGroupByStore, "View", 4, "Mutexes by &store", "Ctrl+Alt+6", -1, kGroups),
      spec(W::kGroupBySystem, "View", 4, "Mutexes by s&ystem", "Ctrl+Alt+7", -1, kGroups),
      spec(W::kGroupByState, "View", 4, "Mutexes by s&tate", "Ctrl+Alt+8", -1, kGroups),
      spec(W::kColumns, "View", 4, "&Columns of the mutexes…", "Ctrl+Alt+9"),
      spec(W::kFindMutex, "Go", 1, "Find a &mutex", "Ctrl+K"),
      spec(W::kFavourite, "Go", 1, "&Favourite: before the others", "Ctrl+Shift+K", -1, kOnOff),
      spec(W::kSimulate, "Go", 1, "Simulate &this in the Lab…", "Ctrl+L"),
      spec(W::kGoToMoment, "Go", 1, "&Go to a moment…", "Ctrl+G"),
      spec(W::kFeed, "Go", 1, "&Events as they come", "Ctrl+J"),
      spec(W::kStepBack, "Go", 1, "One event &back", "Ctrl+Left", picture(Icon::kStepBack)),
      spec(W::kStep, "Go", 1, "One event &forward", "Ctrl+Right", picture(Icon::kStep)),
      spec(W::kLive, "Go", 1, "To &now", "Ctrl+End", picture(Icon::kLast)),
  };
}

}  // namespace leasescope
