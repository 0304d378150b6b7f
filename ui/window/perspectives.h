// The perspectives there are, in the order of their tabs.
#pragma once
#include <vector>

#include "ui/window/perspective.h"
#include "ui/window/window_actions.h"

namespace leasescope {

std::vector<Perspective*> makePerspectives(WindowActions& frame, QWidget* parent);

}  // namespace leasescope
