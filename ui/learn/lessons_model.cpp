#include "ui/learn/lessons_model.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "simulator/scenario/catalogue.h"
#include "ui/models/foretold.h"
#include "ui/models/scenario_list_model.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

auto orderOf(const Scenario& of) {
  const std::vector<std::string_view> systems = system_names();
  const bool calm = of.faults.empty() && foretold(unfenced(of)).empty();
  return std::tuple(is_canary(of.name), std::find(systems.begin(), systems.end(), of.mutex.system) - systems.begin(),
                    !calm);
}

}  // namespace

LessonsModel::LessonsModel(QObject* parent) : QSortFilterProxyModel(parent), scenarios_(new ScenarioListModel(this)) {
  std::vector<const Scenario*> all;
  for (const Scenario& each : read_built_in_scenarios()) all.push_back(&each);
  std::stable_sort(all.begin(), all.end(),
                   [](const Scenario* a, const Scenario* b) { return orderOf(*a) < orderOf(*b); });
  int number = 0;
  for (const Scenario* each : all) places_[fromText(each->name)] = {each, number++};
  scenarios_->addBuiltIns();
  setSourceModel(scenarios_);
  sort(0);
}

int LessonsModel::rowOf(const QString& name) const {
  return mapFromSource(scenarios_->index(scenarios_->rowOf(name))).row();
}

const Scenario& LessonsModel::scenario(int row) const {
  return *places_.at(index(row, 0).data(ScenarioListModel::kSourceRole).toString()).scenario;
}

bool LessonsModel::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  const auto number = [this](const QModelIndex& of) {
    return places_.at(of.data(ScenarioListModel::kSourceRole).toString()).number;
  };
  return number(a) < number(b);
}

}  // namespace leasescope
