#include "simulator/campaign/shrink.h"

#include <algorithm>

#include "simulator/campaign/swarm.h"
#include "simulator/scenario/form.h"

namespace leasescope {
namespace {

using namespace std::chrono_literals;

class Shrinker {
 public:
  Shrinker(const Scenario& scenario, const StillFails& still_fails) : still_fails_(still_fails) {
    out_.scenario = scenario;
  }

  Shrunk run() {
    take_out_faults();
    take_out_healing();
    simplify_configuration();
    simplify_faults();
    take_out_faults();
    return out_;
  }

 private:
  using Rows = std::vector<FaultTable>;

  bool accept(Scenario candidate) {
    ++out_.tries;
    if (!still_fails_(candidate)) return false;
    out_.scenario = std::move(candidate);
    return true;
  }

  // Changes a copy; kept when it still fails.
  template <class Change>
  bool attempt(Change change) {
    Scenario candidate = out_.scenario;
    change(candidate);
    return candidate == out_.scenario || accept(std::move(candidate));
  }

  // Zeller and Hildebrandt 2002, ddmin: ever smaller pieces of the list are taken out while the rest still fails.
  void take_out_faults() {
    std::size_t pieces = 2;
    for (std::size_t rows = removable(); rows > 0;) {
      pieces = std::min(pieces, rows);
      bool taken = false;
      for (std::size_t piece = 0; piece < pieces && !taken; ++piece)
        taken = take_out(piece * rows / pieces, (piece + 1) * rows / pieces);
      rows = removable();
      if (taken) {
        pieces = std::max<std::size_t>(2, pieces - 1);
      } else if (pieces >= rows) {
        return;
      } else {
        pieces *= 2;
      }
    }
  }

  std::size_t removable() const {
    const Rows& rows = out_.scenario.faults;
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](const FaultTable& row) { return !heals(row, out_.scenario); }));
  }

  // Those from `first` to before `last` of the rows that may go.
  bool take_out(std::size_t first, std::size_t last) {
    if (first == last) return false;
    Scenario candidate = out_.scenario;
    candidate.faults.clear();
    std::size_t place = 0;
    for (const FaultTable& row : out_.scenario.faults) {
      const bool stays = heals(row, out_.scenario) || place < first || place >= last;
      if (stays) candidate.faults.push_back(row);
      if (!heals(row, out_.scenario)) ++place;
    }
    return accept(std::move(candidate));
  }

  void take_out_healing() {
    attempt([](Scenario& of) {
      of.faults.erase(
          std::remove_if(of.faults.begin(), of.faults.end(), [&](const FaultTable& row) { return heals(row, of); }),
          of.faults.end());
    });
  }

  void simplify_configuration() {
    simplify(mutex_form(out_.scenario.mutex.system), [](Scenario& of) -> MutexTable& { return of.mutex; });
    simplify(store_form(), [](Scenario& of) -> StoreTable& { return of.store; });
    attempt([](Scenario& of) { of.resources.resize(1); });
    for (std::size_t i = 0; i < out_.scenario.contenders.size(); ++i)
      simplify(contender_form(out_.scenario.mutex.system),
               [i](Scenario& of) -> ContenderTable& { return of.contenders[i]; });
    while (out_.scenario.contenders.size() > 1 && may_do_without_the_last()) {
    }
  }

  template <class Table, class Where>
  void simplify(const Form<Table>& form, Where where) {
    for (const Key<Table>& key : form)
      if (key.simplify) attempt([&](Scenario& of) { key.simplify(where(of)); });
  }

  // Names and the deal to several mutexes stay as they are when the last one goes.
  bool may_do_without_the_last() {
    const std::string name = out_.scenario.contenders.back().called(0);
    const Rows& rows = out_.scenario.faults;
    const bool named =
        out_.scenario.contenders.back().count > 1 || std::any_of(rows.begin(), rows.end(), [&](const FaultTable& row) {
          return row.target == name ||
                 std::any_of(row.words.begin(), row.words.end(), [&](const auto& word) { return word.second == name; });
        });
    if (named) return false;
    Scenario candidate = out_.scenario;
    candidate.contenders.pop_back();
    return accept(std::move(candidate));
  }

  void simplify_faults() {
    for (std::size_t i = 0; i < out_.scenario.faults.size(); ++i) {
      if (heals(out_.scenario.faults[i], out_.scenario)) continue;
      attempt([&](Scenario& of) { of.faults[i].during_compute = false; });
      round([i](Scenario& of) -> TimeExpression& { return of.faults[i].at; });
      round([i](Scenario& of) -> TimeExpression& { return of.faults[i].duration; });
      const auto times = out_.scenario.faults[i].times;  // a copy: rounding replaces the scenario
      for (const auto& time : times)
        round([i, &time](Scenario& of) -> TimeExpression& { return of.faults[i].times.at(time.first); });
    }
  }

  // To the coarsest unit that will do.
  template <class Which>
  void round(Which which) {
    for (const Duration unit : {Duration(1s), Duration(100ms), Duration(10ms), Duration(1ms)}) {
      const TimeExpression& now = which(out_.scenario);
      if (now.relative() || now.fixed % unit == Duration::zero()) return;
      const TimeExpression rounded(now.fixed / unit * unit);
      if (rounded.fixed == Duration::zero()) continue;
      if (attempt([&](Scenario& of) { which(of) = rounded; })) return;
    }
  }

  const StillFails& still_fails_;
  Shrunk out_;
};

}  // namespace

Shrunk shrink(const Scenario& scenario, const StillFails& still_fails) {
  Scenario start = scenario;
  start.faults.erase(
      std::remove_if(start.faults.begin(), start.faults.end(), [](const FaultTable& row) { return !row.enabled; }),
      start.faults.end());
  return Shrinker(start, still_fails).run();
}

}  // namespace leasescope
