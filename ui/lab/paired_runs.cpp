#include "ui/lab/paired_runs.h"

#include <QFile>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kPrepared = 200;  // of a thousand, when a live run begins

}  // namespace

PairedRuns::PairedRuns(QWidget* window) : QObject(window), saver_(lab_, window) {
  lab_.setSpeed(0);
  connect(&lab_, &Session::advanced, this, &PairedRuns::tell);
  connect(&lab_, &Session::preparationMoved, this, &PairedRuns::tell);
  connect(&lab_, &Session::finished, this, &PairedRuns::save);
  connect(&lab_, &Session::problem, this, &PairedRuns::take);
  connect(&saver_, &RunSaver::saved, this, &PairedRuns::keep);
  connect(&saver_, &RunSaver::failed, this, [this](const QString&, const QString& why) {
    if (!busy()) return;
    Problem p;
    p.title = tr("The %1 run was not written").arg(run().name);
    p.message = why;
    end(p);
  });
  connect(&saver_, &RunSaver::givenUp, this, &PairedRuns::cancel);
}

PairedRuns::~PairedRuns() {
  lab_.disconnect(this);
  saver_.disconnect(this);
}

void PairedRuns::begin(const QString& title, const LabSource& source, std::array<PairedRun, 2> runs) {
  cancel();
  source_ = source;
  runs_ = std::move(runs);
  progress_ = {title, {}, 0};
  remark_ = {};
  at_ = 0;
  emit turned();
  startNext();
}

void PairedRuns::cancel() {
  if (!busy()) return;
  at_.reset();
  saver_.cancel();
  lab_.closeScenario();
  for (const QString& path : std::exchange(paths_, {})) QFile::remove(path);
  emit turned();
}

void PairedRuns::startNext() {
  lab_.run(source_, run().courses);
  if (busy()) tell();
}

void PairedRuns::tell() {
  if (!busy()) return;
  int part = 0;
  if (lab_.state() == RunState::kPreparing) {
    progress_.words = tr("%1: %2").arg(run().name, lab_.preparation().words);
    part = lab_.preparation().permille * kPrepared / 1000;
  } else if (lab_.length() > Duration{}) {
    const Duration now = std::min(lab_.now() - TrueTime{}, lab_.length());
    progress_.words = tr("%1: %2 of %3 s").arg(run().name, secondsText(now, 1), secondsText(lab_.length(), 1));
    const int begun = lab_.live() ? kPrepared : 0;
    part = begun + static_cast<int>(static_cast<double>(1000 - begun) * static_cast<double>(now.count()) /
                                    static_cast<double>(lab_.length().count()));
  }
  progress_.permille = static_cast<int>(*at_) * 500 + part / 2;
  emit moved();
}

void PairedRuns::save() {
  if (!busy()) return;
  if (const QString why = saver_.whyNot(); !why.isEmpty()) {
    Problem p;
    p.title = tr("The %1 run was not written").arg(run().name);
    p.message = why;
    return end(p);
  }
  saver_.save(run().path);
}

// Of a run that has not begun it is its failure; else something to know of it.
void PairedRuns::take(const Problem& problem) {
  if (!busy() || problem.empty()) return;
  if (lab_.state() == RunState::kReady) return end(problem);
  remark_ = problem;
}

void PairedRuns::keep(const QString& path) {
  if (!busy()) return;
  paths_ << path;
  if (*at_ + 1 == runs_.size()) return end(remark_);
  ++*at_;
  startNext();
}

void PairedRuns::end(const Problem& why) {
  const Problem told = why;  // it may be the run's that goes
  at_.reset();
  saver_.cancel();
  lab_.closeScenario();
  const QStringList paths = std::exchange(paths_, {});
  emit turned();
  emit done(paths, told);
}

}  // namespace leasescope
