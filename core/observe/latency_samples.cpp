#include "core/observe/latency_samples.h"

namespace leasescope {

void LatencySamples::take(const Watch& watch) {
  stores_.resize(watch.stores().size());
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    const auto& observer = watch.stores()[i]->observer;
    if (observer == nullptr) {
      stores_[i].answers = 0;  // who watches it anew counts anew
      continue;
    }
    const ObserverFigures figures = observer->figures();
    if (figures.answers > stores_[i].answers && figures.latency > Duration::zero())
      stores_[i].took.push_back(figures.latency);
    if (stores_[i].took.size() > kHeld) stores_[i].took.pop_front();
    stores_[i].answers = figures.answers;
  }
}

std::vector<Duration> LatencySamples::of(std::size_t store) const {
  if (store >= stores_.size()) return {};
  return {stores_[store].took.begin(), stores_[store].took.end()};
}

}  // namespace leasescope
