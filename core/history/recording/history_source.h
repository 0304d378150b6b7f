// Where a history is read from, a part at a time: a recording, or a file in words (simulator/import).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/alerts/alert_note.h"
#include "core/history/history.h"
#include "core/history/history_header.h"
#include "core/history/recording/recorded_outcome.h"

namespace leasescope {

class HistorySource {
 public:
  HistorySource() = default;
  HistorySource(HistorySource&&) = default;
  HistorySource& operator=(HistorySource&&) = default;
  virtual ~HistorySource() = default;

  virtual const std::string& path() const = 0;
  virtual const HistoryHeader& header() const = 0;
  // None when the run had not ended. Of words: once all have been read.
  virtual const std::optional<RecordedOutcome>& outcome() const = 0;
  // Names, legend, incidents, summary and how far it is known: all but the events. `forgotten` is what was so when it
  // began. Of words that is what was read so far: names and kinds of fault are added as they come; incidents,
  // summary and end are there once all have been read.
  virtual const History& frame() const = 0;
  // What was told of the alerts of a watch, of mutexes of `frame`; null: that is not kept there.
  virtual const std::vector<AlertNote>* alerts() const { return nullptr; }
  // How many events there are; 0 where that is not known before they are read.
  virtual std::uint64_t events() const { return 0; }
  // How much of it has been read, in thousandths.
  virtual int permille() const = 0;
  // What this program leaves out, for people.
  virtual const std::vector<std::string>& remarks() const = 0;

  // Appends the next events in their order; false at the end and after an error.
  virtual bool read_page(std::vector<Event>& events) = 0;
  // Why there are no more, with the file's name; empty at the end: what was given before is right.
  virtual const std::string& error() const = 0;
};

// What has come since to the names and the legend of a history that is read.
inline void take_names(History& into, const History& frame) {
  for (auto next = static_cast<std::uint32_t>(into.names.size()); next < frame.names.size(); ++next)
    into.names.intern(frame.names.text({next}));
  if (into.legend.faults.size() < frame.legend.faults.size()) into.legend.faults = frame.legend.faults;
  into.legend.store.tells = frame.legend.store.tells;
}

}  // namespace leasescope
