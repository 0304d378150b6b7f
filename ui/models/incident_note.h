// An incident as a note for a ticket or a lecture: what, when, where, and how it came about.
#pragma once
#include "simulator/campaign/prevention.h"
#include "ui/models/session.h"

namespace leasescope {

// In Markdown (tables and bold as GitHub has them). The incident must be of the session's history; with what would have
// prevented it, where that is known.
QString markdownOf(const Session& session, int incident, const Prevention* prevention = nullptr);

}  // namespace leasescope
