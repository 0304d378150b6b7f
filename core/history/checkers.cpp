#include "core/history/checkers.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>

#include "core/history/incidents/detector.h"

namespace leasescope {
namespace {

template <class Tell>
void each(Audience::Set set, const std::vector<std::unique_ptr<Detector>>& detectors, Tell tell) {
  for (; set != 0; set &= set - 1) tell(*detectors[static_cast<std::size_t>(__builtin_ctz(set))]);
}

}  // namespace

static_assert(kIncidentKinds <= 32);

Audience::Audience(Set kinds) {
  for (const IncidentKind of : kAllIncidentKinds) {
    const Set bit = Set{1} << static_cast<int>(of);
    if ((kinds & bit) == 0) continue;
    const auto detector = incident_type(of).make();
    const Hearing first = detector->hears_before(), then = detector->hears_after();
    for (const std::size_t slot : first.heard()) before[slot] |= bit;
    for (const std::size_t slot : then.heard()) after[slot] |= bit;
  }
  Event event;
  for (int kind = 0; kind < kEventKinds; ++kind)
    for (event.detail = 0; event.detail < 4; ++event.detail)
      for (const RequestKind call : {RequestKind::kAcquire, RequestKind::kGuard})
        for (event.a = -1; event.a <= 0; ++event.a) {
          event.kind = static_cast<EventKind>(kind);
          event.b = static_cast<std::int64_t>(call);
          const std::size_t slot = Hearing::slot(event);
          const bool counted = event.kind == EventKind::kReleaseRefused || event.kind == EventKind::kTransferred;
          idle[slot] = before[slot] == 0 && after[slot] == 0 && !counted && Standing::passes(event);
        }
}

const Audience& Audience::of(Set kinds) {
  static std::mutex guard;
  static std::map<Set, Audience> all;
  const std::lock_guard lock(guard);
  auto found = all.find(kinds);
  if (found == all.end()) found = all.emplace(kinds, Audience(kinds)).first;
  return found->second;
}

std::size_t Inquiry::open(Incident incident) {
  ++summary.incidents[static_cast<std::size_t>(incident.kind)];
  incidents.push_back(std::move(incident));
  return incidents.size() - 1;
}

Checkers::Checkers(const LeaseTerms& terms, const NameTable& names, const Legend& legend)
    : terms_(terms), store_(legend.store), names_(&names), standing_(legend) {
  Audience::Set concerned = 0;
  for (const IncidentKind kind : kAllIncidentKinds) {
    detectors_.push_back(incident_type(kind).make());
    if (detectors_.back()->concerned(legend)) concerned |= Audience::Set{1} << static_cast<int>(kind);
  }
  hears_ = &Audience::of(concerned);
}

Checkers::Checkers(const Checkers& other)
    : hears_(other.hears_),
      terms_(other.terms_),
      store_(other.store_),
      names_(other.names_),
      standing_(other.standing_),
      change_(other.change_),
      changed_(other.changed_),
      due_(other.due_),
      calls_(other.calls_),
      writes_(other.writes_),
      alert_(other.alert_),
      known_within_(other.known_within_),
      incidents_(other.incidents_),
      summary_(other.summary_),
      leaderless_closed_(other.leaderless_closed_),
      overlap_closed_(other.overlap_closed_),
      overlap_since_(other.overlap_since_),
      passed_over_(other.passed_over_),
      finished_(other.finished_) {
  for (const auto& detector : other.detectors_) detectors_.push_back(detector->copy());
}

Checkers& Checkers::operator=(const Checkers& other) {
  if (this != &other) *this = Checkers(other);
  return *this;
}

Checkers::Checkers(Checkers&&) noexcept = default;
Checkers& Checkers::operator=(Checkers&&) noexcept = default;
Checkers::~Checkers() = default;

Inquiry Checkers::inquiry() {
  return {terms_, store_, *names_, standing_, known_within_, incidents_, summary_, due_, alert_, calls_, writes_};
}

// Most events change nobody's standing, and no detector hears of them.
void Checkers::append(const Event& event) {
  if (event.hi > due_) wake(event);
  const std::size_t slot = Hearing::slot(event);
  switch (event.kind) {
    case EventKind::kAttempt:
      if (calls_.add(event)) one_of_many(event);
      if (hears_->idle[slot] && !alert_) return standing_.pass(event);
      break;
    case EventKind::kWriteAccepted:
      if (writes_.add(event)) return take(event, Hearing::kTokenOfAnother);
      if (hears_->idle[slot]) return standing_.pass(event);
      break;
    case EventKind::kRenewed:
      if (const std::uint32_t mutex = standing_.renew(event); mutex != Standing::kNone) return renewed(event, mutex);
      break;
    default:
      if (hears_->idle[slot]) return standing_.pass(event);
  }
  take(event, slot);
}

// Of all that changes anything, this is what there is most of.
void Checkers::renewed(const Event& event, std::uint32_t mutex) {
  changed_ = standing_.last();
  change_ = {standing_.place_of(event.node), mutex, Change::Belief::kSame, Change::Hold::kRenewed};
  if (standing_.contender(change_.contender).ours) ++summary_.renewals;
}

void Checkers::take(const Event& event, std::size_t slot) {
  if (const Audience::Set set = hears_->before[slot]; set != 0) {
    Inquiry at = inquiry();
    each(set, detectors_, [&](Detector& detector) { detector.before(at, event); });
  }
  count_before(event);
  const Change change = standing_.append(event, *names_);
  change_ = change;
  changed_ = standing_.last();
  count(event, change);
  if (change.hold == Change::Hold::kTakenUp) slot = Hearing::kTakeUp;
  if (const Audience::Set set = hears_->after[slot]; set != 0) {
    Inquiry at = inquiry();
    each(set, detectors_, [&](Detector& detector) { detector.after(at, event, change); });
  }
  if (alert_ && event.kind == EventKind::kAttempt) answer(event);
}

void Checkers::one_of_many(const Event& event) {
  Inquiry at = inquiry();
  for (const auto& detector : detectors_) detector->one_of_many(at, event);
}

// Whoever is still concerned says so again.
void Checkers::answer(const Event& event) {
  if (static_cast<AttemptResult>(event.detail) > AttemptResult::kLost) return;
  alert_ = false;
  Inquiry at = inquiry();
  for (const auto& detector : detectors_) detector->answered(at, event);
}

void Checkers::wake(const Event& event) {
  due_ = TrueTime::max();
  Inquiry at = inquiry();
  for (const auto& detector : detectors_) detector->wake(at, event.lo, event.hi);
}

// ---- the summary

TrueTime& Checkers::overlap_since(std::uint32_t mutex) {
  if (overlap_since_.size() <= mutex) overlap_since_.resize(mutex + 1, kNever);
  return overlap_since_[mutex];
}

// What a grant ends, and what is no longer seen, is of what was before.
void Checkers::count_before(const Event& event) {
  if (event.kind == EventKind::kUnobservedEnded) return count_unobserved(event);
  const bool began = event.kind == EventKind::kUnobservedBegan;
  if (event.kind != EventKind::kGranted && event.kind != EventKind::kRenewed && !began) return;
  const Standing::Mutex* const of = standing_.mutex(event.mutex);
  if (of == nullptr || !of->ever_granted()) return;
  const bool taken_up = event.kind != EventKind::kRenewed || of->grantee == standing_.place_of(event.node);
  if (of->free() && !of->unobserved && taken_up)
    leaderless_closed_ += std::max(Duration::zero(), Duration(event.lo - of->free_since));
  if (event.kind != EventKind::kGranted || of->grantee == standing_.place_of(event.node)) return;
  // Whoever joins those who hold beside each other takes it from none of them.
  const bool beside = event.detail == static_cast<std::uint8_t>(GrantKind::kShared);
  summary_.handoffs += !(beside && standing_.contender(of->grantee).shared);
}

void Checkers::count_unobserved(const Event& ended) {
  const Standing::Mutex* const of = standing_.mutex(ended.mutex);
  if (of != nullptr && of->unobserved)
    unobserved_closed_ += std::max(Duration::zero(), Duration(ended.lo - of->unobserved_since));
}

void Checkers::count(const Event& event, const Change& change) {
  switch (event.kind) {
    case EventKind::kGranted:
      if (standing_.contender(change.contender).ours && is_new(static_cast<GrantKind>(event.detail)))
        ++summary_.acquisitions;
      break;
    case EventKind::kRenewed:
      if (standing_.contender(change.contender).ours) ++summary_.renewals;
      break;
    case EventKind::kReleaseRefused:
      ++summary_.late_releases_refused;
      break;
    case EventKind::kTransferred:
      count_transfer(event);
      break;
    case EventKind::kStarted:
      calls_.started(event.node);
      summary_.contenders = standing_.ours();
      break;
    default:
      break;
  }
  if (change.belief == Change::Belief::kSame || change.belief == Change::Belief::kAgain) return;
  const bool overlap = standing_.too_many(standing_.mutex(change.mutex));
  TrueTime& since = overlap_since(change.mutex);
  if (overlap == (since != kNever)) return;
  if (!overlap) overlap_closed_ += event.hi - since;
  since = overlap ? event.hi : kNever;
}

// What was passed over is lost, until somebody who was late has credited it after all.
void Checkers::count_transfer(const Event& event) {
  const std::pair<std::int64_t, std::int64_t> which{event.b, event.a};
  switch (static_cast<TransferStep>(event.detail)) {
    case TransferStep::kCredited:
      ++summary_.transfers;
      passed_over_.erase(which);
      break;
    case TransferStep::kCreditedAgain:
      ++summary_.transfers_duplicated;
      break;
    case TransferStep::kLost:
      passed_over_.insert(which);
      break;
    case TransferStep::kHeld:
    case TransferStep::kSettled:
      break;
  }
  summary_.transfers_lost = passed_over_.size();
}

// ---- the end

void Checkers::advance(TrueTime now) {
  if (finished_) return;
  summary_.leaderless = leaderless_closed_;
  summary_.unobserved = unobserved_closed_;
  summary_.belief_overlap = overlap_closed_;
  for (std::uint32_t place = 0; place < standing_.mutexes().size(); ++place) {
    const Standing::Mutex& of = standing_.mutex(place);
    if (of.ever_granted() && of.free() && !of.unobserved)
      summary_.leaderless += std::max(Duration::zero(), Duration(now - of.free_since));
    if (of.unobserved) summary_.unobserved += std::max(Duration::zero(), Duration(now - of.unobserved_since));
    if (standing_.too_many(of)) summary_.belief_overlap += now - overlap_since(place);
  }
  Inquiry at = inquiry();
  for (const auto& detector : detectors_) detector->advance(at, now);
}

void Checkers::finish(TrueTime end) {
  if (finished_) return;
  known_within_ = Duration::zero();  // whatever there was is known
  advance(end);
  Inquiry at = inquiry();
  for (const auto& detector : detectors_) detector->finish(at, end);
  finished_ = true;
}

std::size_t Checkers::bytes() const {
  std::size_t bytes = sizeof *this - sizeof standing_ + standing_.bytes() + calls_.bytes() + writes_.bytes() +
                      overlap_since_.size() * sizeof(TrueTime);
  for (const auto& detector : detectors_) bytes += sizeof *detector + detector->bytes();
  return bytes;
}

}  // namespace leasescope
