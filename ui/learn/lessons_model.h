// The built-in scenarios in the order of their lessons: by lock system, what goes right in each before what goes wrong,
// and the canary last. Its roles are those of a ScenarioListModel.
#pragma once
#include <QSortFilterProxyModel>
#include <map>

#include "simulator/scenario/scenario.h"

namespace leasescope {

class ScenarioListModel;

class LessonsModel : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit LessonsModel(QObject* parent = nullptr);

  // By the name of its scenario; -1: there is none.
  int rowOf(const QString& name) const;
  const Scenario& scenario(int row) const;

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

 private:
  struct Place {
    const Scenario* scenario = nullptr;
    int number = 0;
  };

  ScenarioListModel* scenarios_;
  std::map<QString, Place> places_;
};

}  // namespace leasescope
