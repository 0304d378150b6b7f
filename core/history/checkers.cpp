#include "core/history/checkers.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/store/port.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

template <class T>
void forget(std::vector<T>& list, const T& value) {
  list.erase(std::remove(list.begin(), list.end(), value), list.end());
}

}  // namespace

Checkers::Checkers(const LeaseTerms& terms, const NameTable& names, const std::vector<std::string>& fault_kinds)
    : terms_(terms), names_(&names) {
  for (const std::string& kind : fault_kinds) fault_kinds_.push_back(disturbs(kind));
}

Checkers::Disturbs Checkers::disturbs(const std::string& fault_kind) {
  if (fault_kind == "pause") return Disturbs::kPauses;
  if (fault_kind == "partition") return Disturbs::kCuts;
  if (fault_kind == "starve") return Disturbs::kStarves;
  if (fault_kind == "clock_drift" || fault_kind == "clock_sine" || fault_kind == "clock_slew") return Disturbs::kDrifts;
  if (fault_kind == "late_packet") return Disturbs::kDelaysWrites;
  if (fault_kind == "delete_key" || fault_kind == "delete_row") return Disturbs::kDeletes;
  if (fault_kind == "store_failover") return Disturbs::kFailsOver;
  if (fault_kind == "store_crash") return Disturbs::kRestarts;
  return Disturbs::kNothing;
}

void Checkers::append(const Event& event) {
  ++appended_;
  if (unseen_ > 0) show_overlaps(event.hi);
  if (event.lo > gap_due_) show_gaps(event.lo);
  switch (event.kind) {
    case EventKind::kStarted:
      on_contends(event);
      break;
    case EventKind::kStopped:
    case EventKind::kCrashed:
      on_contends_no_more(event);
      break;
    case EventKind::kRestarted:
      on_restarted(event);
      break;
    case EventKind::kGranted:
      on_granted(event);
      break;
    case EventKind::kRenewed:
      on_renewed(event);
      break;
    case EventKind::kReleased:
    case EventKind::kExpired:
      on_freed(event);
      break;
    case EventKind::kBelieved:
      on_believed(event);
      break;
    case EventKind::kDisbelieved:
      on_disbelieved(event);
      break;
    case EventKind::kAttempt:
      on_attempt(event);
      break;
    case EventKind::kNotification:
      heard_ = appended_;
      break;
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
      on_write(event);
      break;
    case EventKind::kReleaseRefused:
      ++summary_.late_releases_refused;
      break;
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
      on_fault(event);
      break;
    case EventKind::kClockChanged:
      on_clock_changed(event);
      break;
    case EventKind::kUnobservedBegan:
    case EventKind::kUnobservedEnded:
      on_unobserved(event);
      break;
    default:
      break;
  }
}

Checkers::Contender& Checkers::contender(Name name, Name mutex) {
  if (contender_places_.size() <= name.handle) contender_places_.resize(name.handle + 1);
  std::uint32_t& place = contender_places_[name.handle];
  if (place == 0) {
    contenders_.emplace_back();
    contenders_.back().name = contenders_.back().id = name;
    contenders_.back().mutex = mutex_place(mutex);
    place = static_cast<std::uint32_t>(contenders_.size());
  }
  return contenders_[place - 1];
}

std::uint32_t Checkers::mutex_place(Name name) {
  if (mutex_places_.size() <= name.handle) mutex_places_.resize(name.handle + 1);
  std::uint32_t& place = mutex_places_[name.handle];
  if (place == 0) {
    mutexes_.emplace_back();
    mutexes_.back().name = name;
    place = static_cast<std::uint32_t>(mutexes_.size());
  }
  return place - 1;
}

std::size_t Checkers::open(IncidentKind kind, Name mutex, TrueTime start, TrueTime end, std::vector<Name> who,
                           std::vector<Token> tokens, std::string cause) {
  return add({kind, mutex, start, end, false, std::move(who), std::move(tokens), std::move(cause)});
}

std::size_t Checkers::add(Incident incident) {
  ++summary_.incidents[static_cast<std::size_t>(incident.kind)];
  incidents_.push_back(std::move(incident));
  return incidents_.size() - 1;
}

// ---- who contends

void Checkers::on_contends(const Event& event) {
  Contender& who = contender(event.node, event.mutex);
  if (!who.ours) ++summary_.contenders;
  who.ours = true;
  who.started = appended_;
  who.promised = false;
  who.tokenless = kNone;
  if (who.contends) return;
  who.contends = true;
  Mutex& m = mutexes_[who.mutex];
  if (m.contending++ > 0) return;
  m.contended_since = event.hi;
  m.first_contender = event.node;
  await_gap(m);
}

void Checkers::on_contends_no_more(const Event& event) {
  Contender& who = contender(event.node, event.mutex);
  if (!who.contends) return;
  who.contends = false;
  Mutex& m = mutexes_[who.mutex];
  if (--m.contending == 0 && m.gap != kNone) end_gap(m, event.lo, "the last to contend stopped");
}

void Checkers::on_restarted(const Event& event) {
  const Name id{static_cast<std::uint32_t>(event.b)};
  contender(event.node, event.mutex).id = event.b == 0 ? event.node : id;
  shares_ids_ = shares_ids_ || event.b != 0;
}

// ---- what the store did

void Checkers::on_granted(const Event& event) {
  Contender& who = contender(event.node, event.mutex);
  Mutex& m = mutex(event.mutex);
  check_double_grant(event, m);
  // What comes back was counted when it was granted, and its token is no new one.
  const bool restored = event.detail == static_cast<std::uint8_t>(GrantKind::kRestored);
  if (!restored) check_fence(event, m);
  if (who.ours && !restored) ++summary_.acquisitions;
  if (m.ever_granted && m.grantee != event.node) {
    ++summary_.handoffs;
    check_flapping(event, m);
  }
  if (m.ever_granted && m.owner.empty())
    end_leaderless(m, event.lo, event.node);
  else if (m.gap != kNone)
    end_gap(m, event.lo, fmt::format("{} was the first to come", label(event.node)));
  m.ever_granted = true;
  m.owner = m.grantee = event.node;
  m.token = event.token;
  m.highest = std::max(m.highest, event.token);
  m.released = false;
  m.promised = true;
  who.tokenless = kNone;
  m.promised_at = event.lo;
  m.promised_until = event.lo + Duration(event.a);
  who.lease_end = m.promised_until;
  who.promised = true;
}

void Checkers::on_renewed(const Event& event) {
  Contender& who = contender(event.node, event.mutex);
  Mutex& m = mutex(event.mutex);
  if (who.ours) ++summary_.renewals;
  who.lease_end = event.lo + Duration(event.a);
  who.promised = true;
  if (m.grantee != event.node) return;
  m.promised = true;
  m.promised_at = event.lo;
  m.promised_until = who.lease_end;
  if (!m.owner.empty()) return;
  end_leaderless(m, event.lo, event.node);  // its lease had run out, and nobody else had asked
  m.owner = event.node;
}

void Checkers::on_freed(const Event& event) {
  Mutex& m = mutex(event.mutex);
  if (event.kind == EventKind::kReleased && !m.earlier.empty())
    m.earlier.erase(std::remove_if(m.earlier.begin(), m.earlier.end(),
                                   [&](const Promise& promise) { return promise.who == event.node; }),
                    m.earlier.end());
  if (m.owner != event.node) return;  // another was granted before this end was known
  m.owner = Name{};
  m.free_since = event.hi;
  m.released = event.kind == EventKind::kReleased;
  m.promised = !m.released && !over_as_promised(event, m.promised_at, m.promised_until);
  m.ended = event.node;
  m.ending = ending_of(event, m);
  m.clock = store_clock_;
  await_gap(m);
}

// A lease whose end is known within bounds may have run out by a clock that differs a little: NTP slews by 500 ppm.
bool Checkers::over_as_promised(const Event& event, TrueTime since, TrueTime until) {
  const bool forgotten = event.detail == static_cast<std::uint8_t>(LeaseEnd::kForgotten);
  return !forgotten && event.lo < event.hi && event.hi >= until - (until - since) / 2000;
}

Checkers::Ending Checkers::ending_of(const Event& event, const Mutex& m) const {
  if (event.kind == EventKind::kReleased) {
    const std::uint32_t place = contender_places_[event.node.handle];
    const bool late = place != 0 && event.cause != 0 && event.cause < contenders_[place - 1].started;
    return late ? Ending::kLateRelease : Ending::kReleased;
  }
  const bool forgotten = event.detail == static_cast<std::uint8_t>(LeaseEnd::kForgotten);
  if (!forgotten && event.hi >= m.promised_until) return Ending::kRanOut;
  if (!forgotten && (store_fault_ != Disturbs::kFailsOver || store_fault_at_ < m.promised_at))
    return store_clock_.at < TrueTime::max() && store_clock_.at >= m.promised_at ? Ending::kClock : Ending::kEarly;
  switch (store_fault_) {
    case Disturbs::kDeletes:
      return Ending::kDeleted;
    case Disturbs::kFailsOver:
      return Ending::kFailedOver;
    case Disturbs::kRestarts:
      return Ending::kRestarted;
    default:
      return Ending::kUnknown;
  }
}

// Before the mutex takes the grant in.
void Checkers::check_double_grant(const Event& event, Mutex& m) {
  if (!m.ever_granted) return;
  if (m.promised && m.grantee != event.node && event.lo < m.promised_until)
    m.earlier.push_back({m.grantee, m.token, m.promised_until});
  if (m.earlier.empty()) return;
  const auto over = [&](const Promise& promise) { return promise.who == event.node || promise.until <= event.hi; };
  m.earlier.erase(std::remove_if(m.earlier.begin(), m.earlier.end(), over), m.earlier.end());
  if (m.earlier.empty()) return;
  const auto sooner = [](const Promise& a, const Promise& b) { return a.until < b.until; };
  const Promise broken = *std::max_element(m.earlier.begin(), m.earlier.end(), sooner);
  ++summary_.double_grants;
  open(IncidentKind::kDoubleGrant, event.mutex, event.lo, broken.until, {broken.who, event.node},
       {broken.token, event.token}, double_grant_cause(event, m, broken));
}

// One incident for a fall, until the old height is passed; another for each deeper fall on the way.
void Checkers::check_fence(const Event& event, Mutex& m) {
  if (event.token == kNoToken) return;
  const bool goes_on = m.fallen_to != kNoToken && event.token > m.fallen_to;
  m.fallen_to = event.token > m.highest ? kNoToken : event.token;
  if (m.fallen_to == kNoToken) return;
  if (goes_on) {
    incidents_.edit(m.fallen).end = event.hi;
    return;
  }
  ++summary_.fence_regressions;
  m.fallen =
      open(IncidentKind::kFenceRegression, event.mutex, event.lo, event.hi, {event.node}, {m.highest, event.token},
           fmt::format("The store granted #{} to {} after it had granted #{}{}.", event.token, label(event.node),
                       m.highest, lost_fence_words()));
}

void Checkers::check_flapping(const Event& event, Mutex& m) {
  if (m.released) {
    m.changes.clear();  // a stop asked for it
    m.flapping = kNone;
    return;
  }
  const Duration window = 2 * terms_.lease();
  m.changes.push_back(event.lo);
  while (event.lo - m.changes.front() > window) m.changes.erase(m.changes.begin());
  if (m.changes.size() < 3) {
    m.flapping = kNone;
    return;
  }
  if (m.flapping == kNone)
    m.flapping = open(IncidentKind::kFlapping, m.name, m.changes.front(), event.hi, {m.grantee, event.node},
                      {m.token, event.token}, "");
  Incident& incident = incidents_.edit(m.flapping);
  incident.end = event.hi;
  if (std::find(incident.contenders.begin(), incident.contenders.end(), event.node) == incident.contenders.end())
    incident.contenders.push_back(event.node);
  incident.cause = fmt::format("{} changed its owner {} times within {}, and nobody asked for it.", label(m.name),
                               m.changes.size(), "two leases");
}

// ---- nobody holds

Duration Checkers::longest_gap() const {
  return std::max<Duration>(2 * terms_.transition, terms_.jitter.max) + std::chrono::seconds(1);
}

// Since when nobody holds though somebody contends, as far as is known; max() = it is not so.
TrueTime Checkers::gap_since(const Mutex& m) const {
  if (!m.owner.empty() || m.contending == 0 || m.unobserved) return TrueTime::max();
  return std::max(m.free_since, m.contended_since);
}

void Checkers::await_gap(const Mutex& m) {
  const TrueTime since = gap_since(m);
  if (since != TrueTime::max()) gap_due_ = std::min(gap_due_, since + longest_gap() + known_within_);
}

void Checkers::show_gaps(TrueTime now) {
  gap_due_ = TrueTime::max();
  for (Mutex& m : mutexes_) {
    const TrueTime since = gap_since(m);
    if (since == TrueTime::max() || m.gap != kNone) continue;
    if (now - since > longest_gap() + known_within_) {
      m.gap = add({IncidentKind::kLeaderless, m.name, since, now, true, {}, {m.token}, ""});
    } else {
      gap_due_ = std::min(gap_due_, since + longest_gap() + known_within_);
    }
  }
}

void Checkers::end_gap(Mutex& m, TrueTime end, const std::string& how) {
  Incident& incident = incidents_.edit(m.gap);
  incident.end = std::max(incident.start, end);
  incident.open = false;
  incident.cause = gap_cause(m, incident.start, incident.end, how);
  m.gap = kNone;
}

void Checkers::end_leaderless(Mutex& m, TrueTime end, Name next) {
  if (!m.unobserved) leaderless_closed_ += std::max(Duration::zero(), Duration(end - m.free_since));
  if (m.gap != kNone) end_gap(m, end, fmt::format("{} was the first to come", label(next)));
}

// What was not observed is in no sum of what was free.
void Checkers::on_unobserved(const Event& event) {
  Mutex& m = mutex(event.mutex);
  const bool free = m.ever_granted && m.owner.empty();
  if (event.kind == EventKind::kUnobservedBegan) {
    if (free && !m.unobserved) leaderless_closed_ += std::max(Duration::zero(), Duration(event.lo - m.free_since));
    if (m.gap != kNone) end_gap(m, event.lo, "from then on the store did not answer");
    m.unobserved = true;
  } else {
    m.unobserved = false;
    m.free_since = std::max(m.free_since, event.hi);
    await_gap(m);
  }
}

// ---- what the contenders believed

void Checkers::on_believed(const Event& event) {
  Contender& who = contender(event.node, event.mutex);
  const auto place = static_cast<std::uint32_t>(&who - contenders_.data());
  who.believes = true;
  who.by_message = event.cause != 0 && event.cause == heard_;
  who.token = event.token;
  Mutex& m = mutexes_[who.mutex];
  for (const std::uint32_t other : m.believers) begin_overlap(other, place, event.hi);
  if (m.believers.size() == 1) m.overlap_since = event.hi;
  m.believers.push_back(place);
}

void Checkers::on_disbelieved(const Event& event) {
  Contender& who = contender(event.node, event.mutex);
  if (!who.believes) return;
  who.believes = false;
  const auto place = static_cast<std::uint32_t>(&who - contenders_.data());
  Mutex& m = mutexes_[who.mutex];
  if (m.believers.size() == 2) overlap_closed_ += event.hi - m.overlap_since;
  forget(m.believers, place);
  if (!overlaps_.empty()) end_overlaps(place, event.hi);
}

void Checkers::begin_overlap(std::uint32_t earlier, std::uint32_t later, TrueTime at) {
  const Contender& first = contenders_[earlier];
  const Contender& second = contenders_[later];
  const std::vector<Name> who{first.name, second.name};
  const std::vector<Token> tokens{first.token, second.token};
  const Name mutex = mutexes_[second.mutex].name;
  Incident incident{IncidentKind::kBeliefOverlap, mutex, at, at, true, who, tokens, overlap_cause(first, second, at)};
  overlaps_.push_back({earlier, later, std::move(incident), kNone});
  ++unseen_;
}

void Checkers::show_overlaps(TrueTime now) {
  for (Overlap& overlap : overlaps_) {
    if (overlap.place != kNone || overlap.incident.start >= now) continue;
    overlap.place = add(std::move(overlap.incident));
    --unseen_;
  }
}

void Checkers::end_overlaps(std::uint32_t place, TrueTime end) {
  const auto ended = [&](const Overlap& overlap) {
    if (overlap.first != place && overlap.second != place) return false;
    if (overlap.place == kNone) {
      --unseen_;
    } else {
      Incident& incident = incidents_.edit(overlap.place);
      incident.end = end;
      incident.open = false;
    }
    return true;
  };
  overlaps_.erase(std::remove_if(overlaps_.begin(), overlaps_.end(), ended), overlaps_.end());
}

void Checkers::on_attempt(const Event& event) {
  const auto result = static_cast<AttemptResult>(event.detail);
  if (result == AttemptResult::kFailed && event.a != 0) return on_refused_call(event);
  if (!refusals_.empty() && result <= AttemptResult::kLost) on_answered_call(event);
  if (result <= AttemptResult::kLost && (event.a < 0 || endless_ > 0)) on_lease_seen(event);
  if (result == AttemptResult::kLost && event.b == static_cast<std::int64_t>(RequestKind::kGuard))
    on_late_renewal(event);
}

void Checkers::on_late_renewal(const Event& event) {
  Contender& who = contender(event.node, event.mutex);
  if (!std::exchange(who.promised, false)) return;  // it asked which term there is, and renews none
  const Duration late = event.hi - who.lease_end;
  const Contender* const twin = twin_of(who);
  const std::string cause =
      twin != nullptr ? fmt::format("{} and {} bear one id: {}'s renewal was refused, {} had begun a term since.",
                                    label(who.name), label(twin->name), label(who.name), label(twin->name))
      : late >= Duration::zero()
          ? fmt::format("{}'s renewal arrived {} s after its lease ended.", label(who.name), format_seconds(late))
          : fmt::format("{}'s renewal was refused {} s before the lease promised to it was over: {}", label(who.name),
                        format_seconds(-late), lost_term_words(mutex(event.mutex), who.name));
  open(IncidentKind::kLateRenewal, event.mutex, event.lo, event.hi, {who.name}, {who.token}, cause);
}

// ---- what reached the resource

void Checkers::on_write(const Event& event) {
  const bool accepted = event.kind == EventKind::kWriteStaleAccepted;
  const auto highest = static_cast<Token>(event.b);
  if (!accepted && event.token == kNoToken) return on_tokenless_write(event);
  ++(accepted ? summary_.stale_writes_accepted : summary_.stale_writes_rejected);
  Contender& who = contender(event.node, event.mutex);
  const IncidentKind kind = accepted ? IncidentKind::kStaleWriteAccepted : IncidentKind::kStaleWriteRejected;
  const bool goes_on = who.stale != kNone && who.stale_token == event.token && incidents_[who.stale].kind == kind;
  if (!goes_on) {
    who.stale = open(kind, event.mutex, event.lo, event.hi, {who.name}, {event.token, highest}, "");
    who.stale_token = event.token;
    who.stale_count = 0;
  }
  ++who.stale_count;
  Incident& incident = incidents_.edit(who.stale);
  incident.end = event.hi;
  incident.tokens.back() = highest;
  incident.cause = stale_cause(event, who);
}

// Refused for want of a token, not for a stale one: one incident a writer and term.
void Checkers::on_tokenless_write(const Event& event) {
  Contender& who = contender(event.node, event.mutex);
  if (who.tokenless == kNone) {
    who.tokenless = open(IncidentKind::kTokenlessRefused, event.mutex, event.lo, event.hi, {who.name}, {}, "");
    who.tokenless_count = 0;
  }
  Incident& incident = incidents_.edit(who.tokenless);
  incident.end = event.hi;
  incident.cause = tokenless_cause(event, ++who.tokenless_count);
  ++summary_.tokenless_writes_refused;
}

// ---- what disturbed

Checkers::Spell* Checkers::spell_of(Contender& who, Disturbs kind) {
  switch (kind) {
    case Disturbs::kPauses:
      return &who.pause;
    case Disturbs::kCuts:
      return &who.cut;
    case Disturbs::kStarves:
      return &who.starved;
    case Disturbs::kDrifts:
      return &who.drift;
    case Disturbs::kDelaysWrites:
      return &who.late_writes;
    default:
      return nullptr;
  }
}

void Checkers::on_fault(const Event& event) {
  const Disturbs kind = event.detail < fault_kinds_.size() ? fault_kinds_[event.detail] : Disturbs::kNothing;
  if (kind >= Disturbs::kDeletes) {
    store_fault_ = kind;
    store_fault_at_ = event.hi;
    return;
  }
  if (event.node.handle >= contender_places_.size() || contender_places_[event.node.handle] == 0) return;
  Spell* spell = spell_of(contender(event.node, event.mutex), kind);
  if (spell == nullptr) return;
  if (event.kind == EventKind::kFaultBegan) {
    if (spell->lasting++ == 0) *spell = {event.lo, TrueTime::max(), 1};
  } else if (spell->lasting > 0 && --spell->lasting == 0) {
    spell->until = event.hi;
  }
}

void Checkers::on_clock_changed(const Event& event) {
  if (event.node.handle < contender_places_.size() && contender_places_[event.node.handle] != 0) return;
  store_clock_ = {event.hi, Duration(event.a), store_clock_.ppm + event.b, store_clock_.ppm};
}

// ---- the end

void Checkers::advance(TrueTime now) {
  if (finished_) return;
  summary_.leaderless = leaderless_closed_;
  summary_.belief_overlap = overlap_closed_;
  for (const Mutex& m : mutexes_) {
    if (m.ever_granted && m.owner.empty() && !m.unobserved)
      summary_.leaderless += std::max(Duration::zero(), Duration(now - m.free_since));
    if (m.believers.size() > 1) summary_.belief_overlap += now - m.overlap_since;
  }
  show_overlaps(now);
  for (const Overlap& overlap : overlaps_)
    if (overlap.place != kNone) incidents_.edit(overlap.place).end = now;
  if (now > gap_due_) show_gaps(now);
  for (const Mutex& m : mutexes_) {
    if (m.gap == kNone) continue;
    Incident& incident = incidents_.edit(m.gap);
    incident.end = now;
    incident.cause = gap_cause(m, incident.start, now, "nobody has come yet");
  }
}

void Checkers::finish(TrueTime end) {
  if (finished_) return;
  if (known_within_ > Duration::zero()) {  // whatever there was is known
    known_within_ = Duration::zero();
    for (const Mutex& m : mutexes_) await_gap(m);
  }
  advance(end);
  for (Mutex& m : mutexes_)
    if (m.gap != kNone) end_gap(m, end, "nobody came");
  finished_ = true;
}

std::size_t Checkers::bytes() const {
  std::size_t bytes = sizeof *this + fault_kinds_.size() * sizeof(Disturbs);
  bytes += (contender_places_.size() + mutex_places_.size()) * sizeof(std::uint32_t);
  bytes +=
      contenders_.size() * sizeof(Contender) + mutexes_.size() * sizeof(Mutex) + overlaps_.size() * sizeof(Overlap);
  for (const Mutex& m : mutexes_)
    bytes += m.believers.size() * sizeof(std::uint32_t) + m.changes.size() * sizeof(TrueTime) +
             m.earlier.size() * sizeof(Promise);
  return bytes;
}

}  // namespace leasescope
