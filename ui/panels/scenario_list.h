// Scenarios to choose from: search, name and title, and the marks of what each expects without and with fence.
#pragma once
#include "ui/panels/search_list.h"

namespace leasescope {

class ScenarioList : public SearchList {
  Q_OBJECT
 public:
  // Of a model that has the roles of a ScenarioListModel.
  explicit ScenarioList(QAbstractItemModel* model, QWidget* parent = nullptr);
};

}  // namespace leasescope
