#include "ui/models/foretold.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Foretold)
};

struct Mark {
  std::string field;
  IncidentKind kind;
  QString words;
};

Mark markOf(IncidentKind kind, const QString& words, const char* field = nullptr) {
  return {field != nullptr ? std::string(field) : "incidents." + std::string(text(kind)), kind, words};
}

// In the order of foretold(); a kind that is told by two fields has two.
const std::vector<Mark>& marks() {
  static const std::vector<Mark> all = [] {
    std::vector<Mark> said{
        markOf(IncidentKind::kStaleWriteAccepted, Say::tr("a stale write is accepted"), "stale_writes_accepted"),
        markOf(IncidentKind::kDoubleGrant, Say::tr("granted twice"), "double_grants"),
        markOf(IncidentKind::kFenceRegression, Say::tr("the fence goes back"), "fence_regressions"),
        markOf(IncidentKind::kStaleWriteRejected, Say::tr("the stale write is rejected"), "stale_writes_rejected"),
        markOf(IncidentKind::kTokenlessRefused, Say::tr("writes without a token are refused")),
        markOf(IncidentKind::kBeliefOverlap, Say::tr("two believe")),
        markOf(IncidentKind::kBeliefOverlap, Say::tr("two believe"), "belief_overlap_seconds"),
        markOf(IncidentKind::kLeaderless, Say::tr("nobody leads")),
        markOf(IncidentKind::kFlapping, Say::tr("the lock flaps")),
        markOf(IncidentKind::kLateRenewal, Say::tr("a renewal is refused")),
    };
    std::vector<IncidentKind> kinds(kAllIncidentKinds.begin(), kAllIncidentKinds.end());
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](IncidentKind a, IncidentKind b) { return severity(a) < severity(b); });
    for (const IncidentKind kind : kinds) {
      const bool known = std::any_of(said.begin(), said.end(), [&](const Mark& m) { return m.kind == kind; });
      if (!known) said.push_back(markOf(kind, fromText(title(kind)).toLower()));
    }
    return said;
  }();
  return all;
}

const Mark& firstOf(IncidentKind kind) {
  return *std::find_if(marks().begin(), marks().end(), [&](const Mark& m) { return m.kind == kind; });
}

}  // namespace

Expectations unfenced(const Scenario& scenario) { return overlay(scenario.expected, scenario.expected_unfenced); }

bool expectsSome(const Expectations& expected, const std::string& field) {
  const auto found = expected.fields.find(field);
  if (found == expected.fields.end()) return false;
  const Expectation& e = found->second;
  return e.is_true || (e.comparison != Comparison::kAtMost && e.value > 0);
}

std::optional<IncidentKind> kindOf(const std::string& field) {
  for (const Mark& mark : marks())
    if (mark.field == field) return mark.kind;
  for (const IncidentKind kind : kAllIncidentKinds)
    if (field == "incidents." + std::string(text(kind))) return kind;  // which has a shorter field too
  return std::nullopt;
}

std::vector<IncidentKind> foretold(const Expectations& expected) {
  std::vector<IncidentKind> out;
  for (const Mark& mark : marks())
    if (expectsSome(expected, mark.field) && std::find(out.begin(), out.end(), mark.kind) == out.end())
      out.push_back(mark.kind);
  return out;
}

QString foretoldText(const Expectations& expected) {
  QStringList words;
  for (const IncidentKind kind : foretold(expected)) words << firstOf(kind).words;
  return words.isEmpty() ? Say::tr("nothing unsafe") : words.join(QStringLiteral(", "));
}

Glyph telling(const Expectations& expected) {
  const std::vector<IncidentKind> kinds = foretold(expected);
  return kinds.empty() ? Glyph::kNone : glyph_of(kinds.front());
}

Glyph telling(const IncidentList& incidents) {
  const auto place = [](const Incident& incident) { return &firstOf(incident.kind); };
  const auto first = std::min_element(incidents.begin(), incidents.end(),
                                      [&](const Incident& a, const Incident& b) { return place(a) < place(b); });
  return first == incidents.end() ? Glyph::kNone : glyph_of(first->kind);
}

}  // namespace leasescope
