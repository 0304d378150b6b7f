// What to do about what etcd refuses.
#pragma once
#include <string>

#include "core/store/etcd/answers.h"

namespace leasescope::etcd {

// Its words, and what to do about them.
std::string advised(const Refusal& refusal);

}  // namespace leasescope::etcd
