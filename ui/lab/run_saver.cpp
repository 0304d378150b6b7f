#include "ui/lab/run_saver.h"

#include <QFileInfo>
#include <QProgressDialog>
#include <filesystem>

#include "simulator/run/recorded_run.h"
#include "ui/lab/lab_controller.h"
#include "ui/models/aside.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kShownAfterMs = 300;
constexpr int kSteps = 1000;  // of the progress

// The file, and what SQLite has beside one that is not done.
void removeAll(const std::string& path) {
  std::error_code ignored;
  for (const char* more : {"", "-wal", "-shm"}) std::filesystem::remove(path + more, ignored);
}

}  // namespace

RunSaver::Closing::~Closing() {
  if (thread.joinable()) thread.join();
  writer.reset();
  if (!part.empty()) removeAll(part);
}

RunSaver::RunSaver(LabController& lab, QWidget* window) : QObject(window), lab_(lab), window_(window) {
  connect(&work_, &QTimer::timeout, this, &RunSaver::work);
  // Its history goes.
  connect(&lab, &LabController::runReset, this, [this] {
    if (saving_ && !saving_->thread.joinable()) fail(tr("another run took its place meanwhile"));
  });
}

RunSaver::~RunSaver() { cancel(); }

QString RunSaver::whyNot() const {
  if (!lab_.history() || lab_.history()->events.empty()) return tr("nothing has been run");
  if (lab_.state() == RunState::kRunning) return tr("the run goes on: pause it, or wait for its end");
  if (lab_.courses().size() > 2) return tr("a recording tells of one fork, and this run was forked more than once");
  return busy() ? tr("another is being written") : QString();
}

void RunSaver::save(const QString& path) {
  path_ = path;
  saving_ = std::make_unique<Closing>();
  saving_->part = path.toStdString() + ".part" + (saved_ == 0 ? std::string() : std::to_string(saved_ + 1));
  ++saved_;
  removeAll(saving_->part);  // of a program that was killed
  auto created = RecordingWriter::create(saving_->part);
  if (!created) return fail(fromText(created.error()));
  saving_->writer = std::move(*created);
  saving_->writer->head(lab_.header());
  progress_ = std::make_unique<QProgressDialog>(tr("Writing %1").arg(QFileInfo(path).fileName()), tr("Cancel"), 0,
                                                kSteps, window_);
  progress_->setMinimumDuration(kShownAfterMs);
  progress_->setAutoClose(false);
  connect(progress_.get(), &QProgressDialog::canceled, this, [this] {
    cancel();
    emit givenUp();
  });
  work_.start(1);
}

void RunSaver::work() {
  if (saving_->thread.joinable()) return look();
  const History& history = *lab_.history();
  RecordingWriter& writer = *saving_->writer;
  writer.offer(history);
  if (const std::string error = writer.error(); !error.empty()) return fail(fromText(error));
  progress_->setValue(static_cast<int>(writer.written() * kSteps / std::max<std::uint64_t>(1, history.last())));
  if (writer.taken() == history.last()) close();
}

// With a copy of all but the events: the run may go on, or go, meanwhile.
void RunSaver::close() {
  const History& history = *lab_.history();
  auto rest = std::make_shared<History>();
  rest->names = history.names;
  rest->legend = history.legend;
  rest->incidents = history.incidents;
  rest->summary = history.summary;
  rest->now = history.now;
  rest->forgotten = history.last();
  const bool ended = lab_.state() == RunState::kFinished;
  Closing& saving = *saving_;
  saving.thread = std::thread([&saving, rest, ended, outcome = recorded(lab_.outcome())] {
    if (ended) {
      if (const auto done = saving.writer->finish(*rest, outcome); !done) saving.error = done.error();
    } else {
      saving.writer->append(*rest);
      saving.writer->close();
      saving.error = saving.writer->error();
    }
    saving.closed = true;
  });
}

void RunSaver::look() {
  if (!saving_->closed) return;
  if (!saving_->error.empty()) return fail(fromText(saving_->error));
  std::error_code error;
  std::filesystem::rename(saving_->part, path_.toStdString(), error);
  if (error) return fail(fromText(error.message()));
  saving_->part.clear();
  const QString path = path_;
  end();
  emit saved(path);
}

void RunSaver::fail(const QString& why) {
  const QString path = path_;
  cancel();
  emit failed(path, why);
}

void RunSaver::cancel() {
  if (busy()) end();
}

// What is still written goes, with its file, beside the window.
void RunSaver::end() {
  work_.stop();
  letGoAside(std::move(saving_));
  if (progress_) progress_.release()->deleteLater();  // it may be the one that is telling
  path_.clear();
}

}  // namespace leasescope
