#include "app/leasescopectl_recording_out.h"

#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include "app/leasescopectl.h"
#include "core/history/recording/recording_file.h"

namespace leasescope::ctl {
namespace {

volatile std::sig_atomic_t interrupted = 0;  // by that signal

void remove_all(const std::string& path) {
  std::error_code ignored;
  for (const char* const more : {"", "-wal", "-shm"}) std::filesystem::remove(path + more, ignored);
}

}  // namespace

NewRecording::~NewRecording() {
  if (!writer_) return;
  writer_.reset();
  remove_all(part());
}

std::string NewRecording::open(const std::string& path) {
  if (std::string reason = why_not_recorded(path); !reason.empty()) return reason;
  path_ = path;
  remove_all(part());  // of a program that was killed
  // Before there is anything that could be left.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, [](int came) { interrupted = came; });
  auto created = RecordingWriter::create(part());
  if (!created) return created.error();
  writer_ = std::move(*created);
  return {};
}

int NewRecording::fill(HistorySource& source, Progress& progress) {
  writer_->head(source.header());
  History page = source.frame();
  page.incidents = {};
  while (interrupted == 0 && source.read_page(page.events) && writer_->error().empty()) {
    take_names(page, source.frame());
    writer_->append(page);
    page.forgotten = page.last();
    page.events.clear();
    progress.tell([&] { return fmt::format("{} events, {} of 1000", page.last(), source.permille()); });
  }
  if (!source.error().empty()) return bad_input(source.error() + "; nothing was made of it");
  if (interrupted != 0) return failed(fmt::format("interrupted: nothing is left of {}", path_));
  const Sequence last = page.last();
  page = source.frame();
  page.forgotten = last;
  if (source.alerts() != nullptr) writer_->note(page, *source.alerts());
  const std::string error = finish(page, source.outcome());
  progress.clear();
  if (!error.empty()) return failed(fmt::format("{}. Nothing is left of it", error));
  return kAsExpected;
}

// Without an outcome it is one of a run that has not ended. Why not, or empty.
std::string NewRecording::finish(const History& history, const std::optional<RecordedOutcome>& outcome) {
  if (outcome) {
    if (!writer_->finish(history, *outcome)) return writer_->reason();
  } else {
    writer_->append(history);
    writer_->close();
    if (std::string error = writer_->reason(); !error.empty()) return error;
  }
  std::error_code code;
  std::filesystem::rename(part(), path_, code);
  if (code) return fmt::format("{} could not be given its name: {}", path_, code.message());
  writer_.reset();
  return {};
}

}  // namespace leasescope::ctl
