// Reads the events of a run's history, as far as they tell of calls.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/check/run_calls.h"
#include "core/check/value_fields.h"

namespace leasescope::check {

class EventReader {
 public:
  // `as_told`: RunCalls::take_as_told.
  EventReader(bool grants, bool as_told) : calls_(grants) {
    if (as_told) calls_.take_as_told();
  }
  Read<void> add(const Value& map);
  Calls calls() const { return calls_.calls(); }

 private:
  const Value* at(std::string_view key) const { return value_at(*map_, key); }
  void fail(Place place, std::string what);
  std::int64_t number(std::string_view key, bool needed);
  std::int64_t count(std::string_view key, std::int64_t most);
  std::int64_t time(std::string_view key);
  void expect_after_its_call(const RunCalls::Told& told);
  std::string_view word(std::string_view key);
  Operation operation();
  Ending ending();

  RunCalls calls_;
  const Value* map_ = nullptr;
  std::optional<ReadError> error_;
};

}  // namespace leasescope::check
