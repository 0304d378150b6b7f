#include "tests/bench/timeline/frames.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <QApplication>

#include "tests/bench/timeline/night.h"

namespace leasescope::bench {
namespace {

void fold(Night& night, const History& history) {
  const auto began = std::chrono::steady_clock::now();
  night.data.append(history);
  night.folding_ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  night.events = history.last();
}

void fold(Night& night, VirtualRun& run) {
  fold(night, run.history());
  run.forget_events();
}

// The last one; another is made in its place.
const Night& kept(const std::pair<std::string, std::uint64_t>& which, const std::function<void(Night&)>& make) {
  static std::pair<std::string, std::uint64_t> of;
  static std::unique_ptr<Night> night;
  if (of == which) return *night;
  need_gui();
  night.reset();
  night = std::make_unique<Night>();
  of = which;
  make(*night);
  night->layout = layout_chart(night->data, kWidth);
  night->spans = sum_of(night->data, [](const SpanTrack& track) { return track.size(); });
  return *night;
}

}  // namespace

void need_gui() {
  static int argc = 1;
  static std::string name = "leasescope_bench";
  static std::vector<char*> argv{name.data(), nullptr};
  qputenv("QT_QPA_PLATFORM", "offscreen");
  // Never taken down: windows leave what outlives any order of static objects.
  static const auto* const application = new QApplication(argc, argv.data());
  (void)application;
}

const Night& night_of(std::uint64_t spans) {
  return kept({"simba", spans}, [&](Night& night) {
    const Scenario scenario = bench::night(spans);
    VirtualRun run(scenario);
    night.data.reset(run_facts(scenario));
    constexpr std::uint64_t kSlice = 1'000'000;  // inputs
    while (run.advance(TrueTime{} + scenario.length(), kSlice)) fold(night, run);
    run.finish();
    fold(night, run);
  });
}

const Night& night_of(SystemNight system, std::uint64_t events) {
  return kept({name_of(system), events}, [&](Night& night) {
    const NightOfEvents made = system_night(system, events);
    night.data.reset(made.facts);
    fold(night, made.history);
  });
}

Scene random_scene(const Night& night, RandomStream& draws) {
  const double whole = static_cast<double>(night.data.now().time_since_epoch().count());
  const double least = 1e8, share = static_cast<double>(draws.below(1'000'001)) / 1e6;
  const auto span = static_cast<std::int64_t>(least * std::pow(whole / least, share));
  const auto room = static_cast<std::uint64_t>(std::max<std::int64_t>(1, static_cast<std::int64_t>(whole) - span));
  const TrueTime from{Duration(static_cast<std::int64_t>(draws.below(room)))};
  const int below = std::max(1, night.layout.height() - kHeight);
  return {night.data, night.layout, Viewport::fitting(from, from + Duration(span), night.layout.plot_width()), kHeight,
          static_cast<int>(draws.below(static_cast<std::uint64_t>(below)))};
}

double quantile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

}  // namespace leasescope::bench
