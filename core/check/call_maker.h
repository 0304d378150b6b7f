// Makes calls of entries: one that begins and ends a call, or two.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "core/check/entry_reader.h"

namespace leasescope::check {

class CallMaker {
 public:
  Read<void> add(const Entry& entry);
  Read<Calls> finish();

 private:
  Moment moment(const Entry& entry, const std::optional<std::int64_t>& ns);
  Read<void> begin(const Entry& entry, const std::string& process);
  void details(const Entry& entry, Call& call);
  Read<void> end(const Entry& entry, std::size_t place, bool alone);

  Calls calls_;
  std::map<std::string, std::size_t> open_;
  std::int64_t order_ = 0;
  std::int64_t latest_ = 0;  // ns: where an annotation stands that has no time
  bool timed_ = false;
  std::optional<Place> untimed_;
};

}  // namespace leasescope::check
