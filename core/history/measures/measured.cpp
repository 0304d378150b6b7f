#include "core/history/measures/measured.h"

#include <algorithm>

namespace leasescope {

// ---- lengths

void Lengths::add(Duration length, TrueTime known) {
  shortest_ = count_ == 0 ? length : std::min(shortest_, length);
  longest_ = count_ == 0 ? length : std::max(longest_, length);
  if (count_++ % every_ != 0) return;
  values_.push_back(length);
  known_.push_back(known);
  if (values_.size() < kMost) return;
  const auto halve = [](auto& list) {
    for (std::size_t i = 0; i < list.size() / 2; ++i) list[i] = list[2 * i];
    list.resize(list.size() / 2);
  };
  halve(values_);
  halve(known_);
  every_ *= 2;
}

std::optional<TrueTime> Lengths::next_within(Duration from, Duration to, TrueTime after) const {
  std::optional<TrueTime> first;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] < from || values_[i] >= to) continue;
    if (known_[i] > after) return known_[i];
    if (!first) first = known_[i];
  }
  return first;
}

std::size_t Lengths::nearest(Duration length) const {
  const auto away = [&](Duration value) { return std::chrono::abs(value - length); };
  const auto best =
      std::min_element(values_.begin(), values_.end(), [&](Duration a, Duration b) { return away(a) < away(b); });
  return static_cast<std::size_t>(best - values_.begin());
}

// ---- rate

void Rate::add(TrueTime at, bool bad) {
  const Duration since = std::max(Duration{}, at.time_since_epoch());
  while (since / width_ >= static_cast<std::int64_t>(kMost)) {
    std::vector<Stretch> wider((stretches_.size() + 1) / 2);
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      wider[i / 2].all += stretches_[i].all;
      wider[i / 2].bad += stretches_[i].bad;
    }
    stretches_ = std::move(wider);
    width_ *= 2;
  }
  const auto place = static_cast<std::size_t>(since / width_);
  if (stretches_.size() <= place) stretches_.resize(place + 1);
  ++stretches_[place].all;
  stretches_[place].bad += bad;
  ++count_;
  bad_ += bad;
}

}  // namespace leasescope
