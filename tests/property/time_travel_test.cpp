// Time travel under any plan and any way through the run: each moment is what running there gives, and a fork is the
// run that had its faults from the beginning.
#include <rapidcheck.h>

#include <fmt/format.h>

#include "simulator/run/fork.h"
#include "simulator/run/snapshots.h"
#include "simulator/scenario/reader.h"
#include "tests/support/suite.h"

using namespace leasescope;

class TimeTravelProperties : public QObject {
  Q_OBJECT
 private slots:
  void anyWayThroughARunFindsWhatRunningThereFinds();
  void aForkIsTheRunWithThoseFaults();
};

namespace {

constexpr Duration kLength = std::chrono::seconds(30);

std::string milliseconds(int from, int to) { return fmt::format("{}ms", *rc::gen::inRange(from, to)); }

std::string fault(int from_ms) {
  const std::string kind =
      *rc::gen::elementOf(std::vector<std::string>{"pause", "partition", "lost_notification", "stop", "crash"});
  const std::string target = *rc::gen::elementOf(std::vector<std::string>{"owner", "next", "c1", "c2", "all"});
  std::string out = fmt::format("[[fault]]\nat = \"{}\"\nkind = \"{}\"\ntarget = \"{}\"\n",
                                milliseconds(from_ms, 29'000), kind, target);
  if (kind != "stop" && kind != "crash") out += fmt::format("duration = \"{}\"\n", milliseconds(50, 9'000));
  if (kind == "pause" && *rc::gen::arbitrary<bool>()) out += "during = \"compute\"\n";
  return out;
}

std::string any_scenario() {
  std::string out = fmt::format(
      "schema = 1\ntitle = \"any\"\nseed = {}\nduration = \"30s\"\n"
      "[mutex]\nname = \"m\"\nttl = \"{}\"\ntransition = \"{}\"\n[store]\nloss = 0.01\n[[contender]]\ncount = 3\n"
      "[[resource]]\nwrite_every = \"50ms\"\n",
      *rc::gen::inRange(0, 1'000'000), milliseconds(300, 4'000), milliseconds(0, 2'000));
  for (int faults = *rc::gen::inRange(0, 4); faults > 0; --faults) out += fault(100);
  return out;
}

Scenario read(const std::string& toml) {
  auto scenario = read_scenario(toml, "any.toml");
  if (!scenario) RC_FAIL(scenario.error().text());
  return *scenario;
}

const TrueTime kEnd = TrueTime{} + kLength;

// The hash after every input.
std::vector<std::uint64_t> hashes_of(const Scenario& scenario) {
  BareRun run(scenario);
  std::vector<std::uint64_t> hashes{run.trace_hash()};
  while (run.step(kEnd)) hashes.push_back(run.trace_hash());
  return hashes;
}

}  // namespace

void TimeTravelProperties::anyWayThroughARunFindsWhatRunningThereFinds() {
  QVERIFY(rc::check("seeks, steps back and forth in any order", [] {
    const std::string toml = any_scenario();
    RC_LOG() << toml;
    const Scenario scenario = read(toml);
    const std::vector<std::uint64_t> hashes = hashes_of(scenario);
    const auto all = static_cast<std::uint64_t>(hashes.size() - 1);

    BareRun run(scenario);
    Snapshots snapshots(run, {*rc::gen::inRange<std::uint64_t>(1, 400), *rc::gen::inRange<std::size_t>(1, 2'000'000)});
    for (int moves = *rc::gen::inRange(1, 40); moves > 0; --moves) {
      std::uint64_t wanted = run.inputs();
      switch (*rc::gen::inRange(0, 4)) {
        case 0:
          wanted = *rc::gen::inRange<std::uint64_t>(0, all + 1);
          snapshots.seek_input(run, wanted, kEnd);
          break;
        case 1: {
          const TrueTime at = TrueTime{} + Duration(*rc::gen::inRange<std::int64_t>(0, kLength.count()));
          snapshots.seek(run, at);
          BareRun there(scenario);
          wanted = there.advance(at);
          break;
        }
        case 2:
          if (snapshots.step_back(run)) --wanted;
          break;
        default:
          if (run.step(kEnd)) ++wanted;
          snapshots.keep(run);
      }
      RC_ASSERT(run.inputs() == wanted);
      RC_ASSERT(run.trace_hash() == hashes[wanted]);
    }
    snapshots.seek(run, kEnd);
    RC_ASSERT(run.trace_hash() == hashes.back());
  }));
}

void TimeTravelProperties::aForkIsTheRunWithThoseFaults() {
  QVERIFY(rc::check("the past stays, what is changed ahead happens", [] {
    const std::string toml = any_scenario();
    const int at_ms = *rc::gen::inRange(100, 29'000);
    std::string more = toml;
    for (int faults = *rc::gen::inRange(0, 3); faults > 0; --faults) more += fault(at_ms);
    RC_LOG() << more << "forked at " << at_ms << " ms\n";
    const Scenario of = read(toml), changed = read(more);
    const TrueTime at = TrueTime{} + std::chrono::milliseconds(at_ms);

    BareRun run(of);
    run.advance(at - Duration(1));
    const std::uint64_t past = run.trace_hash();
    auto forked = fork(run, of, changed, at);
    if (!forked) RC_FAIL(forked.error());
    RC_ASSERT(forked->trace_hash() == past);
    forked->advance(kEnd);
    RC_ASSERT(forked->trace_hash() == hashes_of(changed).back());
  }));
}

LEASESCOPE_SUITE(TimeTravelProperties)
#include "time_travel_test.moc"
