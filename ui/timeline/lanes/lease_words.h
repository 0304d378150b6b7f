// What a hover card tells of a lease with its renewals.
#pragma once
#include "ui/timeline/lanes/lane.h"

namespace leasescope {

// "renewed", "expired", …
QString ending_text(SpanEnd ending);

HoverText describe_lease(const ChartData& data, const SpanTrack& spans, std::size_t first, TrueTime at, bool believed,
                         const QString& title);

}  // namespace leasescope
