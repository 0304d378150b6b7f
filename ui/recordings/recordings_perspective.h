// Recordings: runs of the past, from files that `run --record` or the Lab wrote.
#pragma once
#include "ui/recordings/recorded_session.h"
#include "ui/recordings/recording_actions.h"
#include "ui/window/session_perspective.h"

namespace leasescope {

class RecentRecordings;
class RecordingsPanel;

class RecordingsPerspective : public SessionPerspective {
  Q_OBJECT
 public:
  explicit RecordingsPerspective(WindowActions& frame, QWidget* parent = nullptr);
  ~RecordingsPerspective() override;

  RecordedSession& recording() { return recording_; }
  RecentRecordings* recent() const { return recent_; }
  RecordingsPanel* recordings() const { return list_; }
  using SessionPerspective::action;
  QAction* action(RecordingAction which) const { return (*actions_)[which]; }

  QWidget* tools() override { return tools_; }
  std::vector<ActionTable*> actionTables() override;
  QString document() const override;
  bool takes(const QString& path, const QByteArray& begin) const override;
  QStringList fileFilters() const override;
  void open(const QString& path) override;
  void note(const QString& path) override;
  void remember(QSettings& settings) const override;
  void restore(const QSettings& settings) override;

 protected:
  void setCompact(bool compact) override;
  void searchList() override;
  void loadActions() override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeTools();
  QString about() const;

  RecordedSession recording_;
  RecordingActions* actions_;
  RecentRecordings* recent_;
  RecordingsPanel* list_;
  class PlayheadText* time_ = nullptr;
  QWidget* tools_;
};

}  // namespace leasescope
