#include "ui/window/window_actions.h"

namespace leasescope {
namespace {

constexpr int kThemes = 2;

}  // namespace

std::vector<ActionSpec> windowActionSpecs() {
  using W = WindowAction;
  return {
      spec(W::kOpenFile, "File", 0, "&Open file…", "Ctrl+O", picture(Icon::kOpen)),
      spec(W::kOpenTeam, "File", 0, "Open &team history…", "Ctrl+Alt+O"),
      spec(W::kQuit, "File", 9, "&Quit", "Ctrl+Q"),
      spec(W::kLight, "View", 7, "&Light", "Ctrl+Alt+L", -1, kThemes),
      spec(W::kDark, "View", 7, "&Dark", "Ctrl+Alt+D", -1, kThemes),
      spec(W::kSystem, "View", 7, "As the &system", "Ctrl+Alt+S", -1, kThemes),
      spec(W::kLarger, "View", 8, "Everything &larger", "Ctrl+Alt+PgUp"),
      spec(W::kSmaller, "View", 8, "Everything s&maller", "Ctrl+Alt+PgDown"),
      spec(W::kResetLayout, "View", 9, "&Reset layout", "Ctrl+0"),
      spec(W::kPresent, "View", 9, "&Presentation", "F11", -1, kOnOff),
      spec(W::kPalette, "Help", 0, "&Commands…", "Ctrl+Shift+P", picture(Icon::kSearch)),
      spec(W::kKeys, "Help", 0, "&Keys", "?"),
      spec(W::kAbout, "Help", 9, "&About Leasescope", "Shift+F1"),
  };
}

}  // namespace leasescope
