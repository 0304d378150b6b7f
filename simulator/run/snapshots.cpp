#include "simulator/run/snapshots.h"

#include <algorithm>

namespace leasescope {
namespace {

// So far behind where step_back stopped lies the copy that the next one starts from: replayed in a millisecond.
constexpr std::uint64_t kClose = 2'000;

}  // namespace

Snapshots::Snapshots(const BareRun& beginning, SnapshotTerms terms) : terms_(terms) { add(beginning, false); }

void Snapshots::add(const BareRun& run, bool fork) {
  const BareRun& beside = kept_.empty() ? run : *kept_.back().run;
  bytes_ += run.bytes_beside(beside);
  kept_.push_back({std::make_shared<const BareRun>(run), fork});
  while (bytes_ > terms_.budget && kept_.size() > 1) {
    const std::size_t before = kept_.size();
    thin_out();
    if (kept_.size() == before) break;
  }
  due_ = std::max(kept_.back().run->inputs(), run.inputs()) + terms_.spacing;
}

// Every second one goes, but for the beginning and the forks.
void Snapshots::thin_out() {
  std::vector<Kept> left;
  for (std::size_t i = 0; i < kept_.size(); ++i)
    if (i % 2 == 0 || kept_[i].fork) left.push_back(std::move(kept_[i]));
  kept_ = std::move(left);
  terms_.spacing *= 2;
  weigh();
}

void Snapshots::weigh() {
  bytes_ = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) bytes_ += kept_[i].run->bytes_beside(*kept_[i == 0 ? 0 : i - 1].run);
}

std::uint64_t Snapshots::advance(BareRun& run, TrueTime until, std::uint64_t most) {
  std::uint64_t dispatched = 0;
  while (dispatched < most) {
    const std::uint64_t slice = std::min(most - dispatched, due_ - std::min(due_ - 1, run.inputs()));
    const std::uint64_t done = run.advance(until, slice);
    keep(run);
    dispatched += done;
    if (done < slice) break;
  }
  return dispatched;
}

// The latest snapshot that lies before what is sought, or nothing when `run` itself does and is no further away.
const BareRun* Snapshots::nearest(const BareRun& run, bool run_is_before, std::size_t before) const {
  const Kept& kept = kept_[before - 1];
  const std::uint64_t inputs = kept.run->inputs();
  const bool further = run.inputs() > inputs || (run.inputs() == inputs && !kept.fork);
  return run_is_before && further ? nullptr : kept.run.get();
}

void Snapshots::seek(BareRun& run, TrueTime at) {
  const auto after =
      std::partition_point(kept_.begin() + 1, kept_.end(), [&](const Kept& kept) { return kept.run->now() <= at; });
  if (const BareRun* from = nearest(run, run.now() <= at, static_cast<std::size_t>(after - kept_.begin()))) run = *from;
  advance(run, at);
}

void Snapshots::seek_input(BareRun& run, std::uint64_t inputs, TrueTime until) {
  const auto after = std::partition_point(kept_.begin() + 1, kept_.end(),
                                          [&](const Kept& kept) { return kept.run->inputs() <= inputs; });
  if (const BareRun* from = nearest(run, run.inputs() <= inputs, static_cast<std::size_t>(after - kept_.begin())))
    run = *from;
  advance(run, until, inputs - run.inputs());
}

bool Snapshots::step_back(BareRun& run) {
  if (run.inputs() == 0) return false;
  const std::uint64_t wanted = run.inputs() - 1;
  const auto after = std::partition_point(kept_.begin() + 1, kept_.end(),
                                          [&](const Kept& kept) { return kept.run->inputs() <= wanted; });
  const BareRun& base = *(after - 1)->run;
  const bool close = close_ && close_->inputs() <= wanted && close_->inputs() >= base.inputs();
  run = close ? *close_ : base;
  if (wanted - run.inputs() > kClose) {
    run.dispatch(wanted - kClose - run.inputs());
    close_ = run;
  }
  run.dispatch(wanted - run.inputs());
  return true;
}

Snapshots Snapshots::fork(const BareRun& forked) const {
  Snapshots out = *this;
  out.close_.reset();
  while (!out.kept_.empty() && out.kept_.back().run->inputs() >= forked.inputs()) out.kept_.pop_back();
  out.weigh();
  out.add(forked, true);
  return out;
}

}  // namespace leasescope
