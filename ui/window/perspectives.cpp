#include "ui/window/perspectives.h"

#include "ui/compare/compare_perspective.h"
#include "ui/lab/lab_perspective.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/watch/watch_perspective.h"

namespace leasescope {

std::vector<Perspective*> makePerspectives(WindowActions& frame, QWidget* parent) {
  return {
      new LabPerspective(frame, parent),
      new RecordingsPerspective(frame, parent),
      new ComparePerspective(frame, parent),
      new WatchPerspective(frame, parent),
  };
}

}  // namespace leasescope
