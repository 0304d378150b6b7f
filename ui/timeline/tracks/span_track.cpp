#include "ui/timeline/tracks/span_track.h"

#include <algorithm>

namespace leasescope {
namespace {

std::int64_t count(TrueTime at) { return at.time_since_epoch().count(); }
TrueTime time(std::int64_t at) { return TrueTime(Duration(at)); }

// As unsigned numbers: these do not overflow, and each undoes the other.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t minus(TrueTime a, TrueTime b) { return minus(count(a), count(b)); }

}  // namespace

// ---- terms

std::size_t SpanTrack::term_of(std::size_t i) const {
  std::size_t low = 0, high = std::min(terms_.size(), i + 1);
  if (first_of(high - 1) <= i) return high - 1;  // no renewals, or the last
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (first_of(middle) <= i ? low : high) = middle;
  }
  return low;
}

SpanTrack::Term SpanTrack::term(std::size_t index) const {
  const auto row = terms_[index];
  Term term;
  term.index = index;
  term.first = first_of(index);
  term.end = end_of_term(index);
  term.changes = index - static_cast<std::size_t>(row[kKept]);
  term.token = static_cast<Token>(row[kToken]);
  term.contender = static_cast<int>(row[kContender]);
  term.mutex = static_cast<int>(row[kMutex]);
  term.slot = static_cast<std::uint16_t>(row[kPlace] >> 2);
  term.shared = (row[kPlace] & 2) != 0;
  return term;
}

bool SpanTrack::continues(const LeaseSpan& span) const {
  if (!span.renewal || terms_.empty()) return false;
  const PackedRows<kTermFields>::Row row = row_of(span);
  const auto same = [&](TermField field) { return row[field] == last_term_[field]; };
  return same(kContender) && same(kMutex) && same(kToken) && (row[kPlace] | kGoesOn) == (last_term_[kPlace] | kGoesOn);
}

PackedRows<SpanTrack::kTermFields>::Row SpanTrack::row_of(const LeaseSpan& span) {
  PackedRows<kTermFields>::Row row{};
  row[kContender] = span.contender;
  row[kMutex] = span.mutex;
  row[kToken] = static_cast<std::int64_t>(span.token);
  row[kPlace] = std::int64_t{span.slot} << 2 | (span.shared ? 2 : 0) | (span.renewal ? kGoesOn : 0);
  return row;
}

void SpanTrack::begin_term(const LeaseSpan& span) {
  const std::size_t index = terms_.size();
  PackedRows<kTermFields>::Row row = row_of(span);
  row[kRenewals] = static_cast<std::int64_t>(size() - index);
  if (index > 0) row[kKept] = last_term_[kKept] + (last_term_[kContender] == span.contender ? 1 : 0);
  terms_.push_back(row);
  last_term_ = row;
  shared_ = shared_ || span.shared;
}

const SpanTrack::Term& SpanTrack::Cursor::term_of(std::size_t i) {
  constexpr int kNear = 4;
  if (i >= term_.first && i < term_.end) return term_;
  std::size_t index = term_.index;
  for (int step = 0; step < kNear && i >= track_->end_of_term(index) && index + 1 < track_->terms_.size(); ++step)
    ++index;
  if (i < track_->first_of(index) || i >= track_->end_of_term(index)) index = track_->term_of(i);
  return term_ = track_->term(index);
}

LeaseSpan SpanTrack::Cursor::operator[](std::size_t i) { return track_->span_in(term_of(i), i); }

int SpanTrack::Cursor::contender(std::size_t i) { return term_of(i).contender; }

bool SpanTrack::Cursor::mixed(std::size_t first, std::size_t end) {
  if (end <= first + 1) return false;
  const std::size_t changes = term_of(first).changes;
  return changes != term_of(end - 1).changes;
}

// ---- leases

LeaseSpan SpanTrack::operator[](std::size_t i) const { return span_in(term(term_of(i)), i); }

LeaseSpan SpanTrack::times_of(std::size_t i) const {
  LeaseSpan span;
  span.start = start_of(i);
  span.end = {exact(i) ? end_of(i) : time(minus(end_[i], bounds_.at(i, kEnd))), end_of(i)};
  span.lease_end = time(lease_end_[i]);
  span.ttl_end = time(minus(lease_end_[i], tails_.at(tail_at(i), 0)));
  span.ending = ending(i);
  span.renewal = renewal(i);
  return span;
}

LeaseSpan SpanTrack::span_in(const Term& term, std::size_t i) const {
  LeaseSpan span = times_of(i);
  span.token = term.token;
  span.contender = term.contender;
  span.mutex = term.mutex;
  span.shared = term.shared;
  span.slot = term.slot;
  return span;
}

std::int64_t SpanTrack::start_bound(std::size_t i) const {
  return exact(i) ? start_[i] : minus(start_[i], bounds_.at(i, kStart));
}

// Most leases of a run have one of a few; another is one entry more.
std::uint32_t SpanTrack::tail_of(std::size_t i, const LeaseSpan& span) {
  constexpr std::size_t kLookedAt = 8;
  const std::int64_t tail = minus(span.lease_end, span.ttl_end);
  if (tail_at(i) < tails_.size() && tails_.at(tail_at(i), 0) == tail) return tail_at(i);
  const std::size_t oldest = tails_.size() - std::min(tails_.size(), kLookedAt);
  for (std::size_t k = tails_.size(); k > oldest; --k)
    if (tails_.at(k - 1, 0) == tail) return static_cast<std::uint32_t>(k - 1);
  tails_.push_back({tail});
  return static_cast<std::uint32_t>(tails_.size() - 1);
}

void SpanTrack::push_back(const LeaseSpan& span) {
  if (!continues(span)) begin_term(span);
  start_.push_back(count(span.start.hi));
  end_.push_back(0);
  lease_end_.push_back(0);
  code_.push_back(span.renewal ? kRenewal : 0);
  set_end(size() - 1, span);
}

// One that has none yet may get them when its end is known. Those before it get bounds that are no way apart.
void SpanTrack::set_bounds(std::size_t i, const LeaseSpan& span) {
  const PackedRows<kBoundsFields>::Row row{minus(span.start.hi, span.start.lo), minus(span.end.hi, span.end.lo)};
  while (bounds_.size() < i) bounds_.push_back({});
  if (bounds_.size() == i)
    bounds_.push_back(row);
  else
    bounds_.set(i, row);
  code_[i] |= kBounded;
}

void SpanTrack::set_end(std::size_t i, const LeaseSpan& span) {
  end_[i] = count(span.end.hi);
  lease_end_[i] = count(span.lease_end);
  code_[i] =
      (code_[i] & (kRenewal | kBounded)) | static_cast<std::uint32_t>(span.ending) | tail_of(i, span) << kTailShift;
  if (!exact(i) || !span.start.exact() || !span.end.exact()) set_bounds(i, span);
  const auto open = std::lower_bound(open_.begin(), open_.end(), i);
  const bool known = open != open_.end() && *open == i;
  if (span.open() && !known) open_.insert(open, static_cast<std::uint32_t>(i));
  if (!span.open() && known) open_.erase(open);
  raise(i);
}

// ---- search

// One that is open has none yet.
std::int64_t SpanTrack::length(std::size_t i) const {
  return end_[i] == count(kOpenEnd) ? 0 : end_[i] - start_bound(i);
}

// How much of the time axis it takes for itself: its own length, or the gap before it.
std::int64_t SpanTrack::apart(std::size_t i) const {
  const bool follows = i > 0 && end_[i - 1] != count(kOpenEnd);
  return std::max(length(i), follows ? start_bound(i) - end_[i - 1] : 0);
}

// Of a few whose columns each lie side by side: the first that is further apart than that, or their end.
std::size_t SpanTrack::first_apart(std::size_t first, std::size_t end, std::int64_t least) const {
  static_assert(Column<std::int64_t>::kChunk % Peaks<std::int64_t>::kFan == 0);
  const std::int64_t* const starts = start_.from(first);
  const std::int64_t* const ends = end_.from(first);
  const std::uint32_t* const codes = code_.from(first);
  const std::int64_t open = count(kOpenEnd);
  std::int64_t before = first > 0 ? end_[first - 1] : open;
  for (std::size_t k = 0; k < end - first; before = ends[k++]) {
    const std::int64_t start = (codes[k] & kBounded) == 0 ? starts[k] : start_bound(first + k);
    if (ends[k] != open && ends[k] - start > least) return first + k;
    if (before != open && start - before > least) return first + k;
    if (least < 0) return first + k;  // none is less than no way apart
  }
  return end;
}

void SpanTrack::raise(std::size_t i) {
  const auto at = [this](std::size_t k) { return apart(k); };
  longest_ = std::max(longest_, length(i));
  apart_.update(i, at);
  if (i + 1 < size()) apart_.update(i + 1, at);  // the gap before it is another
}

std::size_t SpanTrack::first_ending_after(TrueTime at) const { return end_.first_above(count(at)); }

std::size_t SpanTrack::first_starting_at(TrueTime at) const { return start_.first_not_below(count(at)); }

std::size_t SpanTrack::next_apart(std::size_t i, Duration least) const {
  const std::size_t found = apart_.first_among(
      i, least.count(),
      [this](std::size_t first, std::size_t end, std::int64_t bound) { return first_apart(first, end, bound); });
  const auto open = std::lower_bound(open_.begin(), open_.end(), i);
  return open == open_.end() ? found : std::min<std::size_t>(found, *open);
}

std::size_t SpanTrack::holding_first(std::size_t i) const {
  std::size_t term = term_of(i);
  while (term > 0 && goes_on(term)) --term;
  return first_of(term);
}

std::size_t SpanTrack::holding_end(std::size_t i) const {
  std::size_t term = term_of(i);
  while (term + 1 < terms_.size() && goes_on(term + 1)) ++term;
  return end_of_term(term);
}

// ---- what it takes

std::size_t SpanTrack::column_bytes() const {
  return size() * (sizeof(start_[0]) + sizeof(end_[0]) + sizeof(lease_end_[0]) + sizeof(code_[0]));
}

std::size_t SpanTrack::bytes_beside() const {
  const std::size_t columns = start_.bytes() + end_.bytes() + lease_end_.bytes() + code_.bytes();
  return columns - column_bytes() + terms_.bytes() + bounds_.bytes() + tails_.bytes() +
         open_.capacity() * sizeof(open_[0]) + apart_.bytes();
}

}  // namespace leasescope
