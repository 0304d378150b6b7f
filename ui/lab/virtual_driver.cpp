#include "ui/lab/virtual_driver.h"

namespace leasescope {
namespace {

constexpr int kFrameMs = 16;
constexpr qint64 kBudgetNs = 9'000'000;         // of a frame; the rest is for painting
constexpr std::uint64_t kInputsAtOnce = 5'000;  // between two looks at the clock

}  // namespace

VirtualDriver::VirtualDriver(const Scenario& scenario, QObject* parent) : RunDriver(parent), run_(scenario) {
  timer_.setInterval(kFrameMs);
  connect(&timer_, &QTimer::timeout, this, &VirtualDriver::frame);
}

Outcome VirtualDriver::outcome() const {
  Outcome outcome = run_.outcome();
  outcome.wall = Duration(busy_);
  return outcome;
}

void VirtualDriver::anchor() {
  anchor_ = run_.now();
  clock_.restart();
}

TrueTime VirtualDriver::target() const {
  if (permille_ == 0) return TrueTime::max();
  return anchor_ + Duration(clock_.nsecsElapsed() / 1000 * permille_);
}

void VirtualDriver::start() {
  anchor();
  timer_.start();
  emit began();
}

void VirtualDriver::pause() { timer_.stop(); }

void VirtualDriver::setSpeed(int permille) {
  permille_ = permille;
  anchor();
}

void VirtualDriver::frame() {
  QElapsedTimer spent;
  spent.start();
  const TrueTime until = target();
  bool more = !run_.finished();
  while (more && run_.now() < until && spent.nsecsElapsed() < kBudgetNs) more = run_.advance(until, kInputsAtOnce);
  busy_ += spent.nsecsElapsed();
  // What did not fit into the frame is not owed: a slow machine shows a slower run, not a jump.
  if (permille_ != 0 && run_.now() < until) anchor();
  if (!more) timer_.stop();
  emit advanced();
  if (!more) emit ended();
}

void VirtualDriver::step() {
  if (run_.finished()) return;
  timer_.stop();
  const bool more = run_.step();
  emit advanced();
  if (!more) emit ended();
}

void VirtualDriver::stop() {
  timer_.stop();
  if (!run_.finished()) run_.finish();
  emit advanced();
  emit ended();
}

}  // namespace leasescope
