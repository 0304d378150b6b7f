#include "core/history/history_header.h"

#include <nlohmann/json.hpp>

namespace leasescope {

std::string header_line(const HistoryHeader& header) {
  nlohmann::ordered_json line{{"format", "leasescope history"},
                              {"version", HistoryHeader::kFormat},
                              {"program", header.program},
                              {"scenario", header.scenario},
                              {"title", header.title},
                              {"seed", header.seed},
                              {"world", header.world},
                              {"store", header.store},
                              {"epoch_unix_ns", nullptr},
                              {"until_ns", nullptr},
                              {"toml", header.toml},
                              {"fork_at_ns", nullptr},
                              {"fork_toml", nullptr}};
  if (header.epoch_ns) line["epoch_unix_ns"] = *header.epoch_ns;
  if (header.until_ns) line["until_ns"] = *header.until_ns;
  if (header.fork) {
    line["fork_at_ns"] = header.fork->at_ns;
    line["fork_toml"] = header.fork->toml;
  }
  // Names come from outside and need not be UTF-8.
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace leasescope
