#include "core/history/history_header.h"

#include <nlohmann/json.hpp>

namespace leasescope {

std::string header_line(const HistoryHeader& header) {
  nlohmann::ordered_json line{{"format", "leasescope history"},
                              {"version", HistoryHeader::kFormat},
                              {"program", header.program},
                              {"scenario", header.scenario},
                              {"seed", header.seed},
                              {"world", header.world},
                              {"store", header.store},
                              {"epoch_unix_ns", nullptr},
                              {"toml", header.toml}};
  if (header.epoch_ns) line["epoch_unix_ns"] = *header.epoch_ns;
  // Names come from outside and need not be UTF-8.
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace leasescope
