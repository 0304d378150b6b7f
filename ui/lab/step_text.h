// One step up or down from what stands in a field: a time, a time in leases, a number.
#pragma once
#include <QString>
#include <optional>

namespace leasescope {

// "5s" and 1: "6s"; "500ms": "510ms"; "1.7 lease": "1.8 lease"; "1 lease + 2s": its first part; "3": "4". Two digits of
// the number stay, so that a step is never much and never nothing. Nothing that was not below zero comes there. None
// where there is nothing to step.
std::optional<QString> stepped(const QString& text, int steps);

}  // namespace leasescope
