// What a watch says of itself, beside what was seen.
#pragma once
#include <optional>
#include <vector>

#include "core/alerts/alert_note.h"
#include "core/history/watch_settings.h"

namespace leasescope {

struct WatchAccount {
  std::optional<WatchSettings> settings;        // how it looked; none: it does not say
  std::optional<std::vector<AlertNote>> fired;  // what was told of alerts; none: that was not kept
};

}  // namespace leasescope
