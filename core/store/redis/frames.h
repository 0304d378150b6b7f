// What a client of Redis asks and what the server says: RESP 2, and what RESP 3 adds.
#pragma once
#include <memory>

#include "core/store/frames.h"

namespace leasescope::redis {

std::unique_ptr<FrameReader> make_frames(Speaker speaker);

}  // namespace leasescope::redis
