// The answers to a lease store's calls on MySQL's wire, read when the client has gone.
#pragma once
#include <memory>

#include "core/store/late_answers.h"

namespace leasescope::mysql {

std::unique_ptr<LateAnswers> make_late_answers();

}  // namespace leasescope::mysql
