// Late answers of PostgreSQL: a release is answered by a row of one boolean.
#pragma once
#include <memory>

#include "core/store/late_answers.h"

namespace leasescope::postgres {

std::unique_ptr<LateAnswers> make_late_answers();

}  // namespace leasescope::postgres
