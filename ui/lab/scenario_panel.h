// The list of scenarios: search, name and title, and the marks of what each expects without and with fence.
#pragma once
#include <QLineEdit>
#include <QListView>
#include <QScrollArea>

#include "ui/models/scenario_list_model.h"
#include "ui/models/word_filter.h"
#include "ui/panels/parts.h"

namespace leasescope {

class ScenarioPanel : public Pane {
  Q_OBJECT
 public:
  explicit ScenarioPanel(ScenarioListModel* model, QWidget* parent = nullptr);

  void focusSearch();
  // Marks the row without opening it.
  void setCurrent(const QString& source);
  QListView* list() const { return list_; }
  QLineEdit* search() const { return search_; }

 signals:
  void chosen(const QString& source);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void choose(const QModelIndex& index);
  void loadAbout();

  ScenarioListModel* model_;
  WordFilter* filter_;
  QLineEdit* search_;
  QListView* list_ = nullptr;  // the search box sends its events before there is one
  QLabel* none_;
  QScrollArea* about_;
  QLabel *aboutText_, *aboutMore_;
  QString current_;
};

}  // namespace leasescope
