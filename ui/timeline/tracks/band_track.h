// Faults, outages and unobserved time over one row, in order of their begin; they may overlap.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/history/legend.h"
#include "ui/timeline/tracks/interval_track.h"
#include "ui/timeline/tracks/lease_span.h"

namespace leasescope {

struct BandSpan {
  TrueTime begin{};
  TrueTime end = kOpenEnd;
  BandKind kind = BandKind::kPause;
  bool lasts = true;       // else a moment
  std::string label;       // "pause", "clock +2 s"
  std::uint32_t name = 0;  // handle of the node, to find its end
  int fault = -1;
  bool open() const { return end == kOpenEnd; }
};

class BandTrack {
 public:
  void push_back(BandSpan band);
  // The latest that lasts still and of which `is` says yes; all of them.
  template <class Is>
  void close_last(TrueTime end, Is&& is) {
    for (std::size_t i = open_.size(); i > 0; --i)
      if (is(bands_[open_[i - 1]])) return close(open_[i - 1], end);
  }
  template <class Is>
  void close_all(TrueTime end, Is&& is) {
    const std::vector<std::uint32_t> open = open_;
    for (const std::uint32_t i : open)
      if (is(bands_[i])) close(i, end);
  }

  // Whether one of which `is` says yes lasts still.
  template <class Is>
  bool has_open(Is&& is) const {
    return std::any_of(open_.begin(), open_.end(), [&](std::uint32_t i) { return is(bands_[i]); });
  }

  bool empty() const { return bands_.empty(); }
  std::size_t size() const { return bands_.size(); }
  const BandSpan& operator[](std::size_t i) const { return bands_[i]; }
  const BandSpan& front() const { return bands_.front(); }
  auto begin() const { return bands_.begin(); }
  auto end() const { return bands_.end(); }

  // Those that meet [from, to], in order. Of a kind that end within one stretch of `grain` the first is enough: a
  // picture has no more to show.
  std::vector<std::uint32_t> within(TrueTime from, TrueTime to, Duration grain) const;
  // ... and those of one kind.
  std::vector<std::uint32_t> within(BandKind kind, TrueTime from, TrueTime to, Duration grain) const;
  // Whether one lies there.
  bool meets(TrueTime from, TrueTime to) const;

 private:
  void close(std::uint32_t i, TrueTime end);
  void find(const IntervalTrack& track, TrueTime from, TrueTime to, Duration grain,
            std::vector<std::uint32_t>& found) const;
  IntervalTrack& of(BandKind kind) { return by_kind_[static_cast<std::size_t>(kind)]; }

  std::vector<BandSpan> bands_;
  std::vector<std::uint32_t> open_;
  std::array<IntervalTrack, static_cast<std::size_t>(BandKind::kUnobserved) + 1> by_kind_;
};

}  // namespace leasescope
