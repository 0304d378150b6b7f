#include "simulator/scenario/expectation.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/time/duration_text.h"

namespace leasescope {
namespace {

constexpr std::string_view kIncidents = "incidents.";

struct Field {
  std::string_view name;
  std::int64_t (*read)(const Summary&);
  bool duration = false;
};

template <auto member>
std::int64_t count(const Summary& summary) {
  return static_cast<std::int64_t>(summary.*member);
}
template <auto member>
std::int64_t nanoseconds(const Summary& summary) {
  return (summary.*member).count();
}

constexpr std::array<Field, 17> kFields{{{"contenders", count<&Summary::contenders>},
                                         {"acquisitions", count<&Summary::acquisitions>},
                                         {"renewals", count<&Summary::renewals>},
                                         {"handoffs", count<&Summary::handoffs>},
                                         {"leaderless_seconds", nanoseconds<&Summary::leaderless>, true},
                                         {"unobserved_seconds", nanoseconds<&Summary::unobserved>, true},
                                         {"belief_overlap_seconds", nanoseconds<&Summary::belief_overlap>, true},
                                         {"double_grants", count<&Summary::double_grants>},
                                         {"stale_writes_rejected", count<&Summary::stale_writes_rejected>},
                                         {"stale_writes_accepted", count<&Summary::stale_writes_accepted>},
                                         {"tokenless_writes_refused", count<&Summary::tokenless_writes_refused>},
                                         {"late_releases_refused", count<&Summary::late_releases_refused>},
                                         {"fence_regressions", count<&Summary::fence_regressions>},
                                         {"transfers", count<&Summary::transfers>},
                                         {"transfers_duplicated", count<&Summary::transfers_duplicated>},
                                         {"transfers_lost", count<&Summary::transfers_lost>},
                                         {"illegal_mutexes", count<&Summary::illegal_mutexes>}}};

const Field* find_field(const std::string& name) {
  for (const Field& field : kFields)
    if (field.name == name) return &field;
  return nullptr;
}

int find_incident(const std::string& name) {
  if (name.rfind(kIncidents, 0) != 0) return -1;
  for (int i = 0; i < kIncidentKinds; ++i)
    if (text(static_cast<IncidentKind>(i)) == name.substr(kIncidents.size())) return i;
  return -1;
}

std::string shown(const std::string& field, std::int64_t value) {
  return is_duration_field(field) ? format_seconds(Duration(value)) + " s" : fmt::format("{}", value);
}

bool compare(Comparison comparison, std::int64_t got, std::int64_t wanted) {
  switch (comparison) {
    case Comparison::kEqual:
      return got == wanted;
    case Comparison::kAtLeast:
      return got >= wanted;
    case Comparison::kAtMost:
      return got <= wanted;
  }
  return false;
}

}  // namespace

bool is_expectable(const std::string& field) { return find_field(field) != nullptr || find_incident(field) >= 0; }

const std::vector<std::string>& expectable_fields() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    names.reserve(kFields.size() + kIncidentKinds);
    for (const Field& field : kFields) names.emplace_back(field.name);
    for (int i = 0; i < kIncidentKinds; ++i)
      names.push_back(std::string(kIncidents) + std::string(text(static_cast<IncidentKind>(i))));
    return names;
  }();
  return all;
}

bool is_duration_field(const std::string& field) {
  const Field* found = find_field(field);
  return found != nullptr && found->duration;
}

std::int64_t value_of(const Summary& summary, const std::string& field) {
  if (const Field* found = find_field(field)) return found->read(summary);
  const int incident = find_incident(field);
  return incident < 0 ? 0 : static_cast<std::int64_t>(summary.incidents[static_cast<std::size_t>(incident)]);
}

bool holds(const Expectation& expectation, const LeaseTerms& terms, const Summary& summary) {
  const std::int64_t got = value_of(summary, expectation.field);
  if (expectation.is_true) return got > 0;
  const bool time = is_duration_field(expectation.field);
  return compare(expectation.comparison, got, time ? expectation.time.under(terms).count() : expectation.value);
}

tl::expected<Expectation, std::string> parse_expectation(const std::string& field, const std::string& text) {
  Expectation out;
  out.field = field;
  out.text = text;
  std::string_view rest = text;
  if (rest == "true") {
    out.is_true = true;
    return out;
  }
  if (rest == "false") rest = "0";
  if (rest.rfind(">=", 0) == 0 || rest.rfind("<=", 0) == 0) {
    out.comparison = rest[0] == '>' ? Comparison::kAtLeast : Comparison::kAtMost;
    rest.remove_prefix(2);
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  }
  if (is_duration_field(field)) {
    const auto time = parse_time_expression(rest == "0" ? "0s" : rest);
    if (!time) return tl::make_unexpected(fmt::format("{} is a time: {}", field, time.error()));
    out.time = *time;
    return out;
  }
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), out.value);
  if (error != std::errc() || end != rest.data() + rest.size())
    return tl::make_unexpected(
        fmt::format("\"{}\" says nothing about {}: expected a number, true, \">= 1\" or \"<= 3\"", text, field));
  return out;
}

Expectations overlay(const Expectations& base, const Expectations& over) {
  Expectations out = base;
  for (const auto& [field, expectation] : over.fields) out.fields[field] = expectation;
  if (!over.valid_for.empty()) out.valid_for = over.valid_for;
  return out;
}

Judgement judge(const Expectations& expectations, const LeaseTerms& terms, const Summary& summary) {
  Judgement out;
  for (const auto& [field, expectation] : expectations.fields) {
    if (expectation.share) continue;  // true for a share of seeds: a single run is not judged by it
    if (!out.as_expected) out.as_expected = true;
    if (holds(expectation, terms, summary)) continue;
    out.as_expected = false;
    out.reasons.push_back(fmt::format("{} is {}, expected {}", field, shown(field, value_of(summary, field)),
                                      expectation.is_true ? "more than none" : expectation.text));
  }
  return out;
}

}  // namespace leasescope
