#include "ui/lab/run_saver.h"

#include <QFileInfo>
#include <QProgressDialog>
#include <filesystem>

#include "simulator/run/recorded_run.h"
#include "ui/lab/lab_controller.h"
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

RunSaver::RunSaver(LabController& lab, QWidget* window) : QObject(window), lab_(lab), window_(window) {
  connect(&work_, &QTimer::timeout, this, &RunSaver::work);
  // Its history goes.
  connect(&lab, &LabController::runReset, this, [this] {
    if (writer_ && !closing_.joinable()) fail(tr("another run took its place meanwhile"));
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
  removeAll(part());  // of a program that was killed
  auto created = RecordingWriter::create(part());
  if (!created) return fail(fromText(created.error()));
  writer_ = std::move(*created);
  writer_->head(lab_.header());
  progress_ = std::make_unique<QProgressDialog>(tr("Writing %1").arg(QFileInfo(path).fileName()), tr("Cancel"), 0,
                                                kSteps, window_);
  progress_->setMinimumDuration(kShownAfterMs);
  progress_->setAutoClose(false);
  connect(progress_.get(), &QProgressDialog::canceled, this, &RunSaver::cancel);
  work_.start(1);
}

void RunSaver::work() {
  if (closing_.joinable()) return look();
  const History& history = *lab_.history();
  writer_->offer(history);
  if (const std::string error = writer_->error(); !error.empty()) return fail(fromText(error));
  progress_->setValue(static_cast<int>(writer_->written() * kSteps / std::max<std::uint64_t>(1, history.last())));
  if (writer_->taken() == history.last()) close();
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
  closed_ = false;
  error_.clear();
  closing_ = std::thread([this, rest, ended, outcome = recorded(lab_.outcome())] {
    if (ended) {
      if (const auto done = writer_->finish(*rest, outcome); !done) error_ = done.error();
    } else {
      writer_->append(*rest);
      error_ = writer_->error();
      writer_.reset();
    }
    closed_ = true;
  });
}

void RunSaver::look() {
  if (!closed_) return;
  closing_.join();
  if (!error_.empty()) return fail(fromText(error_));
  std::error_code error;
  std::filesystem::rename(part(), path_.toStdString(), error);
  if (error) return fail(fromText(error.message()));
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
  if (!busy()) return;
  if (closing_.joinable()) closing_.join();
  writer_.reset();
  removeAll(part());
  end();
}

void RunSaver::end() {
  work_.stop();
  writer_.reset();
  if (progress_) progress_.release()->deleteLater();  // it may be the one that is telling
  path_.clear();
}

}  // namespace leasescope
