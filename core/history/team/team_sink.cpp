#include "core/history/team/team_sink.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/history/team/advice.h"
#include "core/history/team/days.h"

namespace leasescope::team {
namespace {

using Kind = SqlError::Kind;
using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{100}, kLongestWait{5'000};
// The session of an observer that was killed is over a moment later.
constexpr milliseconds kForItsSession{1'500};
constexpr int kRetainAgainAfter = 600;  // batches, where somebody reads what is to be dropped

int today() { return day_of(std::int64_t{std::time(nullptr)} * 1'000'000'000); }
std::int64_t this_hour() { return std::int64_t{std::time(nullptr)} / 3600; }

}  // namespace

TeamSink::TeamSink(const StoreUrl& url, const TeamTerms& terms) : url_(url), terms_(terms), name_(terms.observer) {}
TeamSink::~TeamSink() = default;

tl::expected<std::unique_ptr<TeamSink>, TeamSink::NotBegun> TeamSink::open(const StoreUrl& url,
                                                                           const TeamTerms& terms) {
  if (const std::string why = why_no_observer(terms.observer); !why.empty())
    return tl::unexpected(NotBegun{"--observer " + why, false});
  std::unique_ptr<TeamSink> out(new TeamSink(url, terms));
  const Done begun = out->begin();
  if (begun) return out;
  const SqlError& error = begun.error();
  return tl::unexpected(NotBegun{told(error, url), error.kind != Kind::kRefused && !error.lasts});
}

ConnectionTerms TeamSink::ways() const {
  ConnectionTerms out;
  out.called = "leasescope " + terms_.observer;
  out.patience = terms_.patience;
  out.leaving = &leaving_;
  return out;
}

Done TeamSink::begin() {
  auto opened = Connection::open(url_, ways());
  if (!opened) return tl::unexpected(opened.error());
  database_ = std::move(*opened);
  if (auto made = bring_up_to_date(*database_, terms_.program); !made) return made;
  if (auto named = take_name(); !named) return named;
  if (auto inserted = insert_recording(); !inserted) return inserted;
  // So that rights that are missing are told of now.
  if (auto made = need_days({today()}); !made) return made;
  const Done retained = retain();
  return retained || retained.error().kind == Kind::kAgain ? Done() : retained;
}

Done TeamSink::take_name() {
  Done taken = name_.take(*database_);
  for (milliseconds waited{0}; !taken && taken.error().state == "name" && waited < kForItsSession;
       waited += kFirstWait) {
    if (!wait(kFirstWait)) break;
    taken = name_.take(*database_);
  }
  return taken;
}

Done TeamSink::insert_recording() {
  const auto row = database_->ask(
      {"insert into leasescope_history.recording (observer, name_lock) values ($1::text, $2::bigint) returning id",
       {SqlValue(terms_.observer), SqlValue(name_.number())},
       std::nullopt});
  if (!row) return tl::unexpected(row.error());
  recording_ = row->number(0, 0);
  rows_.emplace(recording_);
  return {};
}

// ---- a batch

void TeamSink::write(const RecordingBatch& batch) {
  if (!error_.empty() || batch.empty()) return;
  const auto made = rows_->next(batch);
  if (!made) return fail(fmt::format("{}: {}", printable(url_), made.error()));
  milliseconds pause = kFirstWait;
  const auto began = std::chrono::steady_clock::now();
  for (;;) {
    const Done done = attempt(*made);
    if (done) break;
    if (done.error().kind == Kind::kRefused) return fail(words_of(done.error()));
    note_away(words_of(done.error()));
    if (done.error().kind == Kind::kAway) {
      database_.reset();
      unsure_ = true;
    }
    // However long it was away before whoever records wanted to leave.
    if (leaving_ && std::chrono::steady_clock::now() - std::max(began, left_at_) > Limit::kFarewell)
      return fail(fmt::format("{}; {} events of the end are not in it", words_of(done.error()), made->events));
    wait(pause);
    pause = std::min(pause * 2, kLongestWait);
    if (leaving_) pause = kFirstWait;
  }
  done_ = made->number;
  written_ += made->events;
  note_away({});
  if (const Done retained = retain(); !retained && retained.error().kind == Kind::kRefused)
    fail(words_of(retained.error()));
}

Done TeamSink::attempt(const BatchOfRows& batch) {
  if (database_ == nullptr)
    if (auto connected = connect(); !connected) return connected;
  if (std::exchange(unsure_, false)) {
    Done found = find_out(batch);
    if (!found) unsure_ = true;
    if (!found || done_ == batch.number) return found;
  }
  if (auto needed = need_days(batch.days); !needed) return needed;
  Done done = run(batch);
  if (done || done.error().kind == Kind::kAway) return done;
  // It is not there: nothing of it is.
  if (auto back = database_->say("rollback"); !back) return tl::unexpected(back.error());
  days_.clear();
  unsure_ = true;
  if (done.error().state != "rows") return done;
  const Done found = find_out(batch);
  return !found || done_ == batch.number ? found : done;
}

// Our name is ours again before anything is asked: the session that broke off can do nothing any more.
Done TeamSink::connect() {
  auto opened = Connection::open(url_, ways());
  if (!opened) return tl::unexpected(opened.error());
  database_ = std::move(*opened);
  days_.clear();
  Done taken = name_.take(*database_);
  if (!taken) database_.reset();
  return taken;
}

Done TeamSink::find_out(const BatchOfRows& batch) {
  const auto row = database_->ask(
      {"select batch from leasescope_history.recording where id = $1::bigint", {SqlValue(recording_)}, std::nullopt});
  if (!row) return tl::unexpected(row.error());
  const std::int64_t there = row->size() == 1 ? row->number(0, 0) : -1;
  if (there == batch.number) done_ = batch.number;
  if (there == batch.number || there == batch.number - 1) return {};
  const char* const why = there < 0 ? "its recording is not there any more"
                                    : "what it had said was kept is gone (has a standby taken over that lacked it?)";
  return tl::unexpected(SqlError{Kind::kRefused, why, "rows"});
}

Done TeamSink::run(const BatchOfRows& batch) {
  const auto ask = [&](const SqlCall& call) -> Done {
    if (auto answer = database_->ask(call); !answer) return tl::unexpected(answer.error());
    return {};
  };
  if (batch.calls.size() == 1) return ask(batch.calls.front());
  if (auto begun = database_->say("begin"); !begun) return tl::unexpected(begun.error());
  for (const SqlCall& call : batch.calls)
    if (auto done = ask(call); !done) return done;
  if (auto ended = database_->say("commit"); !ended) return tl::unexpected(ended.error());
  return {};
}

Done TeamSink::need_days(const std::set<int>& days) {
  std::set<int> missing;
  std::set_difference(days.begin(), days.end(), days_.begin(), days_.end(), std::inserter(missing, missing.end()));
  if (missing.empty()) return {};
  if (auto made = make_days(*database_, missing); !made) return made;
  days_.insert(missing.begin(), missing.end());
  return {};
}

// Once an hour. Who reads just now keeps it from that, and then it is tried again later.
Done TeamSink::retain() {
  if (!terms_.retention.any() || database_ == nullptr || retained_in_ == this_hour()) return {};
  if (retain_again_ > 0 && --retain_again_ > 0) return {};
  const auto dropped = drop_older(*database_, terms_.retention);
  if (dropped) {
    retained_in_ = this_hour();
    days_.clear();
    return {};
  }
  retain_again_ = kRetainAgainAfter;
  if (dropped.error().kind == Kind::kAway) database_.reset();
  return tl::unexpected(dropped.error());
}

void TeamSink::close() {
  note_away({});
  database_.reset();
}

// ---- whoever waits

void TeamSink::hurry() {
  {
    const std::lock_guard held(lock_);
    if (!leaving_) left_at_ = std::chrono::steady_clock::now();
    leaving_ = true;
  }
  left_.notify_all();
}

// False: whoever records wants to leave.
bool TeamSink::wait(milliseconds length) {
  std::unique_lock held(lock_);
  if (leaving_) {
    // No longer than it takes to try again.
    left_.wait_for(held, std::min(length, kFirstWait), [] { return false; });
    return false;
  }
  return !left_.wait_for(held, length, [&] { return leaving_.load(); });
}

std::string TeamSink::away() const {
  const std::lock_guard held(lock_);
  return away_;
}

void TeamSink::note_away(const std::string& why) {
  const std::lock_guard held(lock_);
  away_ = why;
}

std::string TeamSink::words_of(const SqlError& error) const { return told(error, url_); }

// What was away is not said to be there again.
void TeamSink::fail(const std::string& why) {
  reason_ = why;
  error_ = fmt::format("{}. The {} events before are there", why, written_);
  database_.reset();
}

}  // namespace leasescope::team
