// What disturbs a contender or the store, as bands: faults, clocks, lines that are down.
#include <algorithm>

#include "simulator/fault/kind.h"
#include "ui/timeline/paint/chart_data.h"

namespace leasescope {
namespace {

// Steps of the plan and clock steps show as what they did (stopped, clock changed), not as a band of their own.
bool shows_itself(std::string_view fault) {
  return fault == "stop" || fault == "start" || fault == "crash" || fault == "restart" ||
         fault.find("clock") != std::string_view::npos;
}

BandKind band_kind(const FaultKind& kind) {
  if (kind.name.find("pause") != std::string_view::npos) return BandKind::kPause;
  if (kind.name.find("clock") != std::string_view::npos) return BandKind::kSkew;
  return kind.target != FaultTarget::kContender ? BandKind::kServer : BandKind::kPartition;
}

std::string spoken(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (c == '_' || c == '-') c = ' ';
  return text;
}

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
  if (event.detail >= all_fault_kinds().size()) return;
  const FaultKind& kind = all_fault_kinds()[event.detail];
  if (shows_itself(kind.name)) return;
  if (event.kind == EventKind::kFaultEnded) {
    const auto latest = std::find_if(bands.rbegin(), bands.rend(), [&](const BandSpan& earlier) {
      return earlier.open() && earlier.fault == event.detail && earlier.name == event.node.handle;
    });
    if (latest != bands.rend()) latest->end = event.hi;
    return;
  }
  band.fault = event.detail;
  band.kind = band_kind(kind);
  band.lasts = kind.lasts;
  if (!band.lasts) band.end = event.hi;
  band.label = spoken(kind.name);
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
