#include "core/history/recording/schema.h"

#include <fmt/format.h>

#include "core/history/recording/frame_sum.h"

namespace leasescope {
namespace {

constexpr const char* kFirst = R"(
CREATE TABLE fact(key TEXT NOT NULL PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE kind(kind INTEGER PRIMARY KEY, word TEXT NOT NULL);
CREATE TABLE detail(kind INTEGER NOT NULL, detail INTEGER NOT NULL, word TEXT NOT NULL,
                    PRIMARY KEY(kind, detail)) WITHOUT ROWID;
CREATE TABLE name(handle INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE fault(place INTEGER PRIMARY KEY, name TEXT NOT NULL, spoken TEXT NOT NULL, began TEXT NOT NULL,
                   ended TEXT NOT NULL, disturbs TEXT NOT NULL, band TEXT NOT NULL, lasts INTEGER NOT NULL);
CREATE TABLE mutex(place INTEGER PRIMARY KEY, name TEXT NOT NULL, capacity INTEGER NOT NULL, system TEXT NOT NULL);
CREATE TABLE contender(place INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE resource(place INTEGER PRIMARY KEY, name TEXT NOT NULL, fencing INTEGER NOT NULL);
CREATE TABLE block(first INTEGER PRIMARY KEY, last INTEGER NOT NULL, from_ns INTEGER NOT NULL, to_ns INTEGER NOT NULL,
                   sum INTEGER NOT NULL, events BLOB NOT NULL);
CREATE TABLE incident(number INTEGER PRIMARY KEY, kind TEXT NOT NULL, mutex INTEGER NOT NULL, start_ns INTEGER NOT NULL,
                      end_ns INTEGER NOT NULL, open INTEGER NOT NULL, cause TEXT NOT NULL);
CREATE TABLE incident_contender(incident INTEGER NOT NULL, place INTEGER NOT NULL, name INTEGER NOT NULL,
                                PRIMARY KEY(incident, place)) WITHOUT ROWID;
CREATE TABLE incident_token(incident INTEGER NOT NULL, place INTEGER NOT NULL, token INTEGER NOT NULL,
                            PRIMARY KEY(incident, place)) WITHOUT ROWID;
CREATE TABLE summary(field TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
)";

// What was told of the alerts of a watch.
constexpr const char* kSecond = R"(
CREATE TABLE alert(number INTEGER PRIMARY KEY, alert INTEGER NOT NULL, what TEXT NOT NULL, at_ns INTEGER NOT NULL,
                   until_ns INTEGER NOT NULL, rule TEXT NOT NULL, kind TEXT NOT NULL, mutex INTEGER NOT NULL,
                   words TEXT NOT NULL);
)";

// What stands beside events and names is summed up (frame_sum.h): a fact more, and no table.
constexpr const char* kThird = "";

// Those that hold what is read: a view or a virtual table of that name would be somebody's program.
constexpr const char* kOurTables =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name IN ('fact', 'kind', 'detail', "
    "'name', 'fault', 'mutex', 'contender', 'resource', 'block', 'incident', 'incident_contender', 'incident_token', "
    "'summary')";
constexpr std::int64_t kTables = 13;
constexpr const char* kAlertTable =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = 'alert'";

// By which program it was written, where that can be read.
std::string writer_of(Database& database) {
  Statement fact(database, "SELECT value FROM fact WHERE key = 'program'");
  return fact.step() ? fact.text(0) : std::string();
}

}  // namespace

const RecordingSchema& RecordingSchema::current() {
  // A later form is one more line here: {2, "ALTER TABLE …"}, and the number above it.
  static const RecordingSchema schema{3, {{1, kSecond}, {2, kThird}}};
  return schema;
}

void RecordingSchema::create(Database& database) const {
  if (database.number("SELECT count(*) FROM sqlite_schema") != 0)
    return database.fail("holds something already: expected a new file");
  database.run(kFirst);
  for (const Migration& migration : migrations) database.run(migration.statements);
  database.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, version).c_str());
}

void RecordingSchema::expect_readable(Database& database) const {
  const std::int64_t application = database.number("PRAGMA application_id");
  const std::int64_t found = database.number("PRAGMA user_version");
  if (database.failed()) return;
  if (application != kApplication)
    return database.fail("is no recording, but another program's SQLite file: expected one that run --record wrote");
  if (found > version) {
    const std::string writer = writer_of(database);
    return database.fail(
        fmt::format("is a recording of form {}, and this program reads none above {}: read it with {}", found, version,
                    writer.empty() ? "a newer leasescope" : "leasescope " + writer + " or a newer one"));
  }
  if (found < 1) return database.fail(fmt::format("is damaged: its form is {}, and the first is 1", found));
  if (database.number(kOurTables) != kTables || (found >= 2 && !keeps_alerts(database)))
    database.fail("is damaged: not all tables of a recording are there");
}

bool RecordingSchema::keeps_alerts(Database& database) { return database.number(kAlertTable) == 1; }

void RecordingSchema::migrate(Database& database) const {
  const std::int64_t found = database.number("PRAGMA user_version");
  if (database.failed() || found >= version) return;
  database.run("BEGIN IMMEDIATE");
  for (const Migration& migration : migrations)
    if (migration.from >= found) database.run(migration.statements);
  if (found < kFirstFormWithFrameSum && version >= kFirstFormWithFrameSum) sum_up(database);
  database.run(fmt::format("PRAGMA user_version = {}; COMMIT", version).c_str());
}

}  // namespace leasescope
