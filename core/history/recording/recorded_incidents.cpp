#include "core/history/recording/recorded_incidents.h"

#include <algorithm>

#include "core/history/summary_fields.h"

namespace leasescope {
namespace {

std::int64_t ns(TrueTime at) { return at.time_since_epoch().count(); }

std::optional<IncidentKind> kind_of(const std::string& word) {
  for (const IncidentKind kind : kAllIncidentKinds)
    if (text(kind) == word) return kind;
  return std::nullopt;
}

// The rows of a list, which are ordered by incident and place: those of `incident`, of which the first may be the next.
template <class Take>
void take_rows(Statement& rows, bool& row, std::int64_t incident, Take take) {
  while (row && rows.integer(0) < incident) row = rows.step();
  for (; row && rows.integer(0) == incident; row = rows.step()) take(rows);
}

}  // namespace

IncidentWriter::IncidentWriter(Database& database)
    : incident_(database, "INSERT OR REPLACE INTO incident VALUES(?, ?, ?, ?, ?, ?, ?)"),
      forget_contenders_(database, "DELETE FROM incident_contender WHERE incident = ?"),
      forget_tokens_(database, "DELETE FROM incident_token WHERE incident = ?"),
      contender_(database, "INSERT INTO incident_contender VALUES(?, ?, ?)"),
      token_(database, "INSERT INTO incident_token VALUES(?, ?, ?)") {}

void IncidentWriter::put(std::size_t number, const Incident& incident) {
  const auto key = static_cast<std::int64_t>(number);
  incident_.bind(key)
      .bind(text(incident.kind))
      .bind(std::int64_t{incident.mutex.handle})
      .bind(ns(incident.start))
      .bind(ns(incident.end))
      .bind(std::int64_t{incident.open})
      .bind(incident.cause)
      .run();
  forget_contenders_.bind(key).run();
  forget_tokens_.bind(key).run();
  std::int64_t place = 0;
  for (const Name who : incident.contenders) contender_.bind(key).bind(place++).bind(std::int64_t{who.handle}).run();
  place = 0;
  for (const Token token : incident.tokens) token_.bind(key).bind(place++).bind(static_cast<std::int64_t>(token)).run();
}

RecordedIncidents read_incidents(Database& database, std::size_t names) {
  RecordedIncidents out;
  const auto last_name = static_cast<std::int64_t>(names) - 1;
  const auto name_at = [&](Statement& row, int column) {
    return Name{static_cast<std::uint32_t>(row.integer(column, 0, last_name))};
  };
  Statement rows(database, "SELECT number, kind, mutex, start_ns, end_ns, open, cause FROM incident ORDER BY number");
  Statement contenders(database, "SELECT incident, name FROM incident_contender ORDER BY incident, place");
  Statement tokens(database, "SELECT incident, token FROM incident_token ORDER BY incident, place");
  bool contender = contenders.step(), token = tokens.step();
  while (rows.step()) {
    const std::int64_t number = rows.integer(0);
    const std::string word = rows.text(1);
    const std::optional<IncidentKind> kind = kind_of(word);
    if (!kind) ++out.unknown[word];
    if (!kind) continue;
    Incident incident;
    incident.kind = *kind;
    incident.mutex = name_at(rows, 2);
    incident.start = TrueTime(Duration(rows.integer(3)));
    incident.end = TrueTime(Duration(rows.integer(4)));
    incident.open = rows.integer(5, 0, 1) != 0;
    incident.cause = rows.text(6);
    take_rows(contenders, contender, number, [&](Statement& row) { incident.contenders.push_back(name_at(row, 1)); });
    take_rows(tokens, token, number,
              [&](Statement& row) { incident.tokens.push_back(static_cast<Token>(row.integer(1))); });
    out.list.push_back(std::move(incident));
  }
  return out;
}

void put_summary(const Summary& summary, Database& database) {
  Statement put(database, "INSERT OR REPLACE INTO summary VALUES(?, ?)");
  for (const SummaryCount& field : kSummaryCounts)
    put.bind(field.name).bind(static_cast<std::int64_t>(summary.*field.of)).run();
  for (const SummaryLength& field : kSummaryLengths) put.bind(field.name).bind((summary.*field.of).count()).run();
}

Summary read_summary(Database& database, const IncidentList& incidents) {
  Summary out;
  Statement rows(database, "SELECT field, value FROM summary");
  while (rows.step()) {
    const std::string name = rows.text(0);
    const std::int64_t value = rows.integer(1);
    for (const SummaryCount& field : kSummaryCounts)
      if (name == field.name) out.*field.of = static_cast<std::uint64_t>(value);
    for (const SummaryLength& field : kSummaryLengths)
      if (name == field.name) out.*field.of = Duration(value);
  }
  for (const Incident& incident : incidents) ++out.incidents[static_cast<std::size_t>(incident.kind)];
  return out;
}

}  // namespace leasescope
