// What a scenario says will happen, and whether it did.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/summary.h"
#include "core/simba/lease_terms.h"
#include "simulator/scenario/time_expression.h"

namespace leasescope {

enum class Comparison : std::uint8_t { kEqual, kAtLeast, kAtMost };

// One condition on one summary field: a number, or a time where the field is one (then in ns).
struct Expectation {
  std::string field;  // "double_grants", "incidents.belief_overlap", "leaderless_seconds"
  Comparison comparison = Comparison::kEqual;
  std::int64_t value = 0;       // a count
  TimeExpression time;          // where the field is a time: measured under the terms of the run
  bool is_true = false;         // written as `true`: more than none
  std::string text;             // as written, e.g. ">= 1"
  std::optional<double> share;  // over seeds; a single run is then not judged by it

  bool operator==(const Expectation&) const = default;
};

// A setting under which the expectations hold: an inclusive range of times or of numbers, or a set of words.
struct ValidFor {
  std::string key;                   // "mutex.ttl", "contender.0.count", "contender.0.behaviour"
  TimeExpression from, to;           // of a time, under the terms of the run
  std::int64_t least = 0, most = 0;  // of a number
  std::vector<std::string> words;    // of a word

  bool operator==(const ValidFor&) const = default;
};

struct Expectations {
  std::map<std::string, Expectation> fields;
  std::vector<ValidFor> valid_for;
  bool enabled = true;  // else they are kept, and nothing is judged by them

  bool empty() const { return fields.empty(); }
  bool operator==(const Expectations&) const = default;
};

// The fields an expectation may name.
bool is_expectable(const std::string& field);
const std::vector<std::string>& expectable_fields();
bool is_duration_field(const std::string& field);
// The field's value: a count, or ns.
std::int64_t value_of(const Summary& summary, const std::string& field);
bool holds(const Expectation& expectation, const LeaseTerms& terms, const Summary& summary);
// From its written form: a number, `true`, or ">= 1", "<= 3s", "0".
tl::expected<Expectation, std::string> parse_expectation(const std::string& field, const std::string& text);
// `over` replaces the fields it names.
Expectations overlay(const Expectations& base, const Expectations& over);

struct Judgement {
  std::optional<bool> as_expected;   // none: not judged by a single run, or nothing was expected
  std::vector<std::string> reasons;  // one sentence for each condition that does not hold
};
Judgement judge(const Expectations& expectations, const LeaseTerms& terms, const Summary& summary);

}  // namespace leasescope
