// What a client of PostgreSQL asks and what the server says, in protocol version 3.
#pragma once
#include <memory>

#include "core/store/frames.h"

namespace leasescope::postgres {

std::unique_ptr<FrameReader> make_frames(Speaker speaker);

}  // namespace leasescope::postgres
