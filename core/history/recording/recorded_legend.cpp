#include "core/history/recording/recorded_legend.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::array<std::string_view, 11> kDisturbs{"nothing", "pauses",        "cuts",       "starves",
                                                     "drifts",  "delays writes", "sets clock", "kills",
                                                     "deletes", "fails over",    "restarts"};
static_assert(kDisturbs.size() == static_cast<std::size_t>(Disturbs::kRestarts) + 1);
constexpr std::array<std::string_view, 6> kBands{"none", "pause", "partition", "skew", "server", "unobserved"};
static_assert(kBands.size() == static_cast<std::size_t>(BandKind::kUnobserved) + 1);

// A fault is the detail of an event, of which there are no more.
constexpr std::int64_t kMostFaults = 256;
constexpr std::int64_t kMostPlaces = 16'000'000;

// What the word stands for: a newer program's that we do not know is `otherwise`, which claims the least.
template <class Kind, std::size_t kWords>
Kind meant_by(const std::string& word, const std::array<std::string_view, kWords>& words, Kind otherwise) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? otherwise : static_cast<Kind>(found - words.begin());
}

// The rows are numbered from 0 without a gap.
void expect_place(Statement& row, std::size_t place, std::int64_t most) {
  row.integer(0, static_cast<std::int64_t>(place), std::min(static_cast<std::int64_t>(place), most - 1));
}

void put_faults(const Legend& legend, Database& database) {
  Statement put(database, "INSERT INTO fault VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
  std::int64_t place = 0;
  for (const FaultLegend& fault : legend.faults)
    put.bind(place++)
        .bind(fault.name)
        .bind(fault.spoken)
        .bind(fault.began)
        .bind(fault.ended)
        .bind(kDisturbs[static_cast<std::size_t>(fault.disturbs)])
        .bind(kBands[static_cast<std::size_t>(fault.band)])
        .bind(std::int64_t{fault.lasts})
        .run();
}

void read_faults(Legend& legend, Database& database) {
  Statement rows(database, "SELECT place, name, spoken, began, ended, disturbs, band, lasts FROM fault ORDER BY place");
  while (rows.step()) {
    expect_place(rows, legend.faults.size(), kMostFaults);
    FaultLegend& fault = legend.faults.emplace_back();
    fault.name = rows.text(1);
    fault.spoken = rows.text(2);
    fault.began = rows.text(3);
    fault.ended = rows.text(4);
    fault.disturbs = meant_by(rows.text(5), kDisturbs, Disturbs::kNothing);
    fault.band = meant_by(rows.text(6), kBands, BandKind::kPartition);
    fault.lasts = rows.integer(7, 0, 1) != 0;
  }
}

}  // namespace

void put_legend(const Legend& legend, Database& database, FactWriter& facts) {
  for (const char* const emptied :
       {"DELETE FROM fault", "DELETE FROM mutex", "DELETE FROM contender", "DELETE FROM resource"})
    database.run(emptied);
  put_faults(legend, database);
  Statement mutexes(database, "INSERT INTO mutex VALUES(?, ?, ?, ?)");
  std::int64_t place = 0;
  for (const MutexLegend& mutex : legend.mutexes)
    mutexes.bind(place++).bind(mutex.name).bind(std::int64_t{mutex.capacity}).bind(mutex.system).run();
  Statement contenders(database, "INSERT INTO contender VALUES(?, ?)");
  place = 0;
  for (const std::string& contender : legend.contenders) contenders.bind(place++).bind(contender).run();
  Statement resources(database, "INSERT INTO resource VALUES(?, ?, ?)");
  place = 0;
  for (const ResourceLegend& resource : legend.resources)
    resources.bind(place++).bind(resource.name).bind(std::int64_t{resource.fencing}).run();
  put_store_legend(legend.store, facts);
}

void put_store_legend(const StoreLegend& store, FactWriter& facts) {
  facts.put("store.timeout_ns", store.timeout.count());
  facts.put("store.round_trip_ns", store.round_trip.count());
  facts.put("store.tells", std::int64_t{store.tells});
}

StoreLegend store_legend_of(const Facts& facts) {
  StoreLegend store;
  store.timeout = Duration(facts.number_or("store.timeout_ns", 0, INT64_MAX, 0));
  store.round_trip = Duration(facts.number_or("store.round_trip_ns", 0, INT64_MAX, 0));
  store.tells = facts.number_or("store.tells", 0, 1, 1) != 0;
  return store;
}

Legend read_legend(Database& database, const Facts& facts) {
  Legend legend;
  read_faults(legend, database);
  Statement mutexes(database, "SELECT place, name, capacity, system FROM mutex ORDER BY place");
  while (mutexes.step()) {
    expect_place(mutexes, legend.mutexes.size(), kMostPlaces);
    legend.mutexes.push_back(
        {mutexes.text(1), static_cast<std::uint32_t>(mutexes.integer(2, 0, UINT32_MAX)), mutexes.text(3)});
  }
  Statement contenders(database, "SELECT place, name FROM contender ORDER BY place");
  while (contenders.step()) {
    expect_place(contenders, legend.contenders.size(), kMostPlaces);
    legend.contenders.push_back(contenders.text(1));
  }
  Statement resources(database, "SELECT place, name, fencing FROM resource ORDER BY place");
  while (resources.step()) {
    expect_place(resources, legend.resources.size(), kMostPlaces);
    legend.resources.push_back({resources.text(1), resources.integer(2, 0, 1) != 0});
  }
  legend.store = store_legend_of(facts);
  return legend;
}

}  // namespace leasescope
