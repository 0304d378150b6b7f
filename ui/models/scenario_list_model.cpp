#include "ui/models/scenario_list_model.h"

#include <algorithm>

#include "core/store/types/types.h"
#include "simulator/live/live_refusal.h"
#include "simulator/scenario/catalogue.h"
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

struct Mark {
  std::string field;
  Glyph glyph;
  QString words;
};

Mark markOf(IncidentKind kind, const char* words, const char* field = nullptr) {
  return {field != nullptr ? std::string(field) : "incidents." + std::string(text(kind)), glyph_of(kind),
          QString::fromLatin1(words)};
}

// In the order in which a reader wants to know: what broke, then what the fence caught, then the rest, by its severity.
const std::vector<Mark>& marks() {
  static const std::vector<Mark> all = [] {
    std::vector<Mark> said{
        markOf(IncidentKind::kStaleWriteAccepted, "a stale write is accepted", "stale_writes_accepted"),
        markOf(IncidentKind::kDoubleGrant, "granted twice", "double_grants"),
        markOf(IncidentKind::kFenceRegression, "the fence goes back", "fence_regressions"),
        markOf(IncidentKind::kStaleWriteRejected, "the stale write is rejected", "stale_writes_rejected"),
        markOf(IncidentKind::kTokenlessRefused, "writes without a token are refused"),
        markOf(IncidentKind::kBeliefOverlap, "two believe"),
        markOf(IncidentKind::kBeliefOverlap, "two believe", "belief_overlap_seconds"),
        markOf(IncidentKind::kLeaderless, "nobody leads"),
        markOf(IncidentKind::kFlapping, "the lock flaps"),
        markOf(IncidentKind::kLateRenewal, "a renewal is refused"),
    };
    std::vector<IncidentKind> kinds(kAllIncidentKinds.begin(), kAllIncidentKinds.end());
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](IncidentKind a, IncidentKind b) { return severity(a) < severity(b); });
    for (const IncidentKind kind : kinds) {
      const bool known =
          std::any_of(said.begin(), said.end(), [&](const Mark& m) { return m.glyph == glyph_of(kind); });
      if (!known) said.push_back(markOf(kind, fromText(title(kind)).toLower().toLatin1().constData()));
    }
    return said;
  }();
  return all;
}

bool expectsSome(const Expectations& expected, const std::string& field) {
  const auto found = expected.fields.find(field);
  if (found == expected.fields.end()) return false;
  const Expectation& e = found->second;
  return e.is_true || (e.comparison != Comparison::kAtMost && e.value > 0);
}

Expectations unfenced(const Scenario& scenario) {
  Expectations merged = scenario.expected;
  for (const auto& [field, expectation] : scenario.expected_unfenced.fields) merged.fields[field] = expectation;
  return merged;
}

QString wordsFor(const Expectations& expected) {
  QStringList words;
  for (const Mark& mark : marks())
    if (expectsSome(expected, mark.field) && !words.contains(mark.words)) words << mark.words;
  return words.isEmpty() ? QStringLiteral("nothing unsafe") : words.join(QStringLiteral(", "));
}

}  // namespace

Glyph telling(const Expectations& expected) {
  for (const Mark& mark : marks())
    if (expectsSome(expected, mark.field)) return mark.glyph;
  return Glyph::kNone;
}

Glyph telling(const IncidentList& incidents) {
  const auto place = [](const Incident& incident) {
    const std::vector<Mark>& all = marks();
    return std::find_if(all.begin(), all.end(),
                        [&](const Mark& each) { return each.glyph == glyph_of(incident.kind); });
  };
  const auto first = std::min_element(incidents.begin(), incidents.end(),
                                      [&](const Incident& a, const Incident& b) { return place(a) < place(b); });
  return first == incidents.end() ? Glyph::kNone : glyph_of(first->kind);
}

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
          ? QStringLiteral("It does not say what is expected.")
          : QStringLiteral("Without fence: %1.\nWith fence: %2.").arg(wordsFor(without), wordsFor(scenario.expected));
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
      return QStringLiteral("%1. %2. %3%4")
          .arg(row.name, row.title, row.expects, !row.stores.isEmpty() ? QStringLiteral(" Can run live.") : QString());
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
          row.disturbed, row.expected, row.met.join(u' '), !row.stores.isEmpty() ? QStringLiteral("live") : QString()}
          .join(u'\n');
    case kAboutRole:
      return row.about.isEmpty() ? row.title : row.about;
    case kExpectsRole:
      return row.expects;
    case kLiveRole:
      return !row.stores.isEmpty();
    case kStoresRole:
      return row.stores;
    default:
      return {};
  }
}

}  // namespace leasescope
