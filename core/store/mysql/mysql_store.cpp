#include "core/store/mysql/mysql_store.h"

#include <utility>

#include <fmt/format.h>

#include "core/store/mysql/errors.h"
#include "core/store/mysql/texts.h"
#include "core/store/number_text.h"

namespace leasescope::mysql {

MysqlStore::MysqlStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, Duration timeout, WireNames& names,
                       StoreListener& listener)
    : LeaseStore(loop, names, listener),
      lock_wait_(std::chrono::ceil<std::chrono::seconds>(timeout / 2)),
      requests_(loop, url, route.requests, {session_sql(lock_wait_), has_token_sql()}, events_of_requests(),
                [this](const Answer& answer) { fenced_ = answer.row == std::vector<std::string>{"1"}; }) {
  lead_over(requests_);
}

void MysqlStore::send_lease_call(const Request& request) {
  const std::string mutex = names_->text(request.mutex);
  const std::string caller = names_->text(request.contender);
  run(request.id, request.kind == RequestKind::kRelease ? release_sql(request, mutex, caller, fenced_)
                                                        : contend_sql(request, mutex, caller, fenced_));
}

void MysqlStore::run(std::uint64_t id, const std::string& sql, int attempt) {
  // Two that met once are kept from meeting again.
  const auto asked =
      attempt == 0 ? sql : fmt::format("do sleep(0.0{:02}); {}", std::uniform_int_distribution(0, 30)(jitter_), sql);
  const bool sent =
      requests_.run({asked, [this, id] { calls_.sent(id); },
                     [this, id, sql, attempt](const Answer& answer) { on_answer(id, sql, attempt, answer); }});
  if (!sent) calls_.fail_soon(id, "not connected");
}

// Nothing of it has been done then, and the call's time-out goes on. What waited in vain for a row has used its time
// up; the others come back at once.
bool MysqlStore::may_retry(const Request& request, unsigned error, int attempt) const {
  if (error == kLockWaitOver) return (attempt + 2) * lock_wait_ < request.timeout;
  return (error == kDeadlock || error == kRecordChanged || error == kDuplicateRow) && attempt < 20;
}

void MysqlStore::on_answer(std::uint64_t id, const std::string& sql, int attempt, const Answer& answer) {
  const Request* const request = calls_.find(id);
  if (request == nullptr) return;
  if (may_retry(*request, answer.error, attempt)) return run(id, sql, attempt + 1);
  if (answer.error != 0) return calls_.fail(id, answer.message);
  Reply out = answer_to(*request);
  const bool release = request->kind == RequestKind::kRelease;
  if (answer.row.size() != (release ? 1 : 5)) return calls_.fail(id, "the server's answer has no row");
  if (release) {
    out.done = answer.row[0] == "1";
  } else if (answer.row[4] != "1") {
    return calls_.fail(id, fmt::format("the fencing token of {} is broken: expected less than 2^63 - 1",
                                       names_->text(request->mutex)));
  } else {
    out.owner = answer.row[0].empty() ? Name{} : names_->intern(answer.row[0]);
    out.remaining = remaining_from(leading_number(answer.row[1]));
    out.token = static_cast<Token>(leading_number(answer.row[2]));
    out.done = request->lease.wire == Wire::kTerm && answer.row[3] == "1";
  }
  calls_.finish(out);
}

}  // namespace leasescope::mysql
