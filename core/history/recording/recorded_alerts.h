// What was told of the alerts of a watch that is recorded: the table `alert`.
#pragma once
#include <vector>

#include "core/alerts/alert_note.h"
#include "core/history/recording/database.h"

namespace leasescope {

// Behind those that are there.
void put_alerts(const std::vector<AlertNote>& notes, Database& database);
// In their order, of a file that has the table; `names`: so many there are. What another version may have noted
// otherwise is left out.
std::vector<AlertNote> read_alerts(Database& database, std::size_t names);
// Lets go of alerts that were over before then, where there is the table.
void forget_alerts(Database& database, TrueTime before);

}  // namespace leasescope
