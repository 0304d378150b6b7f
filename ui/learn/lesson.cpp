#include "ui/learn/lesson.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <type_traits>

#include "simulator/live/live_refusal.h"
#include "simulator/scenario/fault_fields.h"
#include "simulator/scenario/form.h"
#include "ui/models/foretold.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Lesson)
};

const QString kAnd = QStringLiteral(", ");

// A time in leases, and how long that is here.
QString measured(const QString& value, const LeaseTerms& terms) {
  const auto time = parse_time_expression(value.toStdString());
  return time && time->relative() ? Say::tr("%1 = %2").arg(value, spanText(time->under(terms))) : value;
}

// ---- how it is set up

// These stand elsewhere in the lesson.
bool isTold(std::string_view keyOfFile) {
  constexpr std::array<std::string_view, 5> kTold{"schema", "title", "about", "virtual_only", "needs_messages"};
  return std::find(kTold.begin(), kTold.end(), keyOfFile) != kTold.end();
}

QString titleOf(const Scenario& of, const TableName& table) {
  const auto place = static_cast<std::size_t>(std::max(table.place, 0));
  if (table.name.empty()) return Say::tr("Run");
  if (table.name == "mutex") return Say::tr("Mutex");
  if (table.name == "store") return Say::tr("Store: %1").arg(fromText(of.store.model));
  if (table.name == "contender") {
    const ContenderTable& who = of.contenders[place];
    return Say::tr("Contenders: %1 × %2").arg(who.count).arg(fromText(who.title()));
  }
  if (table.name == "resource") return Say::tr("Resource: %1").arg(fromText(of.resources[place].name));
  return fromText(table.name);
}

std::vector<LessonTable> setUpOf(const Scenario& of) {
  std::vector<LessonTable> out;
  each_table(of, [&](const TableName& table, const auto& form, const auto& values) {
    LessonTable told{titleOf(of, table), {}};
    const std::decay_t<decltype(values)> usual{};
    for (const auto& key : form) {
      if ((table.name.empty() && isTold(key.name)) || (key.used && !key.used(of))) continue;
      if (!key.required && !key.truth && key.same(values, usual)) continue;
      if (const QString value = typedForm(key.write(values)); !value.isEmpty())
        told.keys.push_back({spaced(key.name), measured(value, of.terms()), fromText(key.about)});
    }
    out.push_back(std::move(told));
  });
  return out;
}

// ---- what happens to it

LessonFault faultOf(const Scenario& of, const FaultTable& row) {
  LessonFault out;
  out.what = spaced(row.kind);
  QStringList how;
  for (const FaultField& field : fault_fields(of, row)) {
    const QString value = measured(typedForm(field.value), of.terms());
    if (field.name == "at")
      out.when = value;
    else if (field.name == "target" && !value.isEmpty())
      out.what = Say::tr("%1 of %2").arg(out.what, value);
    else if (field.name != "kind" && !value.isEmpty())
      how << QStringLiteral("%1 %2").arg(spaced(field.name), value);
  }
  out.how = how.join(kAnd);
  if (const FaultKind* const kind = find_fault_kind(row.kind)) out.about = fromText(kind->about);
  return out;
}

// ---- what comes of it

QString expectedText(const Expectations& expected, const std::string& field, const LeaseTerms& terms) {
  const auto found = expected.fields.find(field);
  if (found == expected.fields.end()) return QStringLiteral("–");
  const Expectation& e = found->second;
  QString text = e.is_true                  ? Say::tr("some")
                 : is_duration_field(field) ? measured(fromText(e.time.text), terms)
                                            : countText(static_cast<std::uint64_t>(e.value));
  if (e.comparison == Comparison::kAtLeast) text.prepend(QStringLiteral("≥ "));
  if (e.comparison == Comparison::kAtMost) text.prepend(QStringLiteral("≤ "));
  return e.share ? Say::tr("%1, in %2 % of seeds").arg(text).arg(qRound(*e.share * 100)) : text;
}

QString nameOf(const std::string& field) {
  if (const auto kind = kindOf(field); kind && !is_duration_field(field)) return fromText(title(*kind));
  QString name = spaced(field);
  name[0] = name[0].toUpper();
  return name;
}

std::vector<LessonOutcome> outcomesOf(const Scenario& of, const Expectations& without) {
  Expectations either = without;
  for (const auto& [field, expectation] : of.expected.fields)
    if (expectsSome(of.expected, field)) either.fields[field] = expectation;
  const std::vector<IncidentKind> kinds = foretold(either);
  const auto rank = [&](const std::string& field) {
    const bool some = expectsSome(without, field) || expectsSome(of.expected, field);
    const auto kind = kindOf(field);
    return some && kind ? std::find(kinds.begin(), kinds.end(), *kind) - kinds.begin()
                        : static_cast<std::ptrdiff_t>(kinds.size());
  };
  std::vector<std::string> fields;
  for (const auto& [field, expectation] : without.fields) fields.push_back(field);
  std::stable_sort(fields.begin(), fields.end(),
                   [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  std::vector<LessonOutcome> out;
  for (const std::string& field : fields) {
    const bool wrong = rank(field) < static_cast<std::ptrdiff_t>(kinds.size());
    out.push_back({wrong ? glyph_of(*kindOf(field)) : Glyph::kNone, nameOf(field),
                   expectedText(without, field, of.terms()), expectedText(of.expected, field, of.terms())});
  }
  return out;
}

QString titles(const std::vector<IncidentKind>& kinds) {
  QStringList out;
  for (const IncidentKind kind : kinds) out << fromText(title(kind));
  return out.join(kAnd);
}

// The same scenario is its own twin: without the fence, and with it.
QStringList fenceOf(const Scenario& of, const Expectations& without) {
  const std::vector<IncidentKind> bare = foretold(without), fenced = foretold(of.expected);
  std::vector<IncidentKind> gone, instead, stays;
  for (const IncidentKind kind : bare)
    (std::find(fenced.begin(), fenced.end(), kind) == fenced.end() ? gone : stays).push_back(kind);
  for (const IncidentKind kind : fenced)
    if (std::find(bare.begin(), bare.end(), kind) == bare.end()) instead.push_back(kind);
  QStringList out;
  if (!gone.empty()) out << Say::tr("A fence at the resource prevents: %1.").arg(titles(gone));
  if (!instead.empty()) out << Say::tr("What is told in its place: %1.").arg(titles(instead));
  if (!stays.empty())
    out << (gone.empty() ? Say::tr("A fence changes nothing of: %1.") : Say::tr("It does not prevent: %1."))
               .arg(titles(stays));
  if (out.isEmpty()) out << Say::tr("Nothing is expected to go wrong, without a fence or with one.");
  return out;
}

}  // namespace

Lesson lessonOf(const Scenario& scenario) {
  const Expectations without = unfenced(scenario);
  Lesson out;
  out.name = fromText(scenario.name);
  out.title = fromText(scenario.title);
  out.about = fromText(scenario.about);
  out.system = fromText(scenario.mutex.system);
  out.setUp = setUpOf(scenario);
  for (const FaultTable& row : scenario.faults)
    if (row.enabled) out.faults.push_back(faultOf(scenario, row));
  out.outcomes = outcomesOf(scenario, without);
  out.fence = fenceOf(scenario, without);
  out.notLive = fromText(why_not_live(scenario));
  return out;
}

}  // namespace leasescope
