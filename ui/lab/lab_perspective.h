// The Lab: a scenario from the list or a file, its run with all that can be done to it, its values beside it.
#pragma once
#include "ui/lab/lab_actions.h"
#include "ui/lab/lab_controller.h"
#include "ui/models/scenario_list_model.h"
#include "ui/window/session_perspective.h"

namespace leasescope {

class PreparationBox;
class Prospects;
class RunSaver;
class ScenarioPanel;
class TransportBar;
class ValuesPanel;

class LabPerspective : public SessionPerspective {
  Q_OBJECT
 public:
  explicit LabPerspective(WindowActions& frame, QWidget* parent = nullptr);
  ~LabPerspective() override;

  LabController& lab() { return lab_; }
  ScenarioPanel* scenarios() const { return scenarios_; }
  Prospects* prospects() const { return prospects_; }
  ValuesPanel* valuesPanel() const { return values_; }
  TransportBar* transport() const { return transport_; }
  RunSaver* saver() const { return saver_; }
  PreparationBox* preparation() const { return preparation_; }
  using SessionPerspective::action;
  QAction* action(LabAction which) const { return (*actions_)[which]; }

  QWidget* tools() override;
  std::vector<ActionTable*> actionTables() override;
  QString document() const override;
  bool takes(const QString& path, const QByteArray& begin) const override;
  QStringList fileFilters() const override;
  // A built-in name as well. Runs at once where that takes no server: the picture comes first.
  void open(const QString& nameOrPath) override;
  void remember(QSettings& settings) const override;
  void restore(const QSettings& settings) override;
  void letGo() override;
  static QString lastScenario();

 protected:
  void setCompact(bool compact) override;
  void searchList() override;
  void loadActions() override;
  void showEvent(QShowEvent* event) override;

 private:
  void connectActions();
  void connectLab();
  void loadTravel();
  void saveRecording();

  LabController lab_;
  ScenarioListModel* list_;
  LabActions* actions_;
  TransportBar* transport_;
  ScenarioPanel* scenarios_;
  ValuesPanel* values_;
  PreparationBox* preparation_;
  Prospects* prospects_;
  RunSaver* saver_;
};

}  // namespace leasescope
