// The whole scenario as a form: a section for each table of the form's description, opened by its title, with every key
// it has; lists are added to and taken from; what is expected can be changed and switched off. A new key or table shows
// here without a line.
#pragma once
#include <functional>
#include <vector>

#include "ui/lab/field_grid.h"
#include "ui/lab/lab_controller.h"

class QToolButton;
class QComboBox;
class QLineEdit;

namespace leasescope {

// A title that opens what lies under it; filled only while it is open.
class FormSection : public Pane {
  Q_OBJECT
 public:
  FormSection(const QString& name, const QString& title, QWidget* parent = nullptr);
  QVBoxLayout* column() const { return column_; }
  QToolButton* head() const { return head_; }
  bool isOpen() const;
  void setOpen(bool open);

 signals:
  void opened();

 private:
  QToolButton* head_;
  QWidget* body_;
  QVBoxLayout* column_;
};

class ScenarioForm : public QWidget {
  Q_OBJECT
 public:
  explicit ScenarioForm(LabController& lab, QWidget* parent = nullptr);

  void load();
  // "scenario", "mutex", "store", "contenders", "resources", "expected".
  FormSection* section(const QString& name) const { return findChild<FormSection*>(name); }
  // The widget of that key, where its section is open; null else.
  QWidget* field(const std::string& path) const;

 private:
  struct Table {
    QLabel* title = nullptr;
    QToolButton* away = nullptr;
    FieldGrid* grid = nullptr;
    QWidget* whole = nullptr;
  };
  void buildExpected();
  FieldGrid* grid();
  ScenarioDocument::Edited take(const std::string& path, const std::string& value);
  void loadTables(FormSection* section, std::vector<Table>& tables, const std::vector<std::string>& paths);
  void loadExpected();
  void addExpectation();
  std::vector<FieldSpec> fieldsOf(const std::string& table) const;

  LabController& lab_;
  FormSection *scenario_, *mutex_, *store_, *contenders_, *resources_, *expected_;
  std::vector<Table> scenarioTables_, mutexTables_, storeTables_, contenderTables_, resourceTables_;
  QLabel* contendersMore_;
  Switch* judged_ = nullptr;
  QLabel *judgedText_ = nullptr, *validFor_ = nullptr, *unfencedTitle_ = nullptr, *expectedError_ = nullptr;
  FieldGrid *wanted_ = nullptr, *unfenced_ = nullptr;
  QComboBox* another_ = nullptr;
  QLineEdit* anothers_ = nullptr;
  bool loading_ = false;
};

}  // namespace leasescope
