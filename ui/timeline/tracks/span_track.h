// The leases of one lane in one row, in their order: millions of them, in columns, with a pyramid that tells where the
// next one is that can be seen at a scale.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "ui/timeline/tracks/column.h"
#include "ui/timeline/tracks/lease_span.h"
#include "ui/timeline/tracks/packed_rows.h"
#include "ui/timeline/tracks/peaks.h"

namespace leasescope {

// Neither starts nor ends go back. Where leases overlap, who asks for a moment is told of one of them.
// 28 bytes a lease in columns; beside them what it has in common with its renewals, how wide its bounds are and the
// pyramid, each in as few bytes as those around it allow: under 30 (README.md).
class SpanTrack {
 public:
  class Iterator;
  class Cursor;

  std::size_t size() const { return start_.size(); }
  bool empty() const { return start_.empty(); }
  LeaseSpan operator[](std::size_t i) const;
  LeaseSpan front() const { return (*this)[0]; }
  LeaseSpan back() const { return (*this)[size() - 1]; }
  Iterator begin() const;
  Iterator end() const;

  void push_back(const LeaseSpan& span);
  // `change` gets the times of the lease and how it ended, not whose it is, and may change its end, and what it was
  // promised.
  template <class Change>
  void amend(std::size_t i, Change&& change) {
    LeaseSpan span = times_of(i);
    change(span);
    set_end(i, span);
  }

  TrueTime start(std::size_t i) const { return TrueTime(Duration(start_[i])); }
  TrueTime end_of(std::size_t i) const { return TrueTime(Duration(end_[i])); }
  Moment start_of(std::size_t i) const { return {TrueTime(Duration(start_bound(i))), start(i)}; }
  // Its start and its end are known exactly.
  bool exact(std::size_t i) const { return (code_[i] & kBounded) == 0; }
  SpanEnd ending(std::size_t i) const { return static_cast<SpanEnd>(code_[i] & kEnding); }
  bool renewal(std::size_t i) const { return (code_[i] & kRenewal) != 0; }

  // ---- search; the number of all where there is none
  std::size_t first_ending_after(TrueTime at) const;
  std::size_t first_starting_at(TrueTime at) const;  // or after it
  // The next at or after `i` that lasts longer than `least`, or begins later than that after the one before it.
  std::size_t next_apart(std::size_t i, Duration least) const;
  // Whether one may last longer than `least`: rarely yes where none does.
  bool lasts_longer(Duration least) const { return !open_.empty() || longest_ > least.count(); }
  // Whether one of them is held beside others.
  bool has_shared() const { return shared_; }
  // Of the holding that a lease is part of: its grant, and the one after its last renewal.
  std::size_t holding_first(std::size_t i) const;
  std::size_t holding_end(std::size_t i) const;

  // Together all that is taken for the leases: what the columns need (begin, end and promised end of 8, a code of 4),
  // and all else, with what stands ready for more in either.
  std::size_t column_bytes() const;
  std::size_t bytes_beside() const;

 private:
  // What a lease has in common with its renewals.
  struct Term {
    std::size_t index = 0;
    std::size_t first = 0, end = 0;  // its leases
    std::size_t changes = 0;         // of the contender, up to here
    Token token = kNoToken;
    int contender = kNoContender, mutex = 0;
    std::uint16_t slot = 0;
    bool shared = false;
  };
  // As it is kept. Where none is renewed the first number is the same for all, and where none of them is of the same
  // contender as the one before it so is the second.
  enum TermField : std::size_t {
    kRenewals,  // before its first lease, of any term
    kKept,      // terms up to here that are of the same contender as the one before them
    kContender,
    kMutex,
    kToken,
    kPlace,  // the slot; below it whether it is shared; below that kGoesOn
    kTermFields
  };
  static constexpr std::int64_t kGoesOn = 1;  // begins by a renewal, which changed something of it
  // How far the lower bounds lie before the upper ones. Kept up to the last lease that has bounds.
  enum BoundsField : std::size_t { kStart, kEnd, kBoundsFields };

  // From the low bits on: how it ended, whether it is a renewal, whether it has bounds, and by which length its ttl
  // ends before the lease.
  static constexpr std::uint32_t kEnding = 0xf, kRenewal = 0x10, kBounded = 0x20;
  static constexpr int kTailShift = 6;

  std::size_t first_of(std::size_t term) const { return term + static_cast<std::size_t>(terms_.at(term, kRenewals)); }
  std::size_t end_of_term(std::size_t term) const { return term + 1 < terms_.size() ? first_of(term + 1) : size(); }
  bool goes_on(std::size_t term) const { return (terms_.at(term, kPlace) & kGoesOn) != 0; }
  std::size_t term_of(std::size_t i) const;
  Term term(std::size_t index) const;
  static PackedRows<kTermFields>::Row row_of(const LeaseSpan& span);  // without what the terms before it count
  bool continues(const LeaseSpan& span) const;                        // the last term
  void begin_term(const LeaseSpan& span);

  LeaseSpan span_in(const Term& term, std::size_t i) const;
  LeaseSpan times_of(std::size_t i) const;
  std::int64_t start_bound(std::size_t i) const;
  void set_bounds(std::size_t i, const LeaseSpan& span);
  void set_end(std::size_t i, const LeaseSpan& span);
  std::uint32_t tail_of(std::size_t i, const LeaseSpan& span);
  std::uint32_t tail_at(std::size_t i) const { return code_[i] >> kTailShift; }
  std::int64_t length(std::size_t i) const;
  std::int64_t apart(std::size_t i) const;
  std::size_t first_apart(std::size_t first, std::size_t end, std::int64_t least) const;
  void raise(std::size_t i);

  Column<std::int64_t> start_, end_, lease_end_;
  Column<std::uint32_t> code_;
  PackedRows<kTermFields> terms_;
  PackedRows<kTermFields>::Row last_term_{};  // as it was put: each renewal is compared with it
  PackedRows<kBoundsFields> bounds_;
  PackedRows<1> tails_;
  std::vector<std::uint32_t> open_;  // those without an end, a few
  Peaks<std::int64_t> apart_;
  std::int64_t longest_ = 0;  // of all that have ended, as they were once known
  bool shared_ = false;
};

// For those who go forwards: the next one is of the same holding, or of one of the next.
class SpanTrack::Cursor {
 public:
  explicit Cursor(const SpanTrack& track) : track_(&track) {}
  LeaseSpan operator[](std::size_t i);
  int contender(std::size_t i);
  // Whether these are of more than one contender.
  bool mixed(std::size_t first, std::size_t end);

 private:
  const Term& term_of(std::size_t i);

  const SpanTrack* track_;
  Term term_;  // the one it stands on; none at first
};

class SpanTrack::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = LeaseSpan;
  using difference_type = std::ptrdiff_t;
  using pointer = const LeaseSpan*;
  using reference = LeaseSpan;

  Iterator(const SpanTrack& track, std::size_t index) : cursor_(track), index_(index) {}
  LeaseSpan operator*() const { return cursor_[index_]; }
  Iterator& operator++() {
    ++index_;
    return *this;
  }
  Iterator operator++(int) {
    Iterator before = *this;
    ++index_;
    return before;
  }
  friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }
  friend bool operator!=(const Iterator& a, const Iterator& b) { return a.index_ != b.index_; }

 private:
  mutable Cursor cursor_;  // where it stands is told from
  std::size_t index_ = 0;
};

inline SpanTrack::Iterator SpanTrack::begin() const { return {*this, 0}; }
inline SpanTrack::Iterator SpanTrack::end() const { return {*this, size()}; }

}  // namespace leasescope
