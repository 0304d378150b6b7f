#include "simulator/model/sql_model.h"

#include <algorithm>

namespace leasescope {
namespace {

using std::chrono::milliseconds;

// The columns hold whole milliseconds.
ServerTime whole_ms(ServerTime at) { return std::chrono::floor<milliseconds>(at); }

// innodb_lock_wait_timeout, as MySQL comes.
constexpr Duration kInnodbLockWait = std::chrono::seconds(50);

}  // namespace

SqlModel::SqlModel(const std::vector<Name>& mutexes, const SqlTerms& terms)
    : terms_(terms), rows_(mutexes.size()), subscribers_(mutexes.size()) {}

// Our connections set lock_timeout to the request's own limit; Simba's leave the server's default.
Duration SqlModel::longest_wait(const Request& request) const {
  return for_update() ? request.timeout : kInnodbLockWait;
}

bool SqlModel::take(const ServerCall& call, ServerNow now, ServerSteps& out) {
  look(call.mutex, now.clock, out);
  switch (call.request.kind) {
    case RequestKind::kAcquire:
    case RequestKind::kGuard:
    case RequestKind::kRelease:
      break;
    case RequestKind::kSubscribe:
    case RequestKind::kUnsubscribe:
      out.answer(call);
      return true;
    default:
      out.answer(call).reply.ending = Ending::kFailed;  // of another family
      return true;
  }
  Row& row = rows_[call.mutex];
  if (row.stalls == 0) {
    run(call, now.clock, now, out);
    return true;
  }
  row.waiting.push_back({call, now.clock, now.elapsed + longest_wait(call.request)});
  out.add(call.mutex);  // there is a moment to give up at
  return false;
}

// One transaction, now that the row is free.
void SqlModel::run(const ServerCall& call, ServerTime begun, ServerNow now, ServerSteps& out) {
  ServerStep& step = out.answer(call);
  Row& row = rows_[call.mutex];
  if (call.request.kind == RequestKind::kRelease) {
    release(row, call.request, step);
  } else {
    contend(row, call.request, whole_ms(begun), whole_ms(now.clock), step);
  }
  look(call.mutex, now.clock, out);  // it may have been granted with nothing left
}

// ---- the statements: of our function in resources/sql/postgres, or of Simba's JDBC backend

void SqlModel::contend(Row& row, const Request& request, ServerTime begun, ServerTime now, ServerStep& out) {
  const bool frozen = terms_.now == SqlTerms::Now::kTransaction;
  // What each reads as the present. UPDATE takes its values before it waits for the row; a SELECT after it does not.
  const ServerTime read = frozen ? begun : now;
  const ServerTime written = for_update() ? read : begun;
  bool won = update(row, request, written, out);
  // Simba's tries once more when it lost to a lease that is over by now; our SELECT has seen the row as it is.
  if (!won && !for_update() && row.transition_at < read) won = update(row, request, read, out);
  Reply& reply = out.reply;
  if (won) {
    reply.owner = request.contender;
    // Our function promises the lease it has just written, whatever its now was; Simba's GET counts what is left. Of
    // one's own lease the rest is kept.
    const bool kept = row.transition_at != written + request.lease.length;
    const Duration left = for_update() && !kept ? request.lease.length : Duration(row.transition_at - read);
    reply.remaining = out.lease = std::max(left, Duration::zero());
    reply.token = out.token;
    reply.done = request.lease.wire == Wire::kTerm;
    return;
  }
  const bool own = row.owner_id == request.contender;
  const bool in_another_term = own && request.lease.wire == Wire::kTerm && row.transition_at > read;
  if (row.owner_id.empty() || row.transition_at < read || (own && for_update() && !in_another_term)) return;
  reply.owner = row.owner_id;
  reply.remaining = row.transition_at - read;
  if (request.lease.wire != Wire::kTokenless) reply.token = row.fencing_token;
}

// False where the row says no. At transition_at itself nobody can: neither the owner nor anybody else.
bool SqlModel::update(Row& row, const Request& request, ServerTime now, ServerStep& out) {
  const bool own = row.owner_id == request.contender && row.transition_at > now;
  const bool by_term = request.lease.wire == Wire::kTerm;
  const bool guard = request.kind == RequestKind::kGuard;
  const bool only_renew = guard && (by_term || for_update());
  if (!own && (only_renew || row.transition_at >= now)) return false;
  if (own && guard && by_term && row.fencing_token != request.lease.term) return false;
  const bool renews = own && (guard || !by_term);
  row.owner_id = request.contender;
  // A new term of one's own keeps the rest: a retrier that never hears must not hold the row for ever.
  if (!own || renews) row.transition_at = now + request.lease.length;
  row.held = true;
  // Without tokens (up to 3.2) the column keeps that of the term before.
  out.token = kNoToken;
  if (request.lease.wire != Wire::kTokenless) out.token = renews ? row.fencing_token : ++row.fencing_token;
  out.fact = renews ? ServerStep::Fact::kRenewed : ServerStep::Fact::kGranted;
  out.owner = request.contender;
  if (renews || !for_update()) return true;
  out.publishes = true;
  out.message = {StoreEventKind::kAcquired, request.mutex, request.contender};
  return true;
}

// It asks for owner and term, not whether the lease lasts; the token stays.
void SqlModel::release(Row& row, const Request& request, ServerStep& out) {
  if (row.owner_id != request.contender) return;
  if (request.lease.wire == Wire::kTerm && row.fencing_token != request.lease.term) {
    if (row.held) refuse_release(request, out);
    return;
  }
  if (row.held) out.fact = ServerStep::Fact::kReleased;
  out.owner = request.contender;
  out.token = row.fencing_token;
  row.owner_id = Name{};
  row.transition_at = kLongAgo;
  row.held = false;
  out.reply.done = true;
  if (!for_update()) return;
  out.publishes = true;
  out.message = {StoreEventKind::kReleased, request.mutex, request.contender};
}

// ---- time

TrueTime SqlModel::deadline(std::uint32_t mutex, const SkewedClock<ServerTime>& clock) const {
  const Row& row = rows_[mutex];
  TrueTime at = row.held ? clock.when(row.transition_at + milliseconds(1)) : TrueTime::max();
  for (const Waiting& waiting : row.waiting) at = std::min(at, waiting.gives_up);
  return at;
}

void SqlModel::wake(std::uint32_t mutex, ServerNow now, ServerSteps& out) {
  look(mutex, now.clock, out);
  give_up(mutex, now.elapsed, out);
}

// Nothing happens to a row when its lease ends, nor when a clock that is set back makes it last again; but it holds or
// does not.
void SqlModel::look(std::uint32_t mutex, ServerTime now, ServerSteps& out) {
  Row& row = rows_[mutex];
  const bool lasts = !row.owner_id.empty() && row.transition_at >= whole_ms(now);
  if (lasts == row.held) return;
  row.held = lasts;
  ServerStep& step = out.add(mutex);
  step.fact = lasts ? ServerStep::Fact::kRestored : ServerStep::Fact::kExpired;
  step.owner = row.owner_id;
  step.token = row.fencing_token;
  if (lasts) step.lease = row.transition_at - now;
}

void SqlModel::give_up(std::uint32_t mutex, TrueTime now, ServerSteps& out) {
  std::vector<Waiting>& waiting = rows_[mutex].waiting;
  const auto over =
      std::stable_partition(waiting.begin(), waiting.end(), [&](const Waiting& call) { return call.gives_up > now; });
  for (auto call = over; call != waiting.end(); ++call) {
    Reply& reply = out.answer(call->call).reply;
    reply.ending = Ending::kFailed;
    reply.refused = true;
  }
  waiting.erase(over, waiting.end());
}

// ---- what it suffers

void SqlModel::disturb(Disturbance what, ServerNow now, ServerSteps& out) {
  Row& first = rows_.front();
  switch (what) {
    case Disturbance::kCrash:  // what was under way is rolled back, and the sessions that held rows are no more
      for (Row& row : rows_) {
        row.stalls = 0;
        row.to_be_erased = false;
        row.waiting.clear();
      }
      break;
    case Disturbance::kClockChanged:
      for (std::uint32_t mutex = 0; mutex < rows_.size(); ++mutex) look(mutex, now.clock, out);
      break;
    case Disturbance::kStall:
      ++first.stalls;
      break;
    case Disturbance::kUnstall:
      if (--first.stalls == 0) go_on(0, now, out);
      break;
    case Disturbance::kErase:
      if (first.stalls == 0) return erase(0, out);
      first.to_be_erased = true;  // a DELETE waits for the row like everybody
      break;
    default:
      break;  // of other servers
  }
}

void SqlModel::go_on(std::uint32_t mutex, ServerNow now, ServerSteps& out) {
  look(mutex, now.clock, out);
  std::vector<Waiting> waiting;
  waiting.swap(rows_[mutex].waiting);
  for (const Waiting& call : waiting) run(call.call, call.begun, now, out);
  if (rows_[mutex].to_be_erased) erase(mutex, out);
}

// DELETE of the row, its fencing token with it; who contends next puts a new one there.
void SqlModel::erase(std::uint32_t mutex, ServerSteps& out) {
  Row& row = rows_[mutex];
  row.to_be_erased = false;
  if (row.held) {
    ServerStep& step = out.add(mutex);
    step.fact = ServerStep::Fact::kForgotten;
    step.owner = row.owner_id;
    step.token = row.fencing_token;
  }
  row.held = false;
  row.owner_id = Name{};
  row.transition_at = kLongAgo;
  row.fencing_token = kNoToken;
}

}  // namespace leasescope
