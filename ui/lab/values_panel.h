// The scenario's main values, its fault plan, and below them the whole form, to be changed; a refused value is said
// under its field.
#pragma once
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <functional>

#include "ui/lab/fault_plan.h"
#include "ui/lab/lab_controller.h"
#include "ui/lab/scenario_form.h"
#include "ui/lab/value_field.h"
#include "ui/panels/parts.h"

namespace leasescope {

class ValuesPanel : public QScrollArea {
  Q_OBJECT
 public:
  ValuesPanel(LabController& lab, QAction* runAgain, QAction* fork, QAction* addFault, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, 80}; }

  void setCompact(bool compact);
  // What is typed: "ttl", "transition", "jitterFrom", "jitterTo", "contenders", or what the system calls it.
  QLineEdit* field(const QString& name) const;
  QLabel* error() const { return error_; }
  FaultPlanForm* plan() const { return plan_; }
  ScenarioForm* whole() const { return whole_; }
  void addFault() { plan_->addFault(); }

 private:
  struct Field {
    ValueField* value = nullptr;
    std::string key;
    std::function<QString(const Scenario&)> shown;
    std::function<bool(const Scenario&)> used;  // null: always
    QLabel* name = nullptr;                     // beside it, of a system's own
    QString refused;                            // why what stands in it is no value
    QString kept;                               // the value that it did not replace
  };

  // What the form says of that key.
  QLineEdit* addField(const QString& name, const std::string& key);
  QLineEdit* addField(const QString& name, const std::string& key, std::function<QString(const Scenario&)> shown);
  Field& addField(const QString& name, const std::string& key, const ValueKind& kind,
                  std::function<QString(const Scenario&)> shown);
  void buildValues(QVBoxLayout* column);
  void buildPlan(QVBoxLayout* column, QAction* runAgain, QAction* fork, QAction* addFault);
  void commit(Field& field);
  void refuse(const std::string& key, const QString& message);
  void loadError();
  void load();
  void loadAnew();
  void loadSystem();
  void loadUsed();
  void loadTextError();
  void loadStale();
  void loadFork();

  LabController& lab_;
  std::vector<Field> fields_;
  std::size_t ownFields_ = 0;           // of them: those that every system has or leases have; a system's come behind
  std::vector<QWidget*> leaseWidgets_;  // what only leases have
  QWidget* systemRows_ = nullptr;
  QLabel* whoseNote_ = nullptr;  // the contenders that the values below it are of
  QGridLayout* systemGrid_ = nullptr;
  QGridLayout* valuesGrid_ = nullptr;
  std::string system_;  // whose keys they are
  QLabel *renewNote_, *leaseNote_, *fleetNote_, *fenceNote_, *error_, *textNote_, *staleNote_;
  ElidedLabel* fenceText_;
  Switch* fence_;
  QWidget* fenceRow_;
  FaultPlanForm* plan_;
  ScenarioForm* whole_;
  QPushButton *again_, *fork_;
  QString forkTip_;
  bool loading_ = false;
};

}  // namespace leasescope
