#include "simulator/run/virtual_run.h"

#include <algorithm>
#include <chrono>

#include "simulator/engine/trace_hash.h"
#include "simulator/engine/world.h"

namespace leasescope {

struct VirtualRun::Parts {
  Scenario scenario;
  World world;
  Recorder recorder;
  TraceHash hash;
  TrueTime end;
  TrueTime covered{};
  Duration wall{};
  bool finished = false;

  Parts(const Scenario& of, const std::shared_ptr<const WorldFacts>& facts)
      : scenario(of),
        world(of, facts),
        recorder(facts->names, of.terms(), fault_kind_names()),
        end(TrueTime{} + of.length()) {}

  bool dispatch(TrueTime until) {
    if (!world.step(until)) return false;
    hash.add(world.input(), world.names());
    for (const Event& event : world.events()) {
      hash.add(event, world.names());
      recorder.append(event);
    }
    return true;
  }
};

VirtualRun::VirtualRun(const Scenario& scenario) : parts_(std::make_unique<Parts>(scenario, make_facts(scenario))) {}

VirtualRun::~VirtualRun() = default;

bool VirtualRun::advance(TrueTime until, std::uint64_t most_inputs) {
  if (parts_->finished) return false;
  const auto began = std::chrono::steady_clock::now();
  until = std::min(until, parts_->end);
  std::uint64_t left = most_inputs;
  while (left > 0 && parts_->dispatch(until)) --left;
  parts_->covered = left > 0 ? std::max(parts_->covered, until) : parts_->world.now();
  parts_->recorder.advance(parts_->covered);
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
  parts_->covered = parts_->world.now();
  parts_->recorder.advance(parts_->covered);
  return true;
}

void VirtualRun::finish() {
  if (parts_->finished) return;
  parts_->finished = true;
  if (parts_->world.next() > parts_->end) parts_->covered = parts_->end;
  parts_->recorder.finish(parts_->covered);
}

bool VirtualRun::finished() const { return parts_->finished; }
TrueTime VirtualRun::now() const { return parts_->covered; }
const History& VirtualRun::history() const { return parts_->recorder.history(); }
const Scenario& VirtualRun::scenario() const { return parts_->scenario; }

Outcome VirtualRun::outcome() const {
  Outcome out;
  out.scenario = parts_->scenario.name;
  out.seed = parts_->scenario.seed;
  out.store = "model:" + parts_->scenario.store.model;
  out.world = "virtual";
  out.simulated = parts_->covered.time_since_epoch();
  out.wall = parts_->wall;
  out.events = parts_->world.inputs();
  out.trace_hash = parts_->hash.digest();
  out.summary = history().summary;
  // Ended early, a run has not had the time for what was expected of it.
  if (parts_->covered >= parts_->end) judge(out, parts_->scenario, parts_->world.unfired());
  return out;
}

}  // namespace leasescope
