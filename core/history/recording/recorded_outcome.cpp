#include "core/history/recording/recorded_outcome.h"

#include <cstdlib>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::int64_t kMostReasons = 10'000;

void put_legality(const RecordedOutcome::Legality& legal, FactWriter& facts) {
  facts.put("legality.model", legal.model);
  facts.put("legality.n", legal.n);
  facts.put("legality.eps_ns", legal.eps_ns);
  facts.put_unsigned("legality.calls", legal.calls);
  facts.put_unsigned("legality.illegal", legal.illegal);
  facts.put_unsigned("legality.undecided", legal.undecided);
  facts.put("legality.since_ns", legal.since_ns);
  facts.put("legality.reason", legal.reason);
  facts.put("legality.excused", static_cast<std::int64_t>(legal.excused));
  facts.put("legality.too_many", static_cast<std::int64_t>(legal.too_many));
}

RecordedOutcome::Legality legality_of(const Facts& facts) {
  RecordedOutcome::Legality legal;
  legal.model = facts.text_or_empty("legality.model");
  legal.n = static_cast<std::uint32_t>(facts.number_or("legality.n", 0, UINT32_MAX, 0));
  legal.eps_ns = facts.number_or("legality.eps_ns", 0, INT64_MAX, 0);
  legal.calls = facts.unsigned_or_zero("legality.calls");
  legal.illegal = facts.unsigned_or_zero("legality.illegal");
  legal.undecided = facts.unsigned_or_zero("legality.undecided");
  legal.since_ns = facts.number_or("legality.since_ns", INT64_MIN, INT64_MAX, INT64_MAX);
  legal.reason = facts.text_or_empty("legality.reason");
  legal.excused = facts.number_or("legality.excused", 0, 1, 0) != 0;
  legal.too_many = facts.number_or("legality.too_many", 0, 1, 0) != 0;
  return legal;
}

}  // namespace

void put_outcome(const RecordedOutcome& outcome, FactWriter& facts) {
  facts.put("outcome.simulated_ns", outcome.simulated_ns);
  facts.put("outcome.wall_ns", outcome.wall_ns);
  facts.put_unsigned("outcome.inputs", outcome.inputs);
  if (outcome.trace_hash) facts.put("outcome.trace_hash", fmt::format("{:016x}", *outcome.trace_hash));
  if (outcome.forked_at_ns) facts.put("outcome.forked_at_ns", *outcome.forked_at_ns);
  if (outcome.as_expected) facts.put("outcome.as_expected", static_cast<std::int64_t>(*outcome.as_expected));
  facts.put("outcome.not_judged", outcome.not_judged);
  facts.put("outcome.reasons", static_cast<std::int64_t>(outcome.reasons.size()));
  for (std::size_t i = 0; i < outcome.reasons.size(); ++i)
    facts.put(fmt::format("outcome.reason.{}", i), outcome.reasons[i]);
  if (outcome.legal) put_legality(*outcome.legal, facts);
}

std::optional<RecordedOutcome> outcome_of(const Facts& facts) {
  if (!facts.has("outcome.simulated_ns")) return std::nullopt;
  RecordedOutcome out;
  out.simulated_ns = facts.number_or("outcome.simulated_ns", 0, INT64_MAX, 0);
  out.wall_ns = facts.number_or("outcome.wall_ns", 0, INT64_MAX, 0);
  out.inputs = facts.unsigned_or_zero("outcome.inputs");
  if (const auto hash = facts.text("outcome.trace_hash")) out.trace_hash = std::strtoull(hash->c_str(), nullptr, 16);
  out.forked_at_ns = facts.number("outcome.forked_at_ns");
  if (facts.has("outcome.as_expected")) out.as_expected = facts.number_or("outcome.as_expected", 0, 1, 0) != 0;
  out.not_judged = facts.text_or_empty("outcome.not_judged");
  const std::int64_t reasons = facts.number_or("outcome.reasons", 0, kMostReasons, 0);
  for (std::int64_t i = 0; i < reasons; ++i)
    out.reasons.push_back(facts.text_or_empty(fmt::format("outcome.reason.{}", i)));
  if (facts.has("legality.model")) out.legal = legality_of(facts);
  return out;
}

}  // namespace leasescope
