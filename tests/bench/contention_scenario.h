// The configuration of the bench `contention/<contenders>`, as the scenario that a file would say: made without the
// file, because that of 100 000 contenders takes longer to read than to run.
#pragma once
#include <fmt/format.h>

#include "simulator/scenario/scenario.h"

namespace leasescope::bench {

// ttl 2 s, transition 1 s, 1 % loss, ± 100 ppm, a pause a contender every 60 s (each at its own moment of the minute).
inline Scenario contention(int contenders, int seconds) {
  Scenario out;
  out.title = "Contention";
  out.duration = TimeExpression(std::chrono::seconds(seconds));
  out.mutex.count = contenders < 10 ? 1 : contenders / 10;
  out.mutex.terms.ttl = std::chrono::seconds(2);
  out.mutex.terms.transition = std::chrono::seconds(1);
  out.store.loss_ppm = 10'000;
  out.resources.emplace_back().work.write_every = std::chrono::seconds(2);
  out.contenders.resize(static_cast<std::size_t>(contenders));
  for (int i = 0; i < contenders; ++i) {
    ContenderTable& contender = out.contenders[static_cast<std::size_t>(i)];
    contender.name = fmt::format("n{}", i);
    contender.clock.drift_ppm = contender.clock.steady_ppm = (i * 37) % 201 - 100;
  }
  out.faults.reserve(static_cast<std::size_t>(contenders) * static_cast<std::size_t>((seconds + 59) / 60));
  for (int minute = 0; minute * 60 < seconds; ++minute) {
    for (int i = 0; i < contenders; ++i) {
      const std::chrono::milliseconds at(minute * 60'000LL + (i * 59'393LL + 7'919) % 60'000);
      if (at >= std::chrono::seconds(seconds)) continue;
      FaultTable& pause = out.faults.emplace_back();
      pause.at = TimeExpression(at);
      pause.kind = "pause";
      pause.target = fmt::format("n{}", i);
      pause.duration = TimeExpression(std::chrono::seconds(4));
      pause.words["clock"] = "runs";
    }
  }
  return out;
}

// A plan's time `hold`, where a system's contenders have one; all else keeps its default.
template <class Plan>
struct Holds {
  Plan& plan;

  template <class... While>
  void span(std::string_view name, Duration Plan::*place, Duration, std::string_view, While...) {
    if (name == "hold") plan.*place = std::chrono::seconds(2);
  }
  template <class... What>
  void number(What&&...) {}
  template <class... What>
  void truth(What&&...) {}
  template <class... What>
  void share(What&&...) {}
  template <class Value, class... While>
  void word(std::string_view, Value Plan::*, const Words<Value>&, std::string_view, While...) {}
};

// The same by another lock system: who is granted a mutex holds it for 2 s.
template <class Terms>
Scenario contention_by(int contenders, int seconds) {
  Scenario out = contention(contenders, seconds);
  out.mutex.system = std::string(Terms::kSystem);
  if (out.family() == Family::kLease) return out;
  out.mutex.terms.transition = Duration::zero();
  out.mutex.terms.jitter = {Duration::zero(), Duration::zero()};
  out.store.model = std::string(models_for(out.family()).front());
  for (ContenderTable& contender : out.contenders) {
    auto& plan = std::get<typename Terms::Plan>(contender.plan);
    Holds<typename Terms::Plan> holds{plan};
    Terms::Plan::describe(holds);
  }
  return out;
}

}  // namespace leasescope::bench
