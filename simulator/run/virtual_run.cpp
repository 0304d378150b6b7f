#include "simulator/run/virtual_run.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/run/bare_run.h"
#include "simulator/run/fork.h"
#include "simulator/run/legality.h"
#include "simulator/run/snapshots.h"
#include "simulator/scenario/scenario_legend.h"

namespace leasescope {
namespace {

// Events of a run that somebody watches. A vector that outgrows its room copies all it has at once, tens of
// milliseconds in the middle of a frame; room that was never written to is address space and takes no memory.
#if defined(__SANITIZE_ADDRESS__)  // marks all of it, which takes as long
constexpr std::size_t kRoom = std::size_t{1} << 16;
#else
constexpr std::size_t kRoom = std::size_t{4} << 20;
#endif

}  // namespace

struct VirtualRun::Parts {
  struct Course {
    TrueTime from{};
    Scenario scenario;
  };

  Scenario scenario;
  std::vector<Course> past;  // what it was before its forks
  BareRun run;
  std::optional<Snapshots> snapshots;
  std::optional<TrueTime> playhead;  // none: at the newest
  std::optional<BareRun> there;      // the run at the playhead, or anywhere near
  bool located = false;              // it is there
  History history;
  Legality legality;
  std::optional<LegalVerdict> legal;  // once it has ended
  TrueTime end;
  TrueTime covered{};
  Duration wall{};
  std::optional<TrueTime> forked_at;
  bool changed = false;  // at a fork, and what is expected is still of the run before it
  bool finished = false;

  Parts(const Scenario& of, std::optional<SnapshotTerms> terms)
      : scenario(of), run(of), legality(of), end(TrueTime{} + of.length()) {
    history.names = run.world().names();
    history.legend = legend_of(of);
    if (!terms) return;
    snapshots.emplace(run, *terms);
    history.events.reserve(kRoom);
  }

  bool dispatch(TrueTime until) {
    if (!run.step(until)) return false;
    if (snapshots) snapshots->keep(run);
    const std::vector<Event>& news = run.world().events();
    history.events.insert(history.events.end(), news.begin(), news.end());
    for (const Event& event : news) legality.append(event, run.world().names());
    return true;
  }

  void cover(TrueTime now) {
    playhead.reset();
    located = false;
    covered = now;
    run.review(now);
    publish();
  }

  // The scenario it ran under just before `at`.
  const Scenario& scenario_before(TrueTime at) const {
    for (const Course& course : past)
      if (at <= course.from) return course.scenario;
    return scenario;
  }

  // Brings `there` to the playhead.
  BareRun& locate() {
    if (!there) there = run;
    if (!located) snapshots->seek(*there, playhead.value_or(covered));
    located = true;
    return *there;
  }

  void publish() {
    history.now = covered;
    history.incidents = run.checkers().incidents();
    history.summary = run.checkers().summary();
    if (legal) history.summary.illegal_mutexes = legal->illegal;
  }
};

VirtualRun::VirtualRun(const Scenario& scenario, std::optional<SnapshotTerms> snapshots)
    : parts_(std::make_unique<Parts>(scenario, snapshots)) {}

VirtualRun::~VirtualRun() = default;

bool VirtualRun::advance(TrueTime until, std::uint64_t most_inputs) {
  if (parts_->finished) return false;
  const auto began = std::chrono::steady_clock::now();
  until = std::min(until, parts_->end);
  std::uint64_t left = most_inputs;
  while (left > 0 && parts_->dispatch(until)) --left;
  parts_->cover(left > 0 ? std::max(parts_->covered, until) : parts_->run.now());
  parts_->wall += std::chrono::steady_clock::now() - began;
  if (left > 0 && until == parts_->end) finish();
  return !parts_->finished;
}

bool VirtualRun::step() {
  if (parts_->finished) return false;
  if (!parts_->dispatch(parts_->end)) {
    finish();
    return false;
  }
  parts_->cover(parts_->run.now());
  return true;
}

void VirtualRun::finish() {
  if (parts_->finished) return;
  parts_->finished = true;
  if (parts_->run.world().next() > parts_->end) parts_->covered = parts_->end;
  parts_->run.finish(parts_->covered);
  parts_->legal = parts_->legality.judge();
  parts_->publish();
}

tl::expected<void, std::string> VirtualRun::fork(TrueTime at, const Scenario& changed) {
  if (at <= parts_->covered || at > parts_->end)
    return tl::make_unexpected(
        fmt::format("{} lies outside of what is still to come: expected a time after {} and by {}",
                    format_duration(at.time_since_epoch()), format_duration(parts_->covered.time_since_epoch()),
                    format_duration(parts_->end.time_since_epoch())));
  advance(at - Duration(1));
  auto forked = leasescope::fork(parts_->run, parts_->scenario, changed, at);
  if (!forked) return tl::make_unexpected(forked.error());
  parts_->run = std::move(*forked);
  if (parts_->snapshots) parts_->snapshots = parts_->snapshots->fork(parts_->run);
  parts_->there.reset();
  parts_->located = false;
  // Whoever says anew what is expected says it of what there is from here on.
  const bool expects_anew =
      changed.expected != parts_->scenario.expected || changed.expected_unfenced != parts_->scenario.expected_unfenced;
  parts_->changed = !expects_anew && (parts_->changed || changed != parts_->scenario);
  parts_->past.push_back({at, std::move(parts_->scenario)});
  parts_->scenario = changed;
  parts_->end = TrueTime{} + changed.length();
  parts_->forked_at = at;
  return {};
}

void VirtualRun::forget_events(std::size_t but_last) { parts_->history.forget_all_but(but_last); }

tl::expected<void, std::string> VirtualRun::may_fork(TrueTime at, const Scenario& changed) const {
  if (!parts_->snapshots) return tl::make_unexpected(std::string("this run keeps no snapshots"));
  Snapshots snapshots = *parts_->snapshots;
  BareRun there = parts_->run;
  snapshots.seek(there, at - Duration(1));
  if (auto forked = leasescope::fork(there, parts_->scenario_before(at), changed, at); !forked)
    return tl::make_unexpected(forked.error());
  return {};
}

// ---- the playhead

TrueTime VirtualRun::playhead() const { return parts_->playhead.value_or(parts_->covered); }

void VirtualRun::seek(TrueTime at) {
  if (!parts_->snapshots || at == playhead()) return;
  parts_->located = false;
  parts_->playhead.reset();
  if (at < parts_->covered) parts_->playhead = std::max(at, TrueTime{});
}

bool VirtualRun::step_back() {
  if (!parts_->snapshots || playhead() <= TrueTime{}) return false;
  BareRun& there = parts_->locate();
  // Between two inputs the one before is the next stop.
  if (there.now() == playhead()) parts_->snapshots->step_back(there);
  parts_->playhead = there.now();
  return true;
}

bool VirtualRun::step_forward() {
  if (!parts_->snapshots || !parts_->playhead) return false;
  BareRun& there = parts_->locate();
  if (there.inputs() == parts_->run.inputs()) {
    parts_->playhead.reset();
    return true;
  }
  parts_->snapshots->seek_input(there, there.inputs() + 1, parts_->covered);
  if (there.now() < parts_->covered) {
    parts_->playhead = there.now();
  } else if (there.inputs() == parts_->run.inputs()) {
    parts_->playhead.reset();
  }
  return true;
}

std::uint64_t VirtualRun::trace_hash_at_playhead() {
  return parts_->playhead ? parts_->locate().trace_hash() : parts_->run.trace_hash();
}

bool VirtualRun::finished() const { return parts_->finished; }
TrueTime VirtualRun::now() const { return parts_->covered; }
const History& VirtualRun::history() const { return parts_->history; }
const Scenario& VirtualRun::scenario() const { return parts_->scenario; }

Outcome VirtualRun::outcome() const {
  Outcome out;
  out.scenario = parts_->scenario.name;
  out.seed = parts_->scenario.seed;
  out.store = "model:" + parts_->scenario.store.model;
  out.world = "virtual";
  out.simulated = parts_->covered.time_since_epoch();
  out.wall = parts_->wall;
  out.events = parts_->run.inputs();
  out.trace_hash = parts_->run.trace_hash();
  out.forked_at = parts_->forked_at;
  out.summary = history().summary;
  out.legal = parts_->legal;
  // Ended early, a run has not had the time for what was expected of it.
  judge(out, parts_->scenario, parts_->run.world().unfired(),
        parts_->covered < parts_->end ? RunEnd::kStopped
        : parts_->changed             ? RunEnd::kForked
                                      : RunEnd::kWhole);
  return out;
}

}  // namespace leasescope
