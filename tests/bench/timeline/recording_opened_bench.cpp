// recording_opened: a night's recording, from the moment it is named to the moment all of it is on the screen of a
// window, beside reading it alone, and the longest that the window was silent meanwhile.
#include <benchmark/benchmark.h>

#include <filesystem>

#include <QApplication>
#include <QElapsedTimer>

#include <unistd.h>

#include "core/base/expect.h"
#include "core/history/recording/recording_reader.h"
#include "core/history/recording/recording_writer.h"
#include "simulator/run/recorded_run.h"
#include "simulator/run/virtual_run.h"
#include "tests/bench/timeline/frames.h"
#include "tests/bench/timeline/night.h"
#include "tests/bench/timeline/silence.h"
#include "ui/panels/timeline_page.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/theme/look.h"
#include "ui/timeline/timeline_view.h"
#include "ui/window/main_window.h"

namespace {

using namespace leasescope;
using namespace leasescope::bench;

void record(const std::string& path, std::uint64_t spans) {
  VirtualRun run(night(spans));
  auto writer = RecordingWriter::create(path);
  expect(writer.has_value(), "a recording can be made in the folder for temporary files");
  (*writer)->head(history_header(run.scenario(), run.outcome(), TrueTime::max()));
  while (run.advance(run.now() + std::chrono::seconds(60))) {
    (*writer)->append(run.history());
    run.forget_events();
  }
  run.finish();
  expect((*writer)->finish(run.history(), recorded(run.outcome())).has_value(), "it can be written to its end");
}

// Its floor: into memory and no further, on one thread.
double read_alone_ms(const std::string& path) {
  QElapsedTimer timer;
  timer.start();
  const auto history = RecordingReader::open(path)->read();
  expect(history.has_value(), "what was written can be read");
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void recording_opened(benchmark::State& state) {
  need_gui();
  Look::instance().dress();
  const auto spans = static_cast<std::uint64_t>(state.range(0));
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("leasescope-{}-opened.recording", getpid())).string();
  std::filesystem::remove(path);
  record(path, spans);
  MainWindow window;
  window.resize(kWidth, kHeight);
  window.show();
  auto& shown = *static_cast<RecordingsPerspective*>(window.perspective(QStringLiteral("recordings")));
  double silence = 0;
  const double alone = read_alone_ms(path);
  for (auto _ : state) {
    const Silence silent;
    bool finished = false;
    const auto over =
        QObject::connect(&shown.recording(), &Session::finished, &window, [&finished] { finished = true; });
    window.open(QString::fromStdString(path));
    while (!finished) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QApplication::processEvents();  // the last frame
    QObject::disconnect(over);
    silence = std::max(silence, silent.longest_ms());
  }
  const auto size = [](const SpanTrack& track) { return track.size(); };
  const ChartData& data = shown.view()->timeline()->data();
  state.counters["spans"] = static_cast<double>(sum_of(data, size));
  state.counters["events"] = static_cast<double>(shown.recording().history()->events.size());
  state.counters["silent_ms"] = silence;
  state.counters["read_alone_ms"] = alone;
  std::filesystem::remove(path);
}

}  // namespace

BENCHMARK(recording_opened)->Arg(1'000'000)->Iterations(1)->Unit(benchmark::kMillisecond)->UseRealTime();
