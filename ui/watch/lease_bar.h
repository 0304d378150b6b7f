// How the state of a watched mutex and what is left of its lease are painted, in the table and beside it.
#pragma once
#include <QPainter>

#include "ui/watch/mutexes_model.h"

namespace leasescope {

// What is left, at the right end of the room; before it what has passed.
void paintLeaseBar(QPainter& painter, const QRect& room, const LeaseBar& bar);
// 12 × 9, centred in `room`.
void paintWatchState(QPainter& painter, const QRect& room, WatchState state);

}  // namespace leasescope
