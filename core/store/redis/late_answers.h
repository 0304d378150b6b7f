// Late answers of Redis: a release is answered by a number, other lease calls by a list.
#pragma once
#include <memory>

#include "core/store/late_answers.h"

namespace leasescope::redis {

std::unique_ptr<LateAnswers> make_late_answers();

}  // namespace leasescope::redis
