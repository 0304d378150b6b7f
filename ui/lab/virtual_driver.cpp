#include "ui/lab/virtual_driver.h"

#include <algorithm>

#include "ui/models/aside.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kFrameMs = 16;
constexpr qint64 kBudgetNs = 9'000'000;       // of a frame, with what the views make of it; the rest is for painting
constexpr qint64 kLeastNs = 4'000'000;        // for the run itself, however long the views take
constexpr std::uint64_t kInputsAtOnce = 500;  // between two looks at the clock: under a millisecond
// Less than a program alone may take: the history lies in memory beside them.
constexpr SnapshotTerms kSnapshots{50'000, std::size_t{96} << 20};

}  // namespace

VirtualDriver::VirtualDriver(const Scenario& scenario, std::vector<Fork> forks, QObject* parent)
    : RunDriver(parent), run_(std::make_unique<VirtualRun>(scenario, kSnapshots)), forks_(std::move(forks)) {
  std::reverse(forks_.begin(), forks_.end());
  timer_.setInterval(kFrameMs);
  connect(&timer_, &QTimer::timeout, this, &VirtualDriver::frame);
}

VirtualDriver::~VirtualDriver() { letGoAside(std::move(run_)); }

Outcome VirtualDriver::outcome() const {
  Outcome outcome = run_->outcome();
  outcome.wall = Duration(busy_);
  return outcome;
}

void VirtualDriver::anchor() {
  anchor_ = run_->now();
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

// As VirtualRun::advance, and across the forks on the way.
bool VirtualDriver::goOn(TrueTime until, std::uint64_t most) {
  if (forks_.empty() || until < forks_.back().at) return run_->advance(until, most);
  const TrueTime before = forks_.back().at - Duration(1);
  if (run_->now() < before && !run_->advance(before, most)) return false;
  if (run_->now() < before) return true;
  if (const auto forked = run_->fork(forks_.back().at, forks_.back().scenario); !forked) {
    forks_.clear();  // cannot be: it was looked at; the run goes on as it was
    return true;
  }
  forks_.pop_back();
  return true;
}

void VirtualDriver::frame() {
  if (run_->finished()) {
    timer_.stop();
    emit ended();
    return;
  }
  QElapsedTimer spent;
  spent.start();
  const TrueTime until = hurry_ ? *hurry_ : target();
  bool more = !run_->finished();
  const qint64 budget = std::max(kBudgetNs - toldNs_, kLeastNs);
  while (more && run_->now() < until && spent.nsecsElapsed() < budget) more = goOn(until, kInputsAtOnce);
  const qint64 ran = spent.nsecsElapsed();
  busy_ += ran;
  const bool arrives = hurry_ && more && run_->now() >= until;
  // What did not fit into the frame is not owed: a slow machine shows a slower run, not a jump.
  if (hurry_ || (permille_ != 0 && run_->now() < until)) anchor();
  if (arrives || !more) hurry_.reset();
  if (arrives) timer_.stop();
  emit advanced();
  toldNs_ = spent.nsecsElapsed() - ran;
  // The next waits from here: one that fell due while the window was painted would go before what else waits.
  if (timer_.isActive()) timer_.start();
  if (arrives) emit arrived();
  // The end is told a frame later: what is made of it would come on top of what this one took.
}

void VirtualDriver::step() {
  if (run_->step_forward() || run_->finished()) return;
  timer_.stop();
  // What is due before the next fork still belongs to the course before it.
  while (!forks_.empty()) {
    const TrueTime before = forks_.back().at - Duration(1);
    if (run_->now() < before) run_->advance(before, 1);
    if (run_->now() < before) return emit advanced();
    goOn(forks_.back().at, 0);
  }
  const bool more = run_->step();
  emit advanced();
  if (!more) emit ended();
}

bool VirtualDriver::stepBack() {
  timer_.stop();
  return run_->step_back();
}

tl::expected<void, QString> VirtualDriver::mayFork(TrueTime at, const Scenario& changed) const {
  if (const auto may = run_->may_fork(at, changed); !may) return tl::make_unexpected(fromText(may.error()));
  return {};
}

void VirtualDriver::stop() {
  timer_.stop();
  if (!run_->finished()) run_->finish();
  emit advanced();
  emit ended();
}

}  // namespace leasescope
