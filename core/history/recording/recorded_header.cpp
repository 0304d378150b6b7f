#include "core/history/recording/recorded_header.h"

namespace leasescope {

void put_header(const HistoryHeader& header, FactWriter& facts) {
  facts.put("program", header.program);
  facts.put("scenario", header.scenario);
  facts.put("title", header.title);
  facts.put("toml", header.toml);
  facts.put_unsigned("seed", header.seed);
  facts.put("world", header.world);
  facts.put("store", header.store);
  if (header.epoch_ns) facts.put("epoch_unix_ns", *header.epoch_ns);
  if (header.until_ns) facts.put("until_ns", *header.until_ns);
  if (!header.fork) return;
  facts.put("fork_at_ns", header.fork->at_ns);
  facts.put("fork_toml", header.fork->toml);
}

HistoryHeader header_of(const Facts& facts) {
  HistoryHeader header;
  header.program = facts.text_or_empty("program");
  header.scenario = facts.text_or_empty("scenario");
  header.title = facts.text_or_empty("title");
  header.toml = facts.text_or_empty("toml");
  header.seed = facts.unsigned_or_zero("seed");
  header.world = facts.text_or_empty("world");
  header.store = facts.text_or_empty("store");
  header.epoch_ns = facts.number("epoch_unix_ns");
  header.until_ns = facts.number("until_ns");
  if (const auto at = facts.number("fork_at_ns")) header.fork = {*at, facts.text_or_empty("fork_toml")};
  return header;
}

}  // namespace leasescope
