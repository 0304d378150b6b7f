// Writes a report of what is on the screen beside the window's own work: how far it is is shown when it takes longer
// than a moment, and it can be cancelled. An older file of that name stays until the new one is whole.
#pragma once
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <utility>

#include "core/history/event_filter.h"
#include "ui/look/tokens.h"
#include "ui/models/session.h"
#include "ui/report/reported_part.h"
#include "ui/timeline/paint/axis.h"

class QProgressDialog;

namespace leasescope {

struct ReportFormat;

// What is reported, as it was when it was asked for: whatever the reader does afterwards changes nothing of it.
struct ExportWish {
  const ReportFormat* format = nullptr;
  QString path;
  RunFacts facts;
  Axis axis;     // what its chart counts
  TrueTime now;  // its chart is known up to here
  std::pair<TrueTime, TrueTime> shown;
  EventFilter events{};  // where events are rows, those that pass it
  WantedPart part{};     // of a watch: only this
  Theme theme = Theme::kLight;
  double scale = 1;
};

class ReportExport : public QObject {
  Q_OBJECT
 public:
  ReportExport(Session& session, QWidget* window);
  ~ReportExport() override;

  // Of the session, up to its last event now. Ends with `written` or `failed`, or with neither when it is cancelled;
  // one at a time.
  void begin(const ExportWish& wish);
  bool busy() const { return job_ != nullptr; }
  // At once: an older file stays as it was, and the thread that was at it comes to its end beside the window, with what
  // it wrote. While the file gets its name it is too late, and that is a moment: it will be told as written.
  void cancel();
  // Null while nothing is written.
  const QProgressDialog* progress() const { return progress_.get(); }

 signals:
  void written(const QString& path);
  void failed(const QString& path, const QString& why);

 private:
  struct Job;

  void work();
  void bring();
  void end();
  void fail(const QString& why);

  Session& session_;
  QWidget* window_;
  QTimer work_;
  std::unique_ptr<Job> job_;
  std::optional<IncidentList> incidents_;  // so that the thread never has the last copy of what the run goes on with
  Sequence brought_ = 0, last_ = 0;
  std::unique_ptr<QProgressDialog> progress_;
};

}  // namespace leasescope
