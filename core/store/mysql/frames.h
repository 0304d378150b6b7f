// What a client of MySQL or MariaDB asks and what the server says.
#pragma once
#include <memory>

#include "core/store/frames.h"

namespace leasescope::mysql {

std::unique_ptr<FrameReader> make_frames(Speaker speaker);

}  // namespace leasescope::mysql
