#include "ui/models/scenario_list_model.h"

#include <algorithm>

#include "simulator/scenario/catalogue.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

struct Mark {
  const char* field;
  Glyph glyph;
  const char* words;
};
constexpr Mark kStaleAccepted{"stale_writes_accepted", glyph_of(IncidentKind::kStaleWriteAccepted),
                              "a stale write is accepted"};
constexpr Mark kDoubleGrant{"double_grants", glyph_of(IncidentKind::kDoubleGrant), "granted twice"};
constexpr Mark kRegression{"fence_regressions", glyph_of(IncidentKind::kFenceRegression), "the fence goes back"};
constexpr Mark kRejected{"stale_writes_rejected", glyph_of(IncidentKind::kStaleWriteRejected),
                         "the stale write is rejected"};
constexpr Mark kTokenless{"incidents.tokenless_refused", glyph_of(IncidentKind::kTokenlessRefused),
                          "writes without a token are refused"};
constexpr Mark kOverlap{"incidents.belief_overlap", glyph_of(IncidentKind::kBeliefOverlap), "two believe"};
constexpr Mark kOverlapTime{"belief_overlap_seconds", glyph_of(IncidentKind::kBeliefOverlap), "two believe"};
constexpr Mark kLeaderless{"incidents.leaderless", glyph_of(IncidentKind::kLeaderless), "nobody leads"};
constexpr Mark kFlapping{"incidents.flapping", glyph_of(IncidentKind::kFlapping), "the lock flaps"};
constexpr Mark kLate{"incidents.late_renewal", glyph_of(IncidentKind::kLateRenewal), "a renewal is refused"};

// In the order in which a reader wants to know: what broke, then what the fence caught, then the rest.
constexpr Mark kMarks[] = {kStaleAccepted, kDoubleGrant, kRegression, kRejected, kTokenless,
                           kOverlap,       kOverlapTime, kLeaderless, kFlapping, kLate};

bool expectsSome(const Expectations& expected, const char* field) {
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
  for (const Mark& mark : kMarks) {
    const QString text = QString::fromLatin1(mark.words);
    if (expectsSome(expected, mark.field) && !words.contains(text)) words << text;
  }
  return words.isEmpty() ? QStringLiteral("nothing unsafe") : words.join(QStringLiteral(", "));
}

}  // namespace

Glyph telling(const Expectations& expected) {
  for (const Mark& mark : kMarks)
    if (expectsSome(expected, mark.field)) return mark.glyph;
  return Glyph::kNone;
}

// Kinds that no mark foretells come after those, the worst first.
Glyph telling(const IncidentList& incidents) {
  const auto place = [](const Incident& incident) {
    const auto mark = std::find_if(std::begin(kMarks), std::end(kMarks),
                                   [&](const Mark& each) { return each.glyph == glyph_of(incident.kind); });
    return std::pair{mark - std::begin(kMarks), severity(incident.kind)};
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
  row.live = scenario.worlds().size() > 1;
  for (const FaultTable& fault : scenario.faults) row.disturbed += fromText(fault.kind) + u' ';
  for (const auto& [field, expectation] : without.fields)
    if (expectsSome(without, field.c_str())) row.expected += fromText(field) + u' ';
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
  for (const BuiltIn& builtIn : built_in_scenarios())
    if (const auto scenario = read_scenario(builtIn.toml, builtIn.name)) {
      rows.push_back(rowFor(*scenario, fromText(builtIn.name)));
      rows.back().name = fromText(builtIn.name);
    }
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
          .arg(row.name, row.title, row.expects, row.live ? QStringLiteral(" Can run live.") : QString());
    case kTitleRole:
      return row.title;
    case kSourceRole:
      return row.source;
    case kWithoutRole:
      return static_cast<int>(row.without);
    case kWithRole:
      return static_cast<int>(row.with);
    case kSearchRole:
      return QStringList{row.name,      row.title,    row.about,          row.expects,
                         row.disturbed, row.expected, row.met.join(u' '), row.live ? QStringLiteral("live") : QString()}
          .join(u'\n');
    case kAboutRole:
      return row.about.isEmpty() ? row.title : row.about;
    case kExpectsRole:
      return row.expects;
    case kLiveRole:
      return row.live;
    default:
      return {};
  }
}

}  // namespace leasescope
