#include "simulator/live/server_clocks.h"

#include <chrono>
#include <utility>

#include "core/base/expect.h"

namespace leasescope {

ServerClocks::ServerClocks(Loop& loop, std::size_t servers, ServerControl* server,
                           std::function<void(std::size_t, Duration)> asked)
    : loop_(&loop), server_(server), asked_(std::move(asked)), clocks_(servers), timer_(loop) {}

void ServerClocks::step(std::size_t which, Duration by) { set(which, {by, loop_->now(), true}); }

void ServerClocks::speed(std::size_t which, std::int32_t ppm) {
  run();
  clocks_[which].ppm += ppm;
  run();
}

// By many small steps.
void ServerClocks::run() {
  constexpr std::chrono::milliseconds kStep{20};
  const TrueTime now = loop_->now();
  bool runs = false;
  for (std::size_t which = 0; which < clocks_.size(); ++which) {
    Clock& clock = clocks_[which];
    const Duration gone = now - std::exchange(clock.at, now);
    if (clock.ppm == 0) continue;
    runs = true;
    const Duration by(gone.count() * clock.ppm / 1'000'000);
    if (by != Duration::zero()) set(which, {by, now, false});
  }
  runs ? timer_.arm(kStep, [this] { run(); }) : timer_.cancel();
}

void ServerClocks::set(std::size_t which, const Step& step) {
  Clock& clock = clocks_[which];
  clock.ahead += step.by;
  clock.asked.push_back(step);
  asked_(which, step.by);
  server_->set_clock(which, clock.ahead);
}

ServerClocks::Step ServerClocks::done(std::size_t which) {
  expect(!clocks_[which].asked.empty(), "a clock was set that nobody had asked for");
  const Step step = clocks_[which].asked.front();
  clocks_[which].asked.pop_front();
  return step;
}

}  // namespace leasescope
