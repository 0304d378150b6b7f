#include "ui/compare/compare_actions.h"

namespace leasescope {

std::vector<ActionSpec> compareActionSpecs() {
  using C = CompareAction;
  return {
      spec(C::kOpenA, "File", 0, "Open recording &A…", "Ctrl+Shift+A", picture(Icon::kOpen)),
      spec(C::kOpenB, "File", 0, "Open recording &B…", "Ctrl+Shift+B", picture(Icon::kOpen)),
      spec(C::kSwap, "File", 0, "S&wap A and B", "Ctrl+Shift+W"),
      spec(C::kClose, "File", 0, "&Close both", "Ctrl+W"),
      spec(C::kLinked, "View", 1, "&Linked charts", "K", -1, kOnOff),
      spec(C::kDifferencesOnly, "View", 1, "&Differences only", "Shift+D", -1, kOnOff),
      spec(C::kNextDifference, "Go", 0, "Next &difference", "J"),
      spec(C::kPreviousDifference, "Go", 0, "Previous d&ifference", "Shift+J"),
  };
}

}  // namespace leasescope
