// What disturbs a contender or the store, as bands: faults, clocks, lines that are down.
#include <algorithm>

#include "ui/timeline/paint/chart_data.h"

namespace leasescope {
namespace {

// "clock −7 s", "clock 50 000 ppm slower".
std::string clock_label(const Event& event, std::int64_t rate) {
  if (event.a != 0) return "clock " + signedText(Duration(event.a)).toStdString();
  return event.b == 0 ? "clock set" : "clock " + rateText(rate).toStdString();
}

}  // namespace

void ChartData::on_fault(const Event& event) {
  std::vector<BandSpan>& bands = bands_of(event.node);
  BandSpan band;
  band.begin = event.hi;
  band.name = event.node.handle;
  if (event.kind == EventKind::kClockChanged) {
    band.kind = BandKind::kSkew;
    band.lasts = false;
    band.end = event.hi;
    band.label = clock_label(event, cast_.clockRate(event));
    bands.push_back(band);
    return;
  }
  const FaultLegend* const fault = history_->legend.fault(event.detail);
  if (fault == nullptr || fault->band == BandKind::kNone) return;
  if (event.kind == EventKind::kFaultEnded) {
    const auto latest = std::find_if(bands.rbegin(), bands.rend(), [&](const BandSpan& earlier) {
      return earlier.open() && earlier.fault == event.detail && earlier.name == event.node.handle;
    });
    if (latest != bands.rend()) latest->end = event.hi;
    return;
  }
  band.fault = event.detail;
  band.kind = fault->band;
  band.lasts = fault->lasts;
  if (!band.lasts) band.end = event.hi;
  band.label = fault->spoken;
  bands.push_back(band);
}

void ChartData::on_connection(const Event& event) {
  std::vector<BandSpan>& bands = bands_of(event.node);
  if (event.kind == EventKind::kConnected) {
    for (BandSpan& band : bands)
      if (band.open() && band.label == "disconnected" && band.name == event.node.handle) band.end = event.hi;
    return;
  }
  BandSpan band;
  band.begin = event.hi;
  band.kind = &bands == &store_bands_ ? BandKind::kServer : BandKind::kPartition;
  band.label = "disconnected";
  band.name = event.node.handle;
  bands.push_back(band);
}

}  // namespace leasescope
