// The list of scenarios: search, name and title, and the marks of what each expects without and with fence.
#pragma once
#include <QScrollArea>

#include "ui/models/scenario_list_model.h"
#include "ui/panels/search_list.h"

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
  SearchList* rows_;
  QScrollArea* about_;
  QLabel *aboutText_, *aboutMore_;
  QString current_;
};

}  // namespace leasescope
