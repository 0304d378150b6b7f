// Of a recording only what is about some of its mutexes: `--mutex`.
#pragma once
#include <string>
#include <vector>

#include "core/history/history.h"

namespace leasescope {

class ChosenMutexes {
 public:
  // Names at their stores, with a store or without; '*' and '?' as in a shell. Empty: all of them.
  explicit ChosenMutexes(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}

  bool all() const { return patterns_.empty(); }
  const std::vector<std::string>& patterns() const { return patterns_; }
  // Of the events from that place on, which follow those it was given before, it leaves what is about the chosen ones
  // and what is about no mutex. They are counted anew from `first` on, and so are their causes.
  void filter(std::vector<Event>& events, std::size_t from, const NameTable& names, Sequence first);
  // Whether the mutex of that title is one of them.
  bool picks(std::string_view title) const;
  // Why the choice cannot be met, once all events have come: no mutex is called so. Empty: each pattern has one.
  std::string problem(const std::string& recording, const NameTable& names) const;

 private:
  enum class Choice : std::uint8_t { kUnknown, kIn, kOut };
  bool is_in(Name mutex, const NameTable& names);

  std::vector<std::string> patterns_;
  std::vector<Choice> choices_;    // by the mutex's handle
  std::vector<Sequence> numbers_;  // new ones, by place among all events; 0: it is left out
  Sequence given_ = 0;             // so many were let through
};

}  // namespace leasescope
