// Recordings: runs of the past, from files that `run --record` or the Lab wrote, and what teams have recorded.
#pragma once
#include "ui/keyring/kept_passwords.h"
#include "ui/recordings/recorded_session.h"
#include "ui/recordings/recording_actions.h"
#include "ui/window/session_perspective.h"

namespace leasescope {

class RecentRecordings;
class RecordingsPanel;
class TeamDialog;

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
  // Of a team's database; where a password is missing it is asked for.
  void openTeam(const QString& address);
  TeamDialog* teamDialog() const { return teamDialog_; }
  KeptPasswords& kept() { return *kept_; }
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
  void openTeamAs(const QString& address, const QString& password, bool keep);
  void openPlace(const QString& address, const QString& password);
  void askTeam(const QString& address, const QString& why);
  void onRefused(const HistoryPlace& place, const QString& why);

  RecordedSession recording_;
  RecordingActions* actions_;
  RecentRecordings* recent_;
  RecordingsPanel* list_;
  KeptPasswords* kept_;
  TeamDialog* teamDialog_;
  QString awaited_;                        // the address whose password the keyring was asked for
  std::optional<TypedPassword> unproven_;  // of what is being opened
  class PlayheadText* time_ = nullptr;
  QWidget* tools_;
};

}  // namespace leasescope
