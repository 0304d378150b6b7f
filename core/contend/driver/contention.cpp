#include "core/contend/driver/contention.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/simba/contender_id.h"
#include "core/store/store_type.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

// A store of leases is contended by them, one of nodes by a latch.
bool by_leases(const StoreUrl& url) { return url.type->carries(Family::kLease); }

AnyContender contender_of(const StoreUrl& url, const ContenderSetting& setting) {
  if (by_leases(url)) return SimbaContender::make(setting, SimbaTerms{}, SimbaPlan{});
  return LatchContender::make(setting, LatchTerms{}, LatchPlan{});
}

DriverSetting setting_of(WireNames& names, const StoreUrl& url, const std::string& id, const std::string& mutex,
                         const LeaseTerms& terms, Duration timeout) {
  DriverSetting setting;
  setting.name = names.intern(id);
  setting.mutex = names.intern(mutex);
  ContenderSetting contender;
  contender.id = setting.name;
  contender.mutex = setting.mutex;
  contender.lease = terms;
  contender.timeout = timeout;
  contender.wake_up = url.wake_up;
  contender.reports_callbacks = true;
  contender.draws = RandomStream(std::hash<std::string>{}(id), id, "jitter");
  setting.contender = contender_of(url, contender);
  setting.connects_itself = !by_leases(url);
  return setting;
}

}  // namespace

tl::expected<void, std::string> Contention::check(const StoreUrl& url, const std::string& mutex,
                                                  const LeaseTerms& terms) {
  if (url.type->is_only_watched()) return tl::unexpected(why_not_contended(*url.type));
  if (!by_leases(url) && !url.type->carries(Family::kNodes))
    return tl::unexpected(fmt::format("{} carries neither leases nor nodes", url.type->title));
  if (auto valid = validate_mutex_name(mutex); !valid) return valid;
  if (auto valid = validate(terms); !valid) return valid;
  if (longest_warning(url, terms) > Duration::zero()) return {};
  return tl::unexpected(fmt::format(
      "with a transition of {} no lease of {} would be renewed in time: expected more than {}",
      format_duration(terms.transition), format_duration(terms.lease()), format_duration(lease_margin(terms))));
}

// A lease is renewed when its ttl is over. A session is pinged so that half of its longest silence is over by then, and
// that is two thirds of it.
Duration Contention::longest_warning(const StoreUrl& url, const LeaseTerms& terms) {
  return by_leases(url) ? terms.transition - lease_margin(terms) : terms.ttl / 3;
}

std::string Contention::make_id() { return fmt::format("{}.{}", make_uuid_id().substr(0, 8), make_host_id()); }

Contention::Contention(Loop& loop, const StoreUrl& url, const std::string& id, const std::string& mutex,
                       const LeaseTerms& terms, Duration timeout, Events events)
    : loop_(&loop),
      url_(url),
      timeout_(timeout),
      events_(std::move(events)),
      driver_(loop, *this, setting_of(names_, url, id, mutex, terms, timeout)) {}

void Contention::start() { driver_.connect_and_start(); }

void Contention::stop() {
  if (std::exchange(stopping_, true)) return;
  driver_.close();
}

void Contention::work_done() {
  work_ = Work::kRests;
  driver_.work_done();
  if (std::exchange(acquired_waits_, false)) tell_acquired();
}

// ---- what the driver tells

std::unique_ptr<Store> Contention::make_store(Driver&, StoreListener& listener) {
  return url_.type->make(*loop_, url_, url_.type->first_family(), {url_.endpoint, url_.endpoint}, timeout_, names_,
                         listener);
}

Sequence Contention::record(const Event& event) {
  if (event.kind == EventKind::kDisbelieved) reason_ = static_cast<DisbeliefReason>(event.detail);
  const bool lost =
      event.kind == EventKind::kAttempt && static_cast<AttemptResult>(event.detail) == AttemptResult::kLost;
  if (lost) tell([this, owner = other_] { events_.others(owner); });
  return 0;
}

Sequence Contention::replied(Driver&, const Reply& reply, TrueTime, TrueTime) {
  if (reply.ending == Ending::kOk) other_ = names_.text(reply.owner);
  return 0;
}

// Who is handed the mutex by a message begins its work first, and then has the store confirm it: the lease lasts.
bool Contention::told(Driver&, bool owns) {
  if (owns && work_ != Work::kRests) {
    acquired_waits_ = true;
  } else if (owns) {
    tell_acquired();
    return true;
  } else if (std::exchange(acquired_waits_, false)) {  // it came and went, and nobody was told
    tell([this] { driver_.callback_done(); });
  } else if (work_ == Work::kGoesOn) {
    work_ = Work::kEnds;
    tell([this, reason = reason_] { events_.released(reason); });
  }
  return false;
}

void Contention::tell_acquired() {
  work_ = Work::kGoesOn;
  told_until_ = driver_.owned_until();
  tell([this, token = driver_.token(), until = owned_until()] { events_.acquired(token, until); });
}

// Its clock is the loop's: no fault has been at it.
TrueTime Contention::owned_until() const { return TrueTime(driver_.owned_until().time_since_epoch()); }

void Contention::stepped(Driver&) {
  const SteadyTime until = driver_.owned_until();
  if (work_ == Work::kGoesOn && driver_.believes() && until != told_until_) {
    told_until_ = until;
    tell([this, at = owned_until()] { events_.confirmed(at); });
  }
  tell_trouble();
  const bool over = stopping_ && driver_.status() == Status::kInitial && work_ == Work::kRests;
  if (over && !std::exchange(told_stopped_, true)) tell([this] { events_.stopped(); });
}

void Contention::tell_trouble() {
  if (trouble_ == driver_.trouble()) return;
  trouble_ = driver_.trouble();
  tell([this, trouble = trouble_] { events_.trouble(trouble); });
}

}  // namespace leasescope
