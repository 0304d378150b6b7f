// Writes the Lab's run into a recording, a part at a time beside the window's own work: into a file beside it first,
// which takes its name when it is whole.
#pragma once
#include <QObject>
#include <QString>
#include <QTimer>
#include <atomic>
#include <memory>
#include <thread>

#include <tl/expected.hpp>

#include "core/history/recording/recording_writer.h"

class QProgressDialog;

namespace leasescope {

class LabController;

class RunSaver : public QObject {
  Q_OBJECT
 public:
  RunSaver(LabController& lab, QWidget* window);
  ~RunSaver() override;

  // Why the run on the screen cannot be saved; empty when it can.
  QString whyNot() const;
  // Over what is there. Ends with `saved` or `failed`, with `givenUp` when a reader cancels it, or with none of them
  // when cancel() does.
  void save(const QString& path);
  bool busy() const { return !path_.isEmpty(); }
  // Leaves nothing.
  void cancel();

 signals:
  void saved(const QString& path);
  void failed(const QString& path, const QString& why);
  void givenUp();

 private:
  // Of its thread, which may outlive the saver: ending a recording takes a while on a slow disk.
  struct Closing {
    ~Closing();
    std::unique_ptr<RecordingWriter> writer;
    std::string part;  // nobody wants it any more: it goes
    std::string error;
    std::atomic<bool> closed{false};
    std::thread thread;
  };

  void work();
  void close();
  void look();
  void end();
  void fail(const QString& why);

  LabController& lab_;
  QWidget* window_;
  QString path_;
  int saved_ = 0;  // so many were begun: a file that is left behind has a name of its own
  std::unique_ptr<Closing> saving_;
  QTimer work_;
  std::unique_ptr<QProgressDialog> progress_;
};

}  // namespace leasescope
