#include "ui/window/perspectives.h"

#include "ui/compare/compare_perspective.h"
#include "ui/lab/lab_perspective.h"
#include "ui/learn/learn_perspective.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/watch/watch_perspective.h"

namespace leasescope {

std::vector<Perspective*> makePerspectives(WindowActions& frame, QWidget* parent) {
  std::vector<Perspective*> out;
  out.push_back(new LabPerspective(frame, parent));
  out.push_back(new RecordingsPerspective(frame, parent));
  out.push_back(new ComparePerspective(frame, parent));
  out.push_back(new WatchPerspective(frame, parent));
  out.push_back(new LearnPerspective(frame, parent));
  return out;
}

}  // namespace leasescope
