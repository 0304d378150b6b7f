// What a client of ZooKeeper asks and what the server says.
#pragma once
#include <memory>

#include "core/store/frames.h"

namespace leasescope::zookeeper {

std::unique_ptr<FrameReader> make_frames(Speaker speaker);

}  // namespace leasescope::zookeeper
