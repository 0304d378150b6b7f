// run_followed: a night in the Lab as fast as it goes, followed by the chart, the tables and the panels of its window:
// events a second from its begin to its end, and the longest that the window was silent meanwhile.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QFile>
#include <QTemporaryDir>

#include "core/base/expect.h"
#include "simulator/scenario/scenario_text.h"
#include "tests/bench/timeline/frames.h"
#include "tests/bench/timeline/night.h"
#include "tests/bench/timeline/silence.h"
#include "ui/lab/lab_perspective.h"
#include "ui/theme/look.h"
#include "ui/window/main_window.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;

void run_followed(benchmark::State& state) {
  need_gui();
  Look::instance().dress();
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("night.toml"));
  QFile file(path);
  expect(file.open(QIODevice::WriteOnly), "a scenario can be written to the folder for temporary files");
  file.write(QByteArray::fromStdString(scenario_text(night(static_cast<std::uint64_t>(state.range(0)), 200))));
  file.close();
  MainWindow window;
  window.resize(kWidth, kHeight);
  window.show();
  LabController& lab = static_cast<LabPerspective*>(window.perspective(QStringLiteral("lab")))->lab();
  double silence = 0, events = 0;
  for (auto _ : state) {
    expect(lab.open(path), "it is a scenario");
    QApplication::processEvents();
    const Silence silent;
    lab.setSpeed(0);
    lab.runOrPause();
    while (lab.state() != RunState::kFinished) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents();  // the last frame
    silence = std::max(silence, silent.longest_ms());
    events += static_cast<double>(lab.history()->events.size());
  }
  state.counters["events_per_second"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
  state.counters["events"] = events;
  state.counters["silent_ms"] = silence;
}

}  // namespace

BENCHMARK(run_followed)->Arg(300'000)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
