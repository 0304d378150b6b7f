// The list of scenarios, and below it in full what the chosen one is about.
#pragma once
#include <QScrollArea>

#include "ui/models/scenario_list_model.h"
#include "ui/panels/scenario_list.h"

namespace leasescope {

class ScenarioPanel : public Pane {
  Q_OBJECT
 public:
  explicit ScenarioPanel(ScenarioListModel* model, QWidget* parent = nullptr);

  void focusSearch() { rows_->focusSearch(); }
  // Marks the row without opening it.
  void setCurrent(const QString& source);
  QListView* list() const { return rows_->list(); }
  QLineEdit* search() const { return rows_->search(); }

 signals:
  void chosen(const QString& source);

 private:
  void loadAbout();

  ScenarioListModel* model_;
  ScenarioList* rows_;
  QScrollArea* about_;
  QLabel *aboutText_, *aboutMore_;
  QString current_;
};

}  // namespace leasescope
