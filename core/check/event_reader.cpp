#include "core/check/event_reader.h"

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::check {
namespace {

bool is_fault(EventKind kind) { return kind == EventKind::kFaultBegan || kind == EventKind::kFaultEnded; }

// By the word; nothing when the kind is none of those that matter.
std::optional<EventKind> kind_of(std::string_view word) {
  for (int of = 0; of < kEventKinds; ++of) {
    const auto kind = static_cast<EventKind>(of);
    if (text(kind) == word && (RunCalls::of_an_application(kind) || is_fault(kind))) return kind;
  }
  return std::nullopt;
}

}  // namespace

Read<void> EventReader::add(const Value& map) {
  if (map.kind != Value::kMap) return wrong(map, fmt::format("expected an event, not {}", shown(map)));
  map_ = &map;
  const Value* const kind = at("kind");
  if (kind == nullptr || kind->kind != Value::kText) return wrong(map, "expected \"kind\": what happened");
  const auto known = kind_of(kind->text);
  if (!known) return {};
  RunCalls::Told told;
  told.kind = *known;
  told.written = map.place;
  told.sequence = number("seq", true);
  told.lo = time("lo_ns");
  told.hi = time("hi_ns");
  if (!error_ && told.hi < told.lo)
    fail(at("hi_ns")->place,
         fmt::format("expected \"hi_ns\": {} ns, its \"lo_ns\", or later, not {} ns", told.lo, told.hi));
  told.node = word("node");
  told.mutex = word("mutex");
  told.token = static_cast<Token>(count("token", INT64_MAX));
  told.lease = number("lease_ns", *known == EventKind::kGranted || *known == EventKind::kRenewed);
  if (*known == EventKind::kAttempt && word("result") == text(AttemptResult::kWon))
    told.lease = number("remaining_ns", true);
  told.permits = static_cast<std::uint32_t>(count("permits", UINT32_MAX));
  const bool called = *known == EventKind::kInvoked || *known == EventKind::kReturned;
  told.uid = static_cast<std::uint64_t>(number("uid", called));
  if (called) told.operation = operation();
  if (*known == EventKind::kReturned) {
    told.ending = ending();
    expect_after_its_call(told);
  }
  if (*known == EventKind::kGranted && at("how") != nullptr) {
    const bool stolen_again = word("how") == text(GrantKind::kStolenAgain);
    told.again = stolen_again || word("how") == text(GrantKind::kRestored);
    told.stolen = stolen_again || word("how") == text(GrantKind::kStolen);
  }
  if (is_fault(*known))
    calls_.annotate(told.lo, fmt::format("{} {} {}", word("fault"),
                                         *known == EventKind::kFaultBegan ? "began at" : "ended at", told.node));
  if (error_) return tl::make_unexpected(*error_);
  calls_.add(told);
  return {};
}

void EventReader::fail(Place place, std::string what) {
  if (!error_) error_ = ReadError{place, std::move(what)};
}

std::int64_t EventReader::number(std::string_view key, bool needed) {
  const Value* const value = at(key);
  if (value != nullptr && value->kind == Value::kInteger) return value->number;
  if (value != nullptr || needed)
    fail(value == nullptr ? map_->place : value->place, fmt::format("expected \"{}\": a whole number", key));
  return 0;
}

// 0 where it is not written.
std::int64_t EventReader::count(std::string_view key, std::int64_t most) {
  const std::int64_t read = number(key, false);
  if (read < 0 || read > most)
    fail(at(key)->place, fmt::format("expected \"{}\": a whole number from 0 to {}", key, most));
  return read;
}

std::int64_t EventReader::time(std::string_view key) {
  const std::int64_t ns = number(key, true);
  if (!is_time(ns)) fail(at(key)->place, fmt::format("expected \"{}\": {}", key, range_of_times()));
  return ns;
}

void EventReader::expect_after_its_call(const RunCalls::Told& told) {
  const std::optional<Moment> called = calls_.called_at(told.node, told.uid);
  if (error_ || !called || *called <= Moment{told.hi, told.sequence}) return;
  const std::string expected =
      told.hi < called->ns ? fmt::format("at {} ns, the time of the call, or later, not at {} ns", called->ns, told.hi)
                           : fmt::format("after the call, whose \"seq\" is {}, not of \"seq\" {} at the same time",
                                         called->place, told.sequence);
  fail(at("hi_ns")->place, "expected a return " + expected);
}

std::string_view EventReader::word(std::string_view key) {
  const Value* const value = at(key);
  if (value != nullptr && value->kind == Value::kText) return value->text;
  fail(value == nullptr ? map_->place : value->place, fmt::format("expected \"{}\": a text", key));
  return "";
}

Operation EventReader::operation() {
  const std::string_view written = word("operation");
  const auto known = operation_of(written);
  if (!known) fail(map_->place, fmt::format("expected an operation, not {}", escaped(written, 40)));
  return known.value_or(Operation::kLock);
}

Ending EventReader::ending() {
  const std::string_view written = word("ending");
  for (const Ending one : {Ending::kOk, Ending::kFailed, Ending::kUnknown})
    if (text(one) == written) return one;
  fail(map_->place, fmt::format("expected \"ending\": ok, failed or unknown, not {}", escaped(written, 40)));
  return Ending::kUnknown;
}

}  // namespace leasescope::check
