// Two runs to be compared: one after the other, beside the run on the screen, each written into a recording.
#pragma once
#include <QStringList>
#include <array>
#include <optional>

#include "ui/lab/lab_controller.h"
#include "ui/lab/run_saver.h"

namespace leasescope {

// One of the two.
struct PairedRun {
  QString name;  // in a word or two, for people: "virtual"
  std::vector<Course> courses;
  QString path;  // of its recording; nothing lies there
};

class PairedRuns : public QObject {
  Q_OBJECT
 public:
  // `window`: what boxes lie over.
  explicit PairedRuns(QWidget* window);
  ~PairedRuns() override;

  // In place of those that run. Ends with `done`, or without a word when it is cancelled.
  void begin(const QString& title, const LabSource& source, std::array<PairedRun, 2> runs);
  bool busy() const { return at_.has_value(); }
  // Nothing is left of either, nor of a server that was started.
  void cancel();
  // How far they are: "Virtual: 12 of 46 s".
  const Preparation& progress() const { return progress_; }
  const LabController& running() const { return lab_; }

 signals:
  void turned();  // they began, or are over
  void moved();
  // The recordings of those that came to their end, the first first. With fewer than two `why` says why there is no
  // other; with both it says what a reader should know of them, if anything.
  void done(const QStringList& paths, const leasescope::Problem& why);

 private:
  void startNext();
  void tell();
  void save();
  void take(const Problem& problem);
  void keep(const QString& path);
  void end(const Problem& why);
  const PairedRun& run() const { return runs_[*at_]; }

  LabController lab_;
  RunSaver saver_;
  LabSource source_;
  std::array<PairedRun, 2> runs_;
  std::optional<std::size_t> at_;  // which one is run just now
  QStringList paths_;              // of those that are written
  Problem remark_;
  Preparation progress_;
};

}  // namespace leasescope
