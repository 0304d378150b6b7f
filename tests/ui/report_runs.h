// Runs that are over, and what reports are made of them.
#pragma once
#include <QByteArray>
#include <QImage>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/ui/gc_pause_history.h"
#include "ui/report/report_format.h"

namespace leasescope::tests {

// A run that is over, with all that a report of it needs.
struct Ended {
  explicit Ended(const std::string& name, const std::vector<std::string>& sets = {})
      : scenario(find_scenario(name, sets).value()), run(scenario) {
    run.advance(TrueTime::max());
    run.finish();
    outcome = run.outcome();
    data.reset(run_facts(scenario));
    data.append(run.history());
  }
  ReportSubject subject() const {
    return {.history = run.history(), .data = data, .scenario = scenario, .outcome = outcome};
  }

  Scenario scenario;
  VirtualRun run;
  Outcome outcome;
  ChartData data;
};

// By hand, as gc_pause_history.h has it.
struct ByHand {
  ByHand() : scenario(*find_scenario("gc-pause", {})) {}
  // From 60.1 to 60.9 s.
  void go_blind() {
    writer.add(60100, writer.store, EventKind::kUnobservedBegan);
    writer.add(60900, writer.store, EventKind::kUnobservedEnded);
  }
  ReportSubject subject() {
    data.reset(gc_pause_facts());
    data.append(writer.history);
    outcome.scenario = "gc-pause";
    outcome.world = "live";
    return {.history = writer.history, .data = data, .scenario = scenario, .outcome = outcome};
  }

  HistoryWriter writer = gc_pause_history();
  Scenario scenario;
  Outcome outcome;
  ChartData data;
};

inline QByteArray made(const ReportSubject& subject, std::string_view ending) {
  TextSink out;
  const auto written = report_format_of(ending)->write(subject, out);
  return written ? QByteArray::fromStdString(out.take()) : QByteArray();
}

// Pixels of hazard tape.
inline int tape_in(const QImage& image, Theme theme = Theme::kLight) {
  int found = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) found += image.pixelColor(x, y) == colours(theme).overlap ? 1 : 0;
  return found;
}

}  // namespace leasescope::tests
