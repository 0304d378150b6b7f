#include "ui/models/scenario_list_model.h"

#include <QLocale>

#include "core/store/types/types.h"
#include "simulator/live/live_refusal.h"
#include "simulator/scenario/catalogue.h"
#include "ui/models/foretold.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

// Those on which it is as it is in virtual time, with its faults, its system and its ways of waking.
QStringList storesOf(const Scenario& scenario) {
  constexpr std::string_view kLive = "live:";
  QStringList out;
  for (const std::string& world : worlds_of(scenario))
    if (world.rfind(kLive, 0) == 0) out << fromText(find_store_type(world.substr(kLive.size()))->title);
  return out;
}

}  // namespace

ScenarioListModel::ScenarioListModel(QObject* parent) : QAbstractListModel(parent) {}

ScenarioListModel::Row ScenarioListModel::rowFor(const Scenario& scenario, const QString& source) {
  Row row;
  row.name = fromText(scenario.name);
  row.title = fromText(scenario.title);
  row.about = fromText(scenario.about);
  row.source = source;
  const Expectations without = unfenced(scenario);
  row.without = telling(without);
  row.with = telling(scenario.expected);
  row.expects =
      without.fields.empty()
          ? tr("It does not say what is expected.")
          : tr("Without fence: %1.\nWith fence: %2.").arg(foretoldText(without), foretoldText(scenario.expected));
  row.stores = storesOf(scenario);
  for (const FaultTable& fault : scenario.faults) row.disturbed += fromText(fault.kind) + u' ';
  for (const auto& [field, expectation] : without.fields)
    if (expectsSome(without, field)) row.expected += fromText(field) + u' ';
  for (QString* words : {&row.disturbed, &row.expected})
    for (const QChar gap : {u'_', u'-', u'.'}) *words += QString(*words).replace(gap, u' ');
  return row;
}

// The marks are of what happened, not of what was foretold.
void ScenarioListModel::setMet(int row, const Met& met) {
  Row& known = rows_[static_cast<std::size_t>(row)];
  known.without = met.without;
  known.with = met.with;
  known.met = met.incidents;
  emit dataChanged(index(row), index(row));
}

void ScenarioListModel::addBuiltIns() {
  std::vector<Row> rows;
  for (const Scenario& scenario : read_built_in_scenarios()) rows.push_back(rowFor(scenario, fromText(scenario.name)));
  if (rows.empty()) return;
  beginInsertRows({}, static_cast<int>(rows_.size()), static_cast<int>(rows_.size() + rows.size()) - 1);
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  endInsertRows();
}

int ScenarioListModel::rowOf(const QString& source) const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].source == source) return static_cast<int>(i);
  return -1;
}

int ScenarioListModel::addFile(const QString& path, const Scenario& scenario) {
  const int known = rowOf(path);
  if (known >= 0) {
    rows_[static_cast<std::size_t>(known)] = rowFor(scenario, path);
    emit dataChanged(index(known), index(known));
    emit rowWrittenAnew(known);
    return known;
  }
  const int row = static_cast<int>(rows_.size());
  beginInsertRows({}, row, row);
  rows_.push_back(rowFor(scenario, path));
  endInsertRows();
  return row;
}

int ScenarioListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant ScenarioListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
    case kNameRole:
      return row.name;
    case Qt::ToolTipRole: {
      const QString about = row.about.isEmpty() ? row.title : row.about;
      return QStringLiteral("%1\n%2").arg(about, row.expects);
    }
    case Qt::AccessibleTextRole:
      return (row.stores.isEmpty() ? QStringLiteral("%1. %2. %3") : tr("%1. %2. %3 Can run live."))
          .arg(row.name, row.title, row.expects);
    case kTitleRole:
      return row.title;
    case kSourceRole:
      return row.source;
    case kWithoutRole:
      return static_cast<int>(row.without);
    case kWithRole:
      return static_cast<int>(row.with);
    case kSearchRole:
      return QStringList{
          row.name,      row.title,    row.about,          row.expects,
          row.disturbed, row.expected, row.met.join(u' '), !row.stores.isEmpty() ? tr("live") : QString()}
          .join(u'\n');
    case kAboutRole:
      return row.about.isEmpty() ? row.title : row.about;
    case kExpectsRole:
      return row.expects;
    case kLiveRole:
      return !row.stores.isEmpty();
    case kStoresRole:
      return row.stores;
    case kWorldsRole:
      return row.stores.isEmpty() ? tr("Runs in virtual time only.")
                                  : tr("Runs in virtual time and live, on %1.")
                                        .arg(QLocale(QLocale::English).createSeparatedList(row.stores));
    default:
      return {};
  }
}

}  // namespace leasescope
