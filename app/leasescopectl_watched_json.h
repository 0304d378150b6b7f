// What a recording of a watch tells, as JSON: what its evidence report says, by the same folds.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/alerts/alert_engine.h"
#include "core/alerts/alert_note.h"
#include "core/history/history.h"
#include "core/history/history_header.h"
#include "core/history/ownership.h"

namespace leasescope::ctl {

// What of it is told.
struct WatchedWish {
  std::optional<std::pair<TrueTime, TrueTime>> part;  // none: all of it
  std::vector<std::string> mutexes;                   // as they were asked for; empty: all
  std::vector<AlertRule> rules;                       // that are looked for; empty: nobody asked
  std::optional<std::vector<AlertNote>> fired;        // of these mutexes; none: the recording does not keep it
};

class WatchedJson {
 public:
  // Of a history with that legend, of which the events up to `before` are not told.
  WatchedJson(WatchedWish wish, const Legend& legend, Sequence before);

  // The events that have come since.
  void append(const History& page);
  // All of them have; the history is known until `now`.
  nlohmann::ordered_json json(const HistoryHeader& header, const NameTable& names, TrueTime now);

 private:
  bool is_told(TrueTime from, TrueTime to) const;
  nlohmann::ordered_json mutex_json(const MutexOwnership& mutex, const NameTable& names, TrueTime now) const;
  nlohmann::ordered_json fired_json(const NameTable& names, TrueTime now) const;
  nlohmann::ordered_json would_fire_json(const NameTable& names, TrueTime now);

  WatchedWish wish_;
  Ownerships owners_;
  AlertEngine engine_;
  Sequence told_;
};

}  // namespace leasescope::ctl
