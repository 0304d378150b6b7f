// Qt for pictures: fonts, and no display.
#pragma once
#include <memory>

class QGuiApplication;

namespace leasescope::ctl {

std::unique_ptr<QGuiApplication> offscreen_application(int& argc, char** argv);

}  // namespace leasescope::ctl
