#include "ui/timeline/tracks/band_track.h"

#include <algorithm>

namespace leasescope {

void BandTrack::push_back(BandSpan band) {
  const auto i = static_cast<std::uint32_t>(bands_.size());
  if (band.open()) open_.push_back(i);
  of(band.kind).put(i, band.begin, band.end);
  bands_.push_back(std::move(band));
}

void BandTrack::close(std::uint32_t i, TrueTime end) {
  bands_[i].end = end;
  of(bands_[i].kind).put(i, bands_[i].begin, end);
  open_.erase(std::find(open_.begin(), open_.end(), i));
}

void BandTrack::find(const IntervalTrack& track, TrueTime from, TrueTime to, Duration grain,
                     std::vector<std::uint32_t>& found) const {
  track.each(from, to, [&](std::uint32_t i) {
    found.push_back(i);
    const bool narrow = !bands_[i].open() && bands_[i].end - bands_[i].begin < grain;
    return narrow ? bands_[i].begin + grain : bands_[i].begin;
  });
}

std::vector<std::uint32_t> BandTrack::within(TrueTime from, TrueTime to, Duration grain) const {
  std::vector<std::uint32_t> found;
  for (const IntervalTrack& track : by_kind_) find(track, from, to, grain, found);
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::uint32_t> BandTrack::within(BandKind kind, TrueTime from, TrueTime to, Duration grain) const {
  std::vector<std::uint32_t> found;
  find(by_kind_[static_cast<std::size_t>(kind)], from, to, grain, found);
  return found;
}

bool BandTrack::meets(TrueTime from, TrueTime to) const {
  for (const IntervalTrack& track : by_kind_) {
    bool met = false;
    track.each(from, to, [&](std::uint32_t) {
      met = true;
      return kOpenEnd;
    });
    if (met) return true;
  }
  return false;
}

}  // namespace leasescope
