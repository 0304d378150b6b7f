#include "ui/timeline/paint/chart_data.h"

#include <algorithm>

#include "core/store/port.h"

namespace leasescope {
namespace {

int lookup(const std::vector<int>& index, Name name) {
  return name.handle < index.size() ? index[name.handle] : kNoContender;
}

void remember(std::vector<int>& index, Name name, int value) {
  if (name.handle >= index.size()) index.resize(name.handle + 1, kNoContender);
  index[name.handle] = value;
}

template <class Rows>
int find_row(const Rows& rows, const std::string& name) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name) return static_cast<int>(i);
  return kNoContender;
}

Moment moment(const Event& event) { return {event.lo, event.hi}; }

SpanEnd ending_of(DisbeliefReason reason) {
  switch (reason) {
    case DisbeliefReason::kLost:
      return SpanEnd::kLost;
    case DisbeliefReason::kWatchdog:
      return SpanEnd::kWatchdog;
    case DisbeliefReason::kStop:
      return SpanEnd::kStop;
    case DisbeliefReason::kEvent:
      return SpanEnd::kEvent;
    case DisbeliefReason::kFailure:
      return SpanEnd::kFailure;
  }
  return SpanEnd::kLost;
}

}  // namespace

void ChartData::reset(const RunFacts& facts) {
  const std::uint64_t revision = revision_;
  *this = ChartData();
  revision_ = revision + 1;
  facts_ = facts;
  const Legend& legend = facts.legend;
  for (const MutexLegend& mutex : legend.mutexes) {
    mutexes_.emplace_back();
    mutexes_.back().name = mutex.name;
  }
  cast_.reset(legend.contenders);
  contenders_.reserve(legend.contenders.size());
  for (std::size_t i = 0; i < legend.contenders.size(); ++i) {
    contenders_.emplace_back();
    contenders_.back().name = legend.contenders[i];
    contenders_.back().mutex = legend.mutexes.empty() ? 0 : static_cast<int>(i % legend.mutexes.size());
  }
  for (const ResourceLegend& resource : legend.resources) {
    resources_.emplace_back();
    resources_.back().name = resource.name;
    resources_.back().fencing = resource.fencing;
  }
}

bool ChartData::append(const History& history) {
  const bool news = history.last() > folded_ || history.now > now_ || history.incidents.size() != incidents_.size();
  if (!news) return false;
  names_ = &history.names;
  history_ = &history;
  if (folded_ == 0) standing_ = Standing(history.legend);
  for (folded_ = std::max(folded_, history.forgotten); folded_ < history.last(); ++folded_) {
    seat(history.event(folded_ + 1));
    fold(history.event(folded_ + 1));
  }
  now_ = std::max(now_, history.now);
  fold_incidents(history.incidents);
  names_ = nullptr;
  history_ = nullptr;
  ++revision_;
  return true;
}

void ChartData::set_now(TrueTime now) {
  if (now <= now_) return;
  now_ = now;
  ++revision_;
}

std::string ChartData::letter(int contender) const {
  return contender < 0 ? std::string("–") : Cast::letter(contender).toStdString();
}

std::uint64_t ChartData::relevance(int contender) const {
  const ContenderRow& row = contenders_[static_cast<std::size_t>(contender)];
  constexpr std::uint64_t kIncident = 1'000'000;  // whatever else, its rows are drawn
  return row.incidents * kIncident + row.held.size() + row.believed.size() + row.bands.size();
}

std::string ChartData::words(std::uint32_t handle) const {
  const auto found = words_.find(handle);
  return found == words_.end() ? std::string() : found->second;
}

int ChartData::hue(int contender) const { return contender < 0 ? 0 : contender % kNamed; }

// ---- names

int ChartData::contender_of(Name name) const { return cast_.indexOf(*history_, name); }

// A row for whoever is new in this event.
void ChartData::seat(const Event& event) {
  if (!cast_.take(*history_, event)) return;
  contenders_.emplace_back();
  contenders_.back().name = cast_.name(cast_.size() - 1);
  contenders_.back().foreign = !facts_.legend.contenders.empty();
}

int ChartData::mutex_of(Name name) {
  if (name.empty()) {
    if (mutexes_.empty()) mutexes_.emplace_back();
    return 0;
  }
  int found = lookup(mutex_index_, name);
  if (found != kNoContender) return found;
  const std::string text = name_of(name);
  found = find_row(mutexes_, text);
  if (found == kNoContender) {
    found = static_cast<int>(mutexes_.size());
    mutexes_.emplace_back();
    mutexes_.back().name = text;
  }
  remember(mutex_index_, name, found);
  return found;
}

int ChartData::resource_of(Name name) {
  int found = lookup(resource_index_, name);
  if (found != kNoContender) return found;
  const std::string text = name_of(name);
  found = find_row(resources_, text);
  if (found == kNoContender) {
    found = static_cast<int>(resources_.size());
    resources_.emplace_back();
    resources_.back().name = text;
    const std::vector<ResourceLegend>& known = facts_.legend.resources;
    if (!known.empty()) resources_.back().fencing = known.front().fencing;
  }
  remember(resource_index_, name, found);
  return found;
}

std::vector<BandSpan>& ChartData::bands_of(Name node) {
  const int who = contender_of(node);
  if (who == kNoContender) return store_bands_;
  busy_ += relevance(who) == 0;
  return contenders_[static_cast<std::size_t>(who)].bands;
}

// ---- events

void ChartData::fold(const Event& event) {
  now_ = std::max(now_, event.hi);
  const Change change = standing_.append(event, *names_);
  const bool stop_here = event.kind != EventKind::kChecked && event.kind != EventKind::kWriteAccepted &&
                         event.kind != EventKind::kConnected && event.kind != EventKind::kWakeupPlanned;
  if (stop_here && (moments_.empty() || moments_.back() != event.hi)) {
    if (moments_.empty() || moments_.back() < event.hi)
      moments_.push_back(event.hi);
    else
      moments_.insert(std::lower_bound(moments_.begin(), moments_.end(), event.hi), event.hi);
  }
  switch (event.kind) {
    case EventKind::kStarted:
      return on_life(event, LifeKind::kStarted);
    case EventKind::kStopped:
      return on_life(event, LifeKind::kStopped);
    case EventKind::kCrashed:
      return on_life(event, LifeKind::kCrashed);
    case EventKind::kRestarted:
      return on_life(event, LifeKind::kRestarted);
    case EventKind::kAttempt:
      return on_attempt(event);
    case EventKind::kGranted:
      return on_granted(event);
    case EventKind::kRenewed:
      return on_renewed(event, change.hold);
    case EventKind::kReleased:
      return on_freed(event, change.hold, SpanEnd::kReleased);
    case EventKind::kExpired:
      return on_freed(event, change.hold, SpanEnd::kExpired);
    case EventKind::kBelieved:
      return on_believed(event);
    case EventKind::kDisbelieved:
      return on_disbelieved(event);
    case EventKind::kWakeupPlanned:
      return on_wakeup(event);
    case EventKind::kNotification:
      return on_notification(event);
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
      return on_write(event);
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
    case EventKind::kClockChanged:
      return on_fault(event);
    case EventKind::kConnected:
    case EventKind::kDisconnected:
      return on_connection(event);
    case EventKind::kUnobservedBegan:
    case EventKind::kUnobservedEnded:
      return on_unobserved(event);
    case EventKind::kRefused:
      return on_refused(event);
    case EventKind::kReleaseRefused:
      return requests_.push_back({event.hi, contender_of(event.node), RequestMark::Kind::kReleaseRefused});
    case EventKind::kChecked:
      return;
  }
}

// ---- what the store held

void ChartData::begin_held(const Event& event, bool renewal) {
  LeaseSpan span;
  span.start = moment(event);
  span.mutex = mutex_of(event.mutex);
  span.contender = contender_of(event.node);
  span.token = event.token;
  span.renewal = renewal;
  const bool endless = event.a <= 0;
  span.lease_end = endless ? kOpenEnd : event.hi + Duration(event.a);
  span.ttl_end = endless ? kOpenEnd : span.lease_end - std::min(facts_.terms.transition, Duration(event.a));
  MutexRow& mutex = mutexes_[static_cast<std::size_t>(span.mutex)];
  if (span.token == kNoToken && renewal && !mutex.held.empty()) span.token = mutex.held.back().token;
  mutex.highest = std::max(mutex.highest, span.token);
  mutex.held.push_back(span);
  if (span.contender != kNoContender) {
    ContenderRow& row = contenders_[static_cast<std::size_t>(span.contender)];
    row.mutex = span.mutex;
    busy_ += relevance(span.contender) == 0;
    row.held.push_back(span);
  }
}

// The same lease in its contender's row.
LeaseSpan* ChartData::own_held(int mutex) {
  const int who = mutexes_[static_cast<std::size_t>(mutex)].held.back().contender;
  if (who == kNoContender) return nullptr;
  std::vector<LeaseSpan>& own = contenders_[static_cast<std::size_t>(who)].held;
  const auto span = std::find_if(own.rbegin(), own.rend(), [&](const LeaseSpan& s) { return s.mutex == mutex; });
  return span == own.rend() ? nullptr : &*span;
}

void ChartData::close_held(int mutex, Moment end, SpanEnd ending) {
  std::vector<LeaseSpan>& held = mutexes_[static_cast<std::size_t>(mutex)].held;
  if (held.empty() || !held.back().open()) return;
  LeaseSpan* const own = own_held(mutex);
  for (LeaseSpan* span : {&held.back(), own}) {
    if (span == nullptr || !span->open()) continue;
    span->end = end;
    span->ending = ending;
  }
}

// The store tells again: what it says next ends the lease, or has kept it all the time.
void ChartData::see_again(int mutex) {
  std::vector<LeaseSpan>& held = mutexes_[static_cast<std::size_t>(mutex)].held;
  if (held.empty() || held.back().ending != SpanEnd::kUnseen) return;
  LeaseSpan* const own = own_held(mutex);
  for (LeaseSpan* span : {&held.back(), own}) {
    if (span == nullptr || span->ending != SpanEnd::kUnseen) continue;
    span->end = {kOpenEnd, kOpenEnd};
    span->ending = SpanEnd::kOpen;
  }
}

void ChartData::on_granted(const Event& event) {
  const int index = mutex_of(event.mutex);
  MutexRow& mutex = mutexes_[static_cast<std::size_t>(index)];
  see_again(index);
  close_held(index, moment(event), SpanEnd::kTakenOver);
  if (!mutex.gaps.empty() && mutex.gaps.back().end.hi == kOpenEnd) mutex.gaps.back().end = moment(event);
  begin_held(event, false);
  requests_.push_back({event.hi, contender_of(event.node), RequestMark::Kind::kGranted});
}

void ChartData::on_renewed(const Event& event, Change::Hold hold) {
  if (hold == Change::Hold::kTakenUp) return on_granted(event);
  if (hold != Change::Hold::kRenewed) return;
  const int index = mutex_of(event.mutex);
  see_again(index);
  close_held(index, moment(event), SpanEnd::kRenewed);
  begin_held(event, true);
  requests_.push_back({event.hi, contender_of(event.node), RequestMark::Kind::kGranted});
}

void ChartData::on_freed(const Event& event, Change::Hold hold, SpanEnd ending) {
  const int index = mutex_of(event.mutex);
  const int who = contender_of(event.node);
  if (ending == SpanEnd::kReleased) requests_.push_back({event.hi, who, RequestMark::Kind::kReleased});
  see_again(index);
  // After a take-over the earlier owner's end says nothing about who holds now.
  if (hold != Change::Hold::kEnded) return;
  close_held(index, moment(event), ending);
  if (standing_.mutex(event.mutex)->unobserved) return;
  mutexes_[static_cast<std::size_t>(index)].gaps.push_back({moment(event), {kOpenEnd, kOpenEnd}});
}

// ---- what a contender believed and did

void ChartData::on_attempt(const Event& event) {
  const int who = contender_of(event.node);
  if (who == kNoContender) return;
  ContenderRow& row = contenders_[static_cast<std::size_t>(who)];
  const auto result = static_cast<AttemptResult>(event.detail);
  const auto kind = static_cast<RequestKind>(event.b);
  if (kind != RequestKind::kAcquire && kind != RequestKind::kGuard) return;
  if (result != AttemptResult::kWon)
    requests_.push_back(
        {event.hi, who, result == AttemptResult::kLost ? RequestMark::Kind::kRefused : RequestMark::Kind::kFailed});

  const Standing::Contender* const standing = standing_.contender(event.node);
  const bool believes = standing != nullptr && standing->believes && !row.believed.empty();
  if (result == AttemptResult::kWon) row.last_remaining = Duration(event.a);
  if (result == AttemptResult::kWon && believes && event.a > 0) {
    LeaseSpan next = row.believed.back();
    row.believed.back().end = moment(event);
    row.believed.back().ending = SpanEnd::kRenewed;
    next.start = moment(event);
    next.lease_end = event.hi + Duration(event.a) - row.margin;
    next.ttl_end = event.hi + Duration(event.a) - std::min(facts_.terms.transition, Duration(event.a));
    next.renewal = true;
    if (event.token != kNoToken) next.token = event.token;
    row.believed.push_back(next);
  }
  if (kind == RequestKind::kGuard && result == AttemptResult::kWon) return;

  AttemptMark mark;
  mark.at = event.hi;
  mark.result = result;
  if (result == AttemptResult::kFailed && event.a > 0) {
    mark.words = static_cast<std::uint32_t>(event.a);
    words_.emplace(mark.words, name_of(Name{mark.words}));
  }
  if (kind == RequestKind::kGuard) {
    mark.cause = AttemptCause::kRenewal;
  } else if (!row.windows.empty()) {
    WakeWindow& window = row.windows.back();
    const bool notified = row.notified > window.planned && event.hi < window.drawn;
    mark.cause = notified ? AttemptCause::kNotified : AttemptCause::kTimer;
    mark.jitter = window.drawn - window.lease_end;
    window.overtaken = window.overtaken || notified;
    // A retry after a failure is not what was drawn.
    if (!row.attempts.empty() && row.attempts.back().at > window.planned) mark.cause = AttemptCause::kStart;
  }
  row.attempts.push_back(mark);
}

void ChartData::on_believed(const Event& event) {
  const int who = contender_of(event.node);
  if (who == kNoContender) return;
  ContenderRow& row = contenders_[static_cast<std::size_t>(who)];
  if (!row.believed.empty() && row.believed.back().open()) {
    row.believed.back().end = moment(event);
    row.believed.back().ending = SpanEnd::kRenewed;
  }
  LeaseSpan span;
  span.start = moment(event);
  span.contender = who;
  span.mutex = event.mutex.empty() ? row.mutex : mutex_of(event.mutex);
  span.token = event.token;
  const bool endless = event.a >= kForever.count() / 2;
  span.lease_end = endless ? kOpenEnd : event.hi + Duration(event.a);
  span.ttl_end = endless ? kOpenEnd : event.hi + std::min(Duration(event.a), Duration(event.b));
  row.margin = endless ? Duration{} : std::max(Duration{}, row.last_remaining - Duration(event.a));
  if (row.margin > facts_.terms.lease() / 4) row.margin = Duration{};
  row.mutex = span.mutex;
  busy_ += relevance(who) == 0;
  row.believed.push_back(span);
}

void ChartData::on_disbelieved(const Event& event) {
  const int who = contender_of(event.node);
  if (who == kNoContender) return;
  std::vector<LeaseSpan>& believed = contenders_[static_cast<std::size_t>(who)].believed;
  if (believed.empty() || !believed.back().open()) return;
  believed.back().end = moment(event);
  believed.back().ending = ending_of(static_cast<DisbeliefReason>(event.detail));
}

void ChartData::on_wakeup(const Event& event) {
  const int who = contender_of(event.node);
  if (who == kNoContender) return;
  WakeWindow window;
  window.planned = event.hi;
  window.drawn = event.hi + Duration(event.a);
  window.lease_end = window.drawn - Duration(event.b);
  window.from = window.lease_end + facts_.terms.jitter.min;
  window.to = window.lease_end + facts_.terms.jitter.max;
  contenders_[static_cast<std::size_t>(who)].windows.push_back(window);
}

void ChartData::on_notification(const Event& event) {
  const auto step = static_cast<NotificationStep>(event.detail);
  if (step != NotificationStep::kReceived || static_cast<StoreEventKind>(event.a) != StoreEventKind::kReleased) return;
  const int who = contender_of(event.node);
  if (who == kNoContender) return;
  contenders_[static_cast<std::size_t>(who)].notified = event.hi;
  NotificationMark mark;
  mark.at = event.hi;
  mark.target = who;
  mark.sent = event.hi;
  mark.source = event.b > 0 ? contender_of(Name{static_cast<std::uint32_t>(event.b)}) : kNoContender;
  if (history_->holds(event.cause) && history_->event(event.cause).hi <= event.hi)
    mark.sent = history_->event(event.cause).hi;
  const std::vector<LeaseSpan>& held = mutexes_[static_cast<std::size_t>(mutex_of(event.mutex))].held;
  for (auto span = held.rbegin(); span != held.rend() && span != held.rbegin() + 4; ++span) {
    if (span->ending != SpanEnd::kReleased) continue;
    if (mark.source == kNoContender) mark.source = span->contender;
    if (mark.source == span->contender) mark.sent = std::min(mark.sent, span->end.hi);
    break;
  }
  if (mark.source != who) notifications_.push_back(mark);
}

void ChartData::on_life(const Event& event, LifeKind kind) {
  const int who = contender_of(event.node);
  if (who == kNoContender) return;
  if (!event.mutex.empty()) contenders_[static_cast<std::size_t>(who)].mutex = mutex_of(event.mutex);
  contenders_[static_cast<std::size_t>(who)].life.push_back({event.hi, kind});
}

// ---- the resource, what was not seen

void ChartData::on_write(const Event& event) {
  const int index = resource_of(Name{static_cast<std::uint32_t>(event.a)});
  WriteMark mark;
  mark.at = event.hi;
  mark.token = event.token;
  mark.highest = static_cast<Token>(event.b);
  if (!event.mutex.empty()) mark.granted = mutexes_[static_cast<std::size_t>(mutex_of(event.mutex))].highest;
  mark.writer = contender_of(event.node);
  mark.result = event.kind;
  resources_[static_cast<std::size_t>(index)].writes.push_back(mark);
}

// What a contender does not see hides its own row; what the observer of the store does not see, the mutex too: until it
// is seen again there is neither an owner nor a gap.
void ChartData::on_unobserved(const Event& event) {
  const bool everywhere = contender_of(event.node) == kNoContender;
  std::vector<BandSpan>& bands = everywhere ? unobserved_ : bands_of(event.node);
  if (event.kind == EventKind::kUnobservedEnded) {
    bool ended = false;
    for (BandSpan& band : bands) {
      if (!band.open() || band.kind != BandKind::kUnobserved || band.name != event.node.handle) continue;
      band.end = event.hi;
      ended = true;
    }
    if (!ended || !everywhere) return;
    for (std::size_t i = 0; i < mutexes_.size(); ++i) {
      see_again(static_cast<int>(i));
      MutexRow& mutex = mutexes_[i];
      const bool free = !mutex.held.empty() && !mutex.held.back().open();
      if (free) mutex.gaps.push_back({moment(event), {kOpenEnd, kOpenEnd}});
    }
    return;
  }
  BandSpan band;
  band.begin = event.lo;
  band.kind = BandKind::kUnobserved;
  band.label = everywhere ? "the store did not answer" : "not observed";
  band.name = event.node.handle;
  bands.push_back(band);
  if (!everywhere) return;
  for (std::size_t i = 0; i < mutexes_.size(); ++i) {
    close_held(static_cast<int>(i), moment(event), SpanEnd::kUnseen);
    MutexRow& mutex = mutexes_[i];
    if (!mutex.gaps.empty() && mutex.gaps.back().end.hi == kOpenEnd) mutex.gaps.back().end = moment(event);
  }
}

void ChartData::on_refused(const Event& event) {
  const int who = contender_of(event.node);
  if (who == kNoContender) return;
  const bool stop = static_cast<LifecycleError>(event.detail) == LifecycleError::kCannotStop;
  contenders_[static_cast<std::size_t>(who)].life.push_back(
      {event.hi, stop ? LifeKind::kStopRefused : LifeKind::kStartRefused, event.a});
}

// Their ends and causes move while they are open, and those of writes while their writer goes on; the latest few
// hundred are looked at again, so that a long run costs no more than a short one.
void ChartData::fold_incidents(const IncidentList& incidents) {
  constexpr std::size_t kMoving = 512;
  incidents_.resize(std::min(incidents_.size(), incidents.size()));
  settled_ = std::min(settled_, incidents_.size());
  for (std::size_t i = settled_; i < incidents.size(); ++i) {
    const Incident& from = incidents[i];
    if (i < incidents_.size() && !incidents_[i].open && incidents_[i].end == from.end &&
        incidents_[i].kind == from.kind && incidents_[i].cause == from.cause)
      continue;
    IncidentMark mark;
    mark.kind = from.kind;
    mark.start = from.start;
    mark.end = from.end;
    mark.open = from.open;
    mark.mutex = mutex_of(from.mutex);
    for (const Name name : from.contenders) {
      const int who = contender_of(name);
      mark.contenders.push_back(who);
      if (i < incidents_.size() || who == kNoContender) continue;
      ++contenders_[static_cast<std::size_t>(who)].incidents;
      ++busy_;
    }
    mark.tokens = from.tokens;
    mark.cause = from.cause;
    if (i < incidents_.size())
      incidents_[i] = std::move(mark);
    else
      incidents_.push_back(std::move(mark));
  }
  while (settled_ + kMoving < incidents_.size() && !incidents_[settled_].open) ++settled_;
}

}  // namespace leasescope
