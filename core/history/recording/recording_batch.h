// What came since the last time: handed from whoever records to the thread that writes.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/alerts/alert_note.h"
#include "core/history/history.h"
#include "core/history/history_header.h"
#include "core/history/recording/known_until.h"
#include "core/history/recording/recorded_outcome.h"

namespace leasescope {

struct RecordingBatch {
  std::optional<HistoryHeader> header;
  std::optional<Legend> legend;
  std::size_t first_name = 0;  // the handle of the first of them
  std::vector<std::string> names;
  std::uint64_t first = 1;  // the number of the first of them
  std::vector<Event> events;
  std::map<std::size_t, Incident> incidents;     // new or changed, by number
  std::optional<std::vector<AlertNote>> alerts;  // that were told since; none: nobody says that it keeps them
  std::optional<Summary> summary;                // as of all events so far, and so far is it known
  TrueTime now{};
  std::optional<KnownUntil> known;         // of a watch, with the summary
  std::optional<RecordedOutcome> outcome;  // the run has ended

  bool empty() const {
    return !header && !legend && names.empty() && events.empty() && incidents.empty() && !alerts && !summary &&
           !outcome;
  }
};

}  // namespace leasescope
