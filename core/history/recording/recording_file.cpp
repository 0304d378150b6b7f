#include "core/history/recording/recording_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/whole_file.h"
#include "core/history/recording/event_block.h"
#include "core/history/recording/event_words.h"
#include "core/history/recording/recorded_alerts.h"
#include "core/history/recording/recorded_header.h"
#include "core/history/recording/recorded_incidents.h"
#include "core/history/recording/recorded_legend.h"
#include "core/history/recording/schema.h"

namespace leasescope {
namespace {

std::int64_t ns(TrueTime at) { return at.time_since_epoch().count(); }

}  // namespace

bool holds_something(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0;
}

std::string why_not_recorded(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return why_unwritable(path);  // it will be made
  if (!S_ISREG(found.st_mode)) return fmt::format("{} is no plain file: expected a file on a disk", path);
  if (found.st_size > 0)
    return fmt::format("{} is there already and is not written over: take it away, or name another file", path);
  return why_unwritable(path);
}

tl::expected<std::unique_ptr<RecordingFile>, std::string> RecordingFile::create(
    const std::string& path, std::int64_t most_pages, const Retention& retention,
    std::chrono::milliseconds retained_every) {
  if (std::string reason = why_not_recorded(path); !reason.empty()) return tl::make_unexpected(std::move(reason));
  auto opened = Database::open(path, Database::Mode::kCreate);
  if (!opened) return tl::make_unexpected(opened.error());
  Database& database = **opened;
  // What was committed stays when the program is killed. After a loss of power the last of it may be missing, and the
  // rest is whole: to wait for the disk each time would cost as much again.
  // Room that is given up goes back to the disk: that is decided before there is a table.
  database.run("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (most_pages > 0) database.run(fmt::format("PRAGMA max_page_count = {}", most_pages).c_str());
  database.run("BEGIN IMMEDIATE");
  RecordingSchema::current().create(database);
  std::unique_ptr<RecordingFile> out(new RecordingFile(std::move(*opened)));
  out->retention_ = retention;
  out->retained_every_ = retained_every;
  out->put_words();
  out->sums_ = sum_up(database);
  if (!database.failed()) database.run("COMMIT");
  if (database.failed()) return tl::make_unexpected(database.error());
  if (auto lock = FileLock::take(path)) out->lock_ = std::move(*lock);
  return out;
}

tl::expected<std::unique_ptr<RecordingFile>, NotGoneOn> RecordingFile::go_on(const std::string& path, FileLock lock,
                                                                             const Retention& retention,
                                                                             std::chrono::milliseconds retained_every) {
  auto opened = Database::open(path, Database::Mode::kChange);
  if (!opened) return tl::make_unexpected(NotGoneOn{opened.error()});
  Database& database = **opened;
  RecordingSchema::current().expect_readable(database);
  database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  RecordingSchema::current().migrate(database);
  std::unique_ptr<RecordingFile> out(new RecordingFile(std::move(*opened)));
  out->lock_ = std::move(lock);
  out->retention_ = retention;
  out->retained_every_ = retained_every;
  database.run("BEGIN IMMEDIATE");
  out->match_words();
  out->take_up();
  out->sums_ = sum_up(database);
  if (!database.failed()) database.run("COMMIT");
  if (database.failed()) return tl::make_unexpected(NotGoneOn{database.error(), database.is_held()});
  return out;
}

RecordingFile::RecordingFile(std::unique_ptr<Database> database) : database_(std::move(database)) {}
RecordingFile::~RecordingFile() = default;

void RecordingFile::put_words() {
  Statement kinds(*database_, "INSERT INTO kind VALUES(?, ?)");
  Statement details(*database_, "INSERT INTO detail VALUES(?, ?, ?)");
  for (const EventWord& each : event_words()) {
    if (each.detail == EventWord::kOfKind)
      kinds.bind(std::int64_t{each.kind}).bind(each.word).run();
    else
      details.bind(std::int64_t{each.kind}).bind(std::int64_t{each.detail}).bind(each.word).run();
  }
}

// What comes is written in this program's numbers, and another version may have had others.
void RecordingFile::match_words() {
  std::map<std::pair<int, int>, std::string> words;  // by kind and detail
  std::set<std::pair<int, std::string>> known;       // of a kind's details, by its number; of the kinds, by kOfKind
  const auto take = [&](int kind, int detail, const std::string& word) {
    words[{kind, detail}] = word;
    known.insert({detail == EventWord::kOfKind ? EventWord::kOfKind : kind, word});
  };
  const auto number = [](Statement& row, int column) { return static_cast<int>(row.integer(column, 0, UINT8_MAX)); };
  {
    Statement kinds(*database_, "SELECT kind, word FROM kind");
    while (kinds.step()) take(number(kinds, 0), EventWord::kOfKind, kinds.text(1));
    Statement details(*database_, "SELECT kind, detail, word FROM detail");
    while (details.step()) take(number(details, 0), number(details, 1), details.text(2));
  }
  Statement kinds(*database_, "INSERT INTO kind VALUES(?, ?)");
  Statement details(*database_, "INSERT INTO detail VALUES(?, ?, ?)");
  for (const EventWord& each : event_words()) {
    const bool of_kind = each.detail == EventWord::kOfKind;
    const auto found = words.find({each.kind, each.detail});
    if (found != words.end() && found->second == each.word) continue;
    if (found != words.end() || known.count({of_kind ? EventWord::kOfKind : each.kind, std::string(each.word)}) > 0)
      return database_->fail("was written by a version that numbers its events otherwise: name another file");
    if (of_kind)
      kinds.bind(std::int64_t{each.kind}).bind(each.word).run();
    else
      details.bind(std::int64_t{each.kind}).bind(std::int64_t{each.detail}).bind(each.word).run();
  }
}

// Where its last writer stopped.
void RecordingFile::take_up() {
  const Facts facts(*database_);
  names_sum_ = facts.number("names.sum").value_or(0);
  now_ = TrueTime(Duration(facts.number("now_ns").value_or(0)));
  names_ = static_cast<std::size_t>(database_->number("SELECT count(*) FROM name"));
  written_ = static_cast<std::uint64_t>(facts.number_or("events", 0, UINT32_MAX, 0));
  incidents_ = static_cast<std::size_t>(database_->number("SELECT coalesce(max(number) + 1, 0) FROM incident"));
  {
    Statement block(*database_, "SELECT first, last, events FROM block ORDER BY first DESC LIMIT 1");
    if (block.step()) {
      const std::int64_t first = block.integer(0, 1, UINT32_MAX), last = block.integer(1, first, UINT32_MAX);
      const auto size = static_cast<std::size_t>(last - first + 1);
      first_ = static_cast<std::uint64_t>(first);
      if (size < kEventsInBlock && !unpack_events(block.bytes(2), size, first_, last_))
        database_->fail("is damaged: its last events are cut short");
    }
  }
  database_->run("DELETE FROM fact WHERE key LIKE 'outcome.%' OR key LIKE 'legality.%'");
  database_->run("UPDATE incident SET open = 0 WHERE open <> 0");
}

void RecordingFile::write(const RecordingBatch& batch) {
  if (!error_.empty() || batch.empty()) return;
  database_->run("BEGIN IMMEDIATE");
  put_names(batch);
  put_events(batch);
  put_state(batch);
  database_->run("COMMIT");
  if (!database_->failed()) {
    written_ += batch.events.size();
    if (batch.summary) now_ = batch.now;
    return retain();
  }
  give_up();
}

// Now and then, in small transactions: whoever reads it is held up by none for long.
void RecordingFile::retain() {
  constexpr int kMostAtOnce = 16;
  const auto now = std::chrono::steady_clock::now();
  if (!retention_.any() || now - retained_ < retained_every_) return;
  retained_ = now;
  bool any = false;
  for (int i = 0; i < kMostAtOnce; ++i) {
    const Dropped dropped = drop_older(*database_, retention_, now_);
    dropped_ += dropped.events;
    if (database_->failed()) return give_up();
    if (dropped.events == 0) break;
    any = true;
  }
  if (any) sums_ = frame_sums(*database_);
  if (database_->failed()) give_up();
}

void RecordingFile::give_up() {
  reason_ = database_->error();
  error_ = fmt::format("{}. The {} events before are in it", reason_, written_ - dropped_);
  database_.reset();  // which takes back what was begun
}

void RecordingFile::put_names(const RecordingBatch& batch) {
  Statement put(*database_, "INSERT INTO name VALUES(?, ?)");
  auto handle = static_cast<std::int64_t>(batch.first_name);
  for (const std::string& name : batch.names) {
    put.bind(handle++).bind(name).run();
    names_sum_ = sum_of(name, names_sum_);
  }
  names_ += batch.names.size();
}

// The last block is written anew as long as it is not full: a quiet history must not become a heap of small ones.
void RecordingFile::put_events(const RecordingBatch& batch) {
  if (batch.events.empty()) return;
  if (last_.empty()) first_ = batch.first;
  for (std::size_t taken = 0; taken < batch.events.size();) {
    const std::size_t room = std::min(kEventsInBlock - last_.size(), batch.events.size() - taken);
    const auto from = batch.events.begin() + static_cast<std::ptrdiff_t>(taken);
    last_.insert(last_.end(), from, from + static_cast<std::ptrdiff_t>(room));
    taken += room;
    put_block();
    if (last_.size() < kEventsInBlock) continue;
    first_ += last_.size();
    last_.clear();
  }
}

void RecordingFile::put_block() {
  pack_events(last_.data(), last_.size(), first_, packed_);
  TrueTime from = TrueTime::max(), to = TrueTime::min();
  for (const Event& event : last_) {
    from = std::min(from, event.hi);
    to = std::max(to, event.hi);
  }
  Statement put(*database_, "INSERT OR REPLACE INTO block VALUES(?, ?, ?, ?, ?, ?)");
  put.bind(static_cast<std::int64_t>(first_))
      .bind(static_cast<std::int64_t>(first_ + last_.size() - 1))
      .bind(ns(from))
      .bind(ns(to))
      .bind(sum_of(packed_, static_cast<std::int64_t>(first_)))
      .bind_bytes(packed_)
      .run();
}

void RecordingFile::put_state(const RecordingBatch& batch) {
  FactTable facts(*database_);
  if (batch.header) put_header(*batch.header, facts);
  if (batch.legend) {
    put_legend(*batch.legend, *database_, facts);
    sums_.legend = legend_sum(*database_);
  }
  put_incidents(batch);
  if (batch.alerts) {
    const std::int64_t last = database_->number("SELECT coalesce(max(number), 0) FROM alert");
    put_alerts(*batch.alerts, *database_);
    sums_.alerts += alerts_sum(*database_, last);
    facts.put("alerts.kept", std::int64_t{1});
  }
  if (batch.summary) {
    put_summary(*batch.summary, *database_);
    facts.put("now_ns", ns(batch.now));
    if (batch.known) {
      facts.put("known_ns", ns(batch.known->ours));
      facts.put("known_foreign_ns", ns(batch.known->foreign));
    }
  }
  if (!batch.names.empty()) facts.put("names.sum", names_sum_);
  facts.put("events", static_cast<std::int64_t>(written_ - dropped_ + batch.events.size()));
  if (batch.outcome) put_outcome(*batch.outcome, facts);
  put_frame_sum(*database_, sums_);
}

// One that is written anew is another one now.
void RecordingFile::put_incidents(const RecordingBatch& batch) {
  if (batch.incidents.empty()) return;
  IncidentWriter incidents(*database_);
  IncidentSum sum(*database_);
  for (const auto& [number, incident] : batch.incidents) {
    sums_.incidents -= sum.of(number);
    incidents.put(number, incident);
    sums_.incidents += sum.of(number);
  }
}

void RecordingFile::close() {
  if (!database_) return;
  // Readers may be at it: then the log stays beside it, and whoever is the last to close takes it in.
  database_->run("PRAGMA wal_checkpoint(TRUNCATE)");
  database_->run("PRAGMA journal_mode = DELETE");
  database_.reset();
  lock_ = {};
}

}  // namespace leasescope
