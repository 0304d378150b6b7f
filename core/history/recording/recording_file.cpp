#include "core/history/recording/recording_file.h"

#include <sys/stat.h>

#include <algorithm>

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
  if (!database.failed()) database.run("COMMIT");
  if (database.failed()) return tl::make_unexpected(database.error());
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
  for (int i = 0; i < kMostAtOnce; ++i) {
    const Dropped dropped = drop_older(*database_, retention_, now_);
    dropped_ += dropped.events;
    if (database_->failed()) return give_up();
    if (dropped.events == 0) return;
  }
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
  if (batch.legend) put_legend(*batch.legend, *database_, facts);
  if (!batch.incidents.empty()) {
    IncidentWriter incidents(*database_);
    for (const auto& [number, incident] : batch.incidents) incidents.put(number, incident);
  }
  if (batch.alerts) {
    put_alerts(*batch.alerts, *database_);
    facts.put("alerts.kept", std::int64_t{1});
  }
  if (batch.summary) {
    put_summary(*batch.summary, *database_);
    facts.put("now_ns", ns(batch.now));
  }
  if (!batch.names.empty()) facts.put("names.sum", names_sum_);
  facts.put("events", static_cast<std::int64_t>(written_ - dropped_ + batch.events.size()));
  if (batch.outcome) put_outcome(*batch.outcome, facts);
}

void RecordingFile::close() {
  if (!database_) return;
  // Readers may be at it: then the log stays beside it, and whoever is the last to close takes it in.
  database_->run("PRAGMA wal_checkpoint(TRUNCATE)");
  database_->run("PRAGMA journal_mode = DELETE");
  database_.reset();
}

}  // namespace leasescope
