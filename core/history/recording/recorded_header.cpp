#include "core/history/recording/recorded_header.h"

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::int64_t kMostStores = 10'000;

void put_watch(const WatchSettings& watch, FactWriter& facts) {
  facts.put("watch.stores", static_cast<std::int64_t>(watch.stores.size()));
  for (std::size_t i = 0; i < watch.stores.size(); ++i) {
    const WatchSettings::Store& store = watch.stores[i];
    const std::string key = fmt::format("watch.store.{}", i);
    facts.put(key, std::string_view(store.name));
    facts.put(key + ".poll_ns", store.poll_ns);
    facts.put(key + ".foreign", std::string_view(store.foreign));
    facts.put(key + ".beliefs", static_cast<std::int64_t>(store.beliefs));
  }
  facts.put("watch.mutexes", std::string_view(watch.mutexes));
  facts.put("watch.belief_socket", static_cast<std::int64_t>(watch.belief_socket));
  facts.put("watch.rules", std::string_view(watch.rules));
}

std::optional<WatchSettings> watch_of(const Facts& facts) {
  if (!facts.has("watch.stores")) return std::nullopt;
  WatchSettings out;
  const std::int64_t stores = facts.number_or("watch.stores", 0, kMostStores, 0);
  for (std::int64_t i = 0; i < stores; ++i) {
    const std::string key = fmt::format("watch.store.{}", i);
    WatchSettings::Store& store = out.stores.emplace_back();
    store.name = facts.text_or_empty(key);
    store.poll_ns = facts.number_or(key + ".poll_ns", 0, INT64_MAX, 0);
    store.foreign = facts.text_or_empty(key + ".foreign");
    store.beliefs = facts.number_or(key + ".beliefs", 0, 1, 0) != 0;
  }
  out.mutexes = facts.text_or_empty("watch.mutexes");
  out.belief_socket = facts.number_or("watch.belief_socket", 0, 1, 0) != 0;
  out.rules = facts.text_or_empty("watch.rules");
  return out;
}

}  // namespace

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
  if (header.watch) put_watch(*header.watch, facts);
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
  header.watch = watch_of(facts);
  return header;
}

}  // namespace leasescope
