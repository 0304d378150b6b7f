#include "ui/timeline/tracks/span_track.h"

#include <algorithm>

namespace leasescope {
namespace {

std::int64_t count(TrueTime at) { return at.time_since_epoch().count(); }
TrueTime time(std::int64_t at) { return TrueTime(Duration(at)); }

template <class Column>
std::size_t bytes(const Column& column) {
  return column.capacity() * sizeof(typename Column::value_type);
}

}  // namespace

std::size_t SpanTrack::term_of(std::size_t i) const {
  const auto next = std::upper_bound(terms_.begin(), terms_.end(), i,
                                     [](std::size_t at, const Term& term) { return at < term.first; });
  return static_cast<std::size_t>(next - terms_.begin()) - 1;
}

std::size_t SpanTrack::bounds_place(std::size_t i) const {
  const auto place = std::lower_bound(bounds_.begin(), bounds_.end(), i,
                                      [](const Bounds& bounds, std::size_t at) { return bounds.index < at; });
  return static_cast<std::size_t>(place - bounds_.begin());
}

TrueTime SpanTrack::start_bound(std::size_t i) const { return time(bounds_[bounds_place(i)].start); }

LeaseSpan SpanTrack::operator[](std::size_t i) const { return span_in(term_of(i), i); }

const SpanTrack::Term& SpanTrack::Cursor::term_of(std::size_t i) {
  constexpr int kNear = 4;
  const std::vector<Term>& terms = track_->terms_;
  const auto lies_in = [&](std::size_t term) {
    return terms[term].first <= i && (term + 1 == terms.size() || i < terms[term + 1].first);
  };
  for (int step = 0; step < kNear && term_ + 1 < terms.size() && !lies_in(term_); ++step) ++term_;
  if (!lies_in(term_)) term_ = track_->term_of(i);
  return terms[term_];
}

LeaseSpan SpanTrack::Cursor::operator[](std::size_t i) {
  term_of(i);
  return track_->span_in(term_, i);
}

int SpanTrack::Cursor::contender(std::size_t i) { return term_of(i).contender; }

bool SpanTrack::Cursor::mixed(std::size_t first, std::size_t end) {
  return end > first + 1 && term_of(first).changes != term_of(end - 1).changes;
}

LeaseSpan SpanTrack::span_in(std::size_t of, std::size_t i) const {
  const Term& term = terms_[of];
  LeaseSpan span;
  span.start = {start(i), start(i)};
  span.end = {end_of(i), end_of(i)};
  if ((code_[i] & kBounded) != 0) {
    const Bounds& bounds = bounds_[bounds_place(i)];
    span.start.lo = time(bounds.start);
    span.end.lo = time(bounds.end);
  }
  span.lease_end = time(lease_end_[i]);
  span.ttl_end = time(lease_end_[i] - tails_[tail_at(i)]);
  span.token = term.token;
  span.contender = term.contender;
  span.mutex = term.mutex;
  span.ending = ending(i);
  span.renewal = renewal(i);
  span.shared = term.shared;
  span.slot = term.slot;
  return span;
}

// Most leases of a run have one of a few; another is one entry more.
std::uint32_t SpanTrack::tail_of(const LeaseSpan& span) {
  constexpr std::size_t kLookedAt = 8;
  const std::int64_t tail = count(span.lease_end) - count(span.ttl_end);
  const std::size_t oldest = tails_.size() - std::min(tails_.size(), kLookedAt);
  for (std::size_t i = tails_.size(); i > oldest; --i)
    if (tails_[i - 1] == tail) return static_cast<std::uint32_t>(i - 1);
  tails_.push_back(tail);
  return static_cast<std::uint32_t>(tails_.size() - 1);
}

void SpanTrack::push_back(const LeaseSpan& span) {
  const bool same = !terms_.empty() && span.renewal && terms_.back().contender == span.contender &&
                    terms_.back().mutex == span.mutex && terms_.back().token == span.token &&
                    terms_.back().slot == span.slot && terms_.back().shared == span.shared;
  if (!same) {
    Term term;
    term.first = static_cast<std::uint32_t>(size());
    term.contender = span.contender;
    term.mutex = span.mutex;
    term.token = span.token;
    term.slot = span.slot;
    term.shared = span.shared;
    term.goes_on = span.renewal;
    if (!terms_.empty()) term.changes = terms_.back().changes + (terms_.back().contender != span.contender ? 1 : 0);
    terms_.push_back(term);
  }
  start_.push_back(count(span.start.hi));
  end_.push_back(0);
  lease_end_.push_back(0);
  code_.push_back(span.renewal ? kRenewal : 0);
  if (!span.start.exact()) {
    bounds_.push_back({static_cast<std::uint32_t>(size() - 1), count(span.start.lo), count(span.end.lo)});
    code_.back() |= kBounded;
  }
  set_end(size() - 1, span);
}

void SpanTrack::set_end(std::size_t i, const LeaseSpan& span) {
  end_[i] = count(span.end.hi);
  lease_end_[i] = count(span.lease_end);
  code_[i] = (code_[i] & (kRenewal | kBounded)) | static_cast<std::uint32_t>(span.ending) | tail_of(span) << kTailShift;
  if ((code_[i] & kBounded) == 0 && !span.end.exact()) {
    bounds_.insert(bounds_.begin() + static_cast<std::ptrdiff_t>(bounds_place(i)),
                   {static_cast<std::uint32_t>(i), start_[i], 0});
    code_[i] |= kBounded;
  }
  if ((code_[i] & kBounded) != 0) bounds_[bounds_place(i)].end = count(span.end.lo);
  const auto open = std::lower_bound(open_.begin(), open_.end(), i);
  const bool known = open != open_.end() && *open == i;
  if (span.open() && !known) open_.insert(open, static_cast<std::uint32_t>(i));
  if (!span.open() && known) open_.erase(open);
  raise(i);
}

// How much of the time axis it takes for itself: its own length, or the gap before it. One that is open has none yet.
std::int64_t SpanTrack::apart(std::size_t i) const {
  const std::int64_t start = (code_[i] & kBounded) != 0 ? bounds_[bounds_place(i)].start : start_[i];
  const std::int64_t length = end_[i] == count(kOpenEnd) ? 0 : end_[i] - start;
  const bool follows = i > 0 && end_[i - 1] != count(kOpenEnd);
  return std::max(length, follows ? start - end_[i - 1] : 0);
}

void SpanTrack::raise(std::size_t i) {
  const auto at = [this](std::size_t k) { return apart(k); };
  apart_.update(i, at);
  if (i + 1 < size()) apart_.update(i + 1, at);  // the gap before it is another
}

std::size_t SpanTrack::first_ending_after(TrueTime at) const {
  return static_cast<std::size_t>(std::upper_bound(end_.begin(), end_.end(), count(at)) - end_.begin());
}

std::size_t SpanTrack::first_starting_at(TrueTime at) const {
  return static_cast<std::size_t>(std::lower_bound(start_.begin(), start_.end(), count(at)) - start_.begin());
}

std::size_t SpanTrack::next_apart(std::size_t i, Duration least) const {
  const std::size_t found = apart_.first_above(i, least.count(), [this](std::size_t k) { return apart(k); });
  const auto open = std::lower_bound(open_.begin(), open_.end(), i);
  return open == open_.end() ? found : std::min<std::size_t>(found, *open);
}

std::size_t SpanTrack::holding_first(std::size_t i) const {
  std::size_t term = term_of(i);
  while (term > 0 && terms_[term].goes_on) --term;
  return terms_[term].first;
}

std::size_t SpanTrack::holding_end(std::size_t i) const {
  std::size_t next = term_of(i) + 1;
  while (next < terms_.size() && terms_[next].goes_on) ++next;
  return next < terms_.size() ? terms_[next].first : size();
}

std::size_t SpanTrack::column_bytes() const {
  return size() * (sizeof(start_[0]) + sizeof(end_[0]) + sizeof(lease_end_[0]) + sizeof(code_[0]));
}

std::size_t SpanTrack::bytes_beside() const {
  return bytes(terms_) + bytes(bounds_) + bytes(tails_) + bytes(open_) + apart_.bytes();
}

}  // namespace leasescope
