#include "simulator/campaign/prevention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/campaign/swarm.h"
#include "simulator/run/bare_run.h"
#include "simulator/scenario/form.h"
#include "simulator/scenario/reader.h"
#include "simulator/scenario/scenario_text.h"

namespace leasescope {
namespace {

using namespace std::chrono_literals;

// Of what there was: the steps in which a time that does is looked for.
constexpr std::array kLonger{1.01, 1.03, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 8.0, 13.0};
// Whoever begins later misses the fault: that is no remedy.
constexpr std::string_view kShiftsAll = "initial_delay";
constexpr std::array kShorter{0.99, 0.97, 0.9, 0.75, 0.5, 0.3, 0.2, 0.1, 0.03};

// What is written in the scenario's own measures, as the times that they are: a change of terms moves none of them.
Scenario in_plain_times(Scenario of) {
  const LeaseTerms terms = of.terms();
  const auto plain = [&](TimeExpression& time) {
    if (time.relative()) time = TimeExpression(time.under(terms));
  };
  plain(of.duration);
  if (of.heal) plain(*of.heal);
  for (ContenderTable& contender : of.contenders) plain(contender.start);
  for (FaultTable& fault : of.faults) {
    plain(fault.at);
    plain(fault.duration);
    for (auto& [key, time] : fault.times) plain(time);
  }
  of.replay.reset();
  return of;
}

// A time as TOML writes it; none where it is none, or is relative.
std::optional<Duration> time_in(const std::string& value) {
  if (value.size() < 3 || value.front() != '"') return {};
  const auto time = parse_time_expression(std::string_view(value).substr(1, value.size() - 2));
  if (!time || time->relative() || time->fixed <= Duration::zero()) return {};
  return time->fixed;
}

// "9.336 s", "5 s", "250 ms": to be compared with each other.
std::string plain_seconds(Duration time) {
  if (time < 1s) return fmt::format("{} ms", format_seconds(time * 1000, time % 1ms == 0ms ? 0 : 3));
  return fmt::format("{} s", format_seconds(time, time % 1s == 0s ? 0 : 3));
}

class Search {
 public:
  Search(const Scenario& scenario, const Unwanted& unwanted, const std::function<bool()>& goes_on)
      : scenario_(in_plain_times(scenario)), text_(scenario_text(scenario_)), unwanted_(unwanted), goes_on_(goes_on) {}

  Prevention run() {
    before_ = counted(scenario_);
    out_.again = before_.unwanted > 0;
    if (!stopped_ && out_.again) {
      try_terms();
      try_faults();
      try_what_is_on_or_off();
      try_other_seeds();
    }
    out_.whole = !stopped_;
    return std::move(out_);
  }

 private:
  // How often what is unwanted happens, and each kind as bad as it, at whichever mutex.
  struct Counted {
    std::uint64_t unwanted = 0;
    std::array<std::uint64_t, kIncidentKinds> bad{};
    std::uint64_t grants = 0;
    Duration owned{};  // at most: until the first grant nobody counts
  };

  Counted counted(const Scenario& of) {
    Counted out;
    stopped_ = stopped_ || !goes_on_();
    if (stopped_) return out;
    ++out_.runs;
    BareRun run(of);
    const TrueTime end = TrueTime{} + of.length();
    run.advance(end);
    Checkers checkers = run.checkers();
    checkers.finish(end);
    for (const Incident& incident : checkers.incidents()) {
      const bool same = incident.kind == unwanted_.kind;
      out.unwanted += same && run.world().names().text(incident.mutex) == unwanted_.mutex;
      if (severity(incident.kind) <= severity(unwanted_.kind)) ++out.bad[static_cast<std::size_t>(incident.kind)];
    }
    out.grants = checkers.summary().acquisitions;
    out.owned = of.length() * of.mutex.count - checkers.summary().leaderless;
    return out;
  }

  bool better(const Counted& now, const Counted& before) const {
    if (stopped_ || now.unwanted > 0 || now.grants == 0 || now.owned * 2 < before.owned) return false;
    for (std::size_t kind = 0; kind < now.bad.size(); ++kind)
      if (now.bad[kind] > before.bad[kind]) return false;
    return true;
  }

  // Whether it does under these settings; none: such a scenario cannot be.
  std::optional<bool> does(const std::string& set) {
    const auto changed = read_scenario(text_, scenario_.name, {set});
    if (!changed) return {};
    return better(counted(*changed), before_);
  }

  void try_other_seeds() {
    std::vector<Counted> before;
    Scenario of = scenario_;
    for (int i = 0; i < kOtherSeeds && !out_.remedies.empty(); ++i) {
      ++of.seed;
      before.push_back(counted(of));
    }
    for (Remedy& remedy : out_.remedies) {
      Scenario changed = *read_scenario(text_, scenario_.name, {remedy.path + "=" + remedy.to});
      for (const Counted& each : before) {
        ++changed.seed;
        remedy.others += better(counted(changed), each);
      }
    }
    std::stable_sort(out_.remedies.begin(), out_.remedies.end(),
                     [](const Remedy& a, const Remedy& b) { return a.others > b.others; });
  }

  std::optional<bool> does(const std::string& path, Duration time) {
    return does(fmt::format("{}={}", path, format_duration(time)));
  }

  // Outwards until one does, and back to the last that does not. Whether there is one.
  template <class Steps>
  bool look(const std::string& path, Duration from, const Steps& steps) {
    const Duration unit = from >= 200ms ? Duration(1ms) : from >= 1ms ? Duration(1us) : Duration(1);
    const auto rounded = [unit](double ns) {
      return Duration(std::llround(ns / static_cast<double>(unit.count())) * unit.count());
    };
    Duration fails = from;
    for (const double step : steps) {
      Duration holds = rounded(static_cast<double>(from.count()) * step);
      if (holds == fails) continue;
      const std::optional<bool> found = does(path, holds);
      if (stopped_ || !found) return false;
      if (!*found) {
        fails = holds;
        continue;
      }
      const Duration near = std::max(unit, from / 200);
      while (!stopped_ && (holds > fails ? holds - fails : fails - holds) > near) {
        const Duration middle =
            rounded(static_cast<double>(fails.count()) / 2 + static_cast<double>(holds.count()) / 2);
        if (middle == holds || middle == fails) break;
        (does(path, middle).value_or(false) ? holds : fails) = middle;
      }
      if (stopped_) return false;
      out_.remedies.push_back({path, format_duration(from), format_duration(holds), holds - from});
      return true;
    }
    return false;
  }

  void try_terms() {
    each_table(scenario_, [&](const TableName& name, const auto& form, const auto& table) {
      const bool terms = name.name == "mutex" || name.name == system_table(scenario_.mutex.system);
      for (const auto& key : form) {
        if (key.name == kShiftsAll || (!terms && !(name.name == "store" && key.name == "timeout"))) continue;
        const std::optional<Duration> time = time_in(key.write(table));
        if (!time || stopped_) continue;
        const std::string path = fmt::format("{}.{}", name.path(), key.name);
        look(path, *time, kLonger);
        look(path, *time, kShorter);
      }
    });
  }

  void try_faults() {
    for (std::size_t row = 0; row < scenario_.faults.size() && !stopped_; ++row) {
      const FaultTable& fault = scenario_.faults[row];
      if (!fault.enabled || heals(fault, scenario_)) continue;
      const std::string path = fmt::format("fault.{}", row);
      const Duration lasts = fault.duration.under(scenario_.terms());
      if (lasts > Duration::zero() && look(path + ".duration", lasts, kShorter)) continue;
      if (does(path + ".enabled=false").value_or(false)) out_.remedies.push_back({path + ".enabled", "true", "false"});
    }
  }

  void try_what_is_on_or_off() {
    const auto any = [](const auto& list, auto is) { return std::any_of(list.begin(), list.end(), is); };
    if (any(scenario_.resources, [](const ResourceTable& each) { return !each.fencing; }) &&
        does("resource.*.fencing=true").value_or(false))
      out_.remedies.push_back({"resource.*.fencing", "false", "true"});
    const auto other = [](const ContenderTable& each) { return each.behaviour != Behaviour::kLeasescope; };
    if (any(scenario_.contenders, other) && does("contender.*.behaviour=leasescope").value_or(false))
      out_.remedies.push_back({"contender.*.behaviour", "", "leasescope"});
  }

  Scenario scenario_;
  std::string text_;
  const Unwanted& unwanted_;
  const std::function<bool()>& goes_on_;
  Counted before_;
  Prevention out_;
  bool stopped_ = false;
};

}  // namespace

Prevention prevention_of(const Scenario& scenario, const Unwanted& unwanted, const std::function<bool()>& goes_on) {
  return Search(scenario, unwanted, goes_on).run();
}

std::string text(const Scenario& scenario, const Remedy& remedy) {
  const bool on_or_off = remedy.margin == Duration::zero();
  std::string what = remedy.path;
  if (remedy.path.rfind("fault.", 0) == 0) {
    const std::size_t row = std::stoul(remedy.path.substr(6));
    const FaultTable& fault = scenario.faults.at(row);
    what = fmt::format("{} of {} (fault.{})", fault.kind, fault.target, row);
    if (on_or_off) what = fmt::format("without the {}", what);
  } else if (on_or_off) {
    what += " = " + remedy.to;
  }
  const std::string seeds = fmt::format("({} of {} other seeds)", remedy.others, kOtherSeeds);
  if (on_or_off) return fmt::format("{} {}", what, seeds);
  const bool longer = remedy.margin > Duration::zero();
  const auto seconds = [](const std::string& time) { return plain_seconds(*parse_duration(time)); };
  return fmt::format("{} of {} instead of {}, {} {} {}", what, seconds(remedy.to), seconds(remedy.from),
                     plain_seconds(longer ? remedy.margin : -remedy.margin), longer ? "longer" : "shorter", seeds);
}

}  // namespace leasescope
