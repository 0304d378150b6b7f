#include "core/history/recording/frame_sum.h"

#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "core/history/recording/event_block.h"
#include "core/history/recording/schema.h"

namespace leasescope {
namespace {

// Rows that are asked for, what their columns are ('n': a number, 't': a text), and which of all tables they are of.
struct Rows {
  const char* sql;
  std::string_view columns;
  std::int64_t table;
};

constexpr Rows kWords[] = {{"SELECT kind, word FROM kind", "nt", 1},
                           {"SELECT kind, detail, word FROM detail", "nnt", 2}};
constexpr Rows kLegend[] = {
    {"SELECT place, name, spoken, began, ended, disturbs, band, lasts FROM fault", "nttttttn", 3},
    {"SELECT place, name, capacity, system FROM mutex", "ntnt", 4},
    {"SELECT place, name FROM contender", "nt", 5},
    {"SELECT place, name, fencing FROM resource", "ntn", 6}};
constexpr Rows kIncidents[] = {
    {"SELECT number, kind, mutex, start_ns, end_ns, open, cause FROM incident", "ntnnnnt", 7},
    {"SELECT incident, place, name FROM incident_contender", "nnn", 8},
    {"SELECT incident, place, token FROM incident_token", "nnn", 9}};
constexpr Rows kOneIncident[] = {
    {"SELECT number, kind, mutex, start_ns, end_ns, open, cause FROM incident WHERE number = ?", "ntnnnnt", 7},
    {"SELECT incident, place, name FROM incident_contender WHERE incident = ?", "nnn", 8},
    {"SELECT incident, place, token FROM incident_token WHERE incident = ?", "nnn", 9}};
constexpr Rows kAlerts = {
    "SELECT number, alert, what, at_ns, until_ns, rule, kind, mutex, words FROM alert WHERE number > ?", "nntnnttnt",
    10};
constexpr Rows kRest[] = {
    {"SELECT field, value FROM summary", "tn", 11},
    {"SELECT key, value FROM fact WHERE typeof(value) = 'integer' AND key <> 'frame.sum'", "tn", 12},
    {"SELECT key, value FROM fact WHERE typeof(value) <> 'integer' AND key <> 'frame.sum'", "tt", 13}};

void pack(std::uint64_t number, std::string& into) {
  for (int byte = 0; byte < 8; ++byte) into += static_cast<char>(number >> 8 * byte & 0xff);
}

// The rest of an answer.
std::uint64_t sum_of_rows(Statement& rows, const Rows& of) {
  std::uint64_t sum = 0;
  std::string packed;
  while (rows.step()) {
    packed.clear();
    for (std::size_t column = 0; column < of.columns.size(); ++column) {
      const int place = static_cast<int>(column);
      if (of.columns[column] == 'n') {
        pack(static_cast<std::uint64_t>(rows.integer(place)), packed);
        continue;
      }
      const std::string text = rows.text(place);
      pack(text.size(), packed);
      packed += text;
    }
    sum += static_cast<std::uint64_t>(sum_of(packed, of.table));
  }
  return sum;
}

template <std::size_t kTables>
std::uint64_t sum_of_tables(Database& database, const Rows (&tables)[kTables]) {
  std::uint64_t sum = 0;
  for (const Rows& of : tables) {
    Statement rows(database, of.sql);
    sum += sum_of_rows(rows, of);
  }
  return sum;
}

std::int64_t whole_sum(Database& database, const FrameSums& sums) {
  return static_cast<std::int64_t>(sums.legend + sums.incidents + sums.alerts + sum_of_tables(database, kRest));
}

std::int64_t words_sum(Database& database) { return static_cast<std::int64_t>(sum_of_tables(database, kWords)); }

// The facts that have the sums.
constexpr std::string_view kFrameSum = "frame.sum", kWordsSum = "words.sum";

void put(Database& database, std::string_view fact, std::int64_t sum) {
  Statement(database, "INSERT OR REPLACE INTO fact VALUES(?, ?)").bind(fact).bind(sum).run();
}

std::optional<std::int64_t> written_sum(Database& database, std::string_view fact) {
  Statement rows(database, "SELECT value FROM fact WHERE key = ?");
  rows.bind(fact);
  std::optional<std::int64_t> sum;
  while (rows.step()) sum = rows.integer(0);
  return sum;
}

bool must_have_sums(Database& database) { return database.number("PRAGMA user_version") >= kFirstFormWithFrameSum; }

}  // namespace

std::uint64_t legend_sum(Database& database) { return sum_of_tables(database, kLegend); }

std::uint64_t alerts_sum(Database& database, std::int64_t after) {
  if (!RecordingSchema::keeps_alerts(database)) return 0;
  Statement rows(database, kAlerts.sql);
  rows.bind(after);
  return sum_of_rows(rows, kAlerts);
}

FrameSums frame_sums(Database& database) {
  return {legend_sum(database), sum_of_tables(database, kIncidents), alerts_sum(database, 0)};
}

IncidentSum::IncidentSum(Database& database)
    : incident_(database, kOneIncident[0].sql),
      contenders_(database, kOneIncident[1].sql),
      tokens_(database, kOneIncident[2].sql) {}

std::uint64_t IncidentSum::of(std::size_t number) {
  std::uint64_t sum = 0;
  Statement* const parts[] = {&incident_, &contenders_, &tokens_};
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    parts[i]->bind(static_cast<std::int64_t>(number));
    sum += sum_of_rows(*parts[i], kOneIncident[i]);
  }
  return sum;
}

void put_frame_sum(Database& database, const FrameSums& sums) { put(database, kFrameSum, whole_sum(database, sums)); }

FrameSums sum_up(Database& database) {
  put(database, kWordsSum, words_sum(database));
  const FrameSums sums = frame_sums(database);
  put_frame_sum(database, sums);
  return sums;
}

FrameState frame_state(Database& database) {
  const std::optional<std::int64_t> written = written_sum(database, kFrameSum);
  if (!written) return must_have_sums(database) ? FrameState::kChanged : FrameState::kNotKnown;
  return *written == whole_sum(database, frame_sums(database)) ? FrameState::kWhole : FrameState::kChanged;
}

bool words_changed(Database& database) {
  const std::optional<std::int64_t> written = written_sum(database, kWordsSum);
  return written ? *written != words_sum(database) : must_have_sums(database);
}

}  // namespace leasescope
