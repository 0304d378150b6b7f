// The leases of one lane in one row, in their order: millions of them, in columns, with a pyramid that tells where the
// next one is that can be seen at a scale.
#pragma once
#include <cstddef>
#include <iterator>
#include <vector>

#include "ui/timeline/tracks/lease_span.h"
#include "ui/timeline/tracks/peaks.h"

namespace leasescope {

// Neither starts nor ends go back. Where leases overlap, who asks for a moment is told of one of them.
// 28 bytes a lease, some 32 more a holding (a grant with its renewals), and 24 where bounds are known.
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
  // `change` gets the lease and may change its end, and what it was promised.
  template <class Change>
  void amend(std::size_t i, Change&& change) {
    LeaseSpan span = (*this)[i];
    change(span);
    set_end(i, span);
  }

  TrueTime start(std::size_t i) const { return TrueTime(Duration(start_[i])); }
  TrueTime end_of(std::size_t i) const { return TrueTime(Duration(end_[i])); }
  Moment start_of(std::size_t i) const { return {(code_[i] & kBounded) != 0 ? start_bound(i) : start(i), start(i)}; }
  // Its start and its end are known exactly.
  bool exact(std::size_t i) const { return (code_[i] & kBounded) == 0; }
  SpanEnd ending(std::size_t i) const { return static_cast<SpanEnd>(code_[i] & kEnding); }
  bool renewal(std::size_t i) const { return (code_[i] & kRenewal) != 0; }

  // ---- search; the number of all where there is none
  std::size_t first_ending_after(TrueTime at) const;
  std::size_t first_starting_at(TrueTime at) const;  // or after it
  // The next at or after `i` that lasts longer than `least`, or begins later than that after the one before it.
  std::size_t next_apart(std::size_t i, Duration least) const;
  // Of the holding that a lease is part of: its grant, and the one after its last renewal.
  std::size_t holding_first(std::size_t i) const;
  std::size_t holding_end(std::size_t i) const;

  std::size_t column_bytes() const;  // of those three and the code
  std::size_t bytes_beside() const;  // all else

 private:
  // What a lease has in common with its renewals.
  struct Term {
    std::uint32_t first = 0;
    std::uint32_t changes = 0;  // of the contender, up to here
    std::int32_t contender = kNoContender, mutex = 0;
    Token token = kNoToken;
    std::uint16_t slot = 0;
    bool shared = false;
    bool goes_on = false;  // begins by a renewal, which changed something of it
  };
  struct Bounds {
    std::uint32_t index = 0;
    std::int64_t start = 0, end = 0;  // the lower ones
  };
  // From the low bits on: how it ended, whether it is a renewal, whether it has bounds, and by which length its ttl
  // ends before the lease.
  static constexpr std::uint32_t kEnding = 0xf, kRenewal = 0x10, kBounded = 0x20;
  static constexpr int kTailShift = 6;

  std::size_t term_of(std::size_t i) const;
  LeaseSpan span_in(std::size_t term, std::size_t i) const;
  TrueTime start_bound(std::size_t i) const;
  void set_end(std::size_t i, const LeaseSpan& span);
  std::uint32_t tail_of(const LeaseSpan& span);
  std::size_t bounds_place(std::size_t i) const;  // where its bounds are, or would be
  std::uint32_t tail_at(std::size_t i) const { return code_[i] >> kTailShift; }
  std::int64_t apart(std::size_t i) const;
  void raise(std::size_t i);

  std::vector<std::int64_t> start_, end_, lease_end_;
  std::vector<std::uint32_t> code_;
  std::vector<Term> terms_;
  std::vector<Bounds> bounds_;
  std::vector<std::int64_t> tails_;
  std::vector<std::uint32_t> open_;  // those without an end, a few
  Peaks<std::int64_t> apart_;
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
  std::size_t term_ = 0;
};

class SpanTrack::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = LeaseSpan;
  using difference_type = std::ptrdiff_t;
  using pointer = const LeaseSpan*;
  using reference = LeaseSpan;

  Iterator(const SpanTrack& track, std::size_t index) : track_(&track), index_(index) {}
  LeaseSpan operator*() const { return (*track_)[index_]; }
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
  const SpanTrack* track_ = nullptr;
  std::size_t index_ = 0;
};

inline SpanTrack::Iterator SpanTrack::begin() const { return {*this, 0}; }
inline SpanTrack::Iterator SpanTrack::end() const { return {*this, size()}; }

}  // namespace leasescope
