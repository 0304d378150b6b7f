// What the frame itself does, whichever perspective is shown.
#pragma once
#include "ui/window/action_table.h"

namespace leasescope {

enum class WindowAction {
  kOpenFile,
  kOpenTeam,
  kQuit,
  kLight,
  kDark,
  kSystem,
  kLarger,
  kSmaller,
  kResetLayout,
  kPresent,
  kPalette,
  kKeys,
  kAbout,
};
using WindowActions = Actions<WindowAction>;
std::vector<ActionSpec> windowActionSpecs();

}  // namespace leasescope
