// The words in which a store refused, as a history keeps them: one line each, not too long, and not without end.
#pragma once
#include <set>
#include <string>
#include <string_view>

#include "core/base/escaped.h"

namespace leasescope {

class ErrorWords {
 public:
  static constexpr std::size_t kLongest = 200;
  static constexpr std::size_t kMost = 64;  // that differ

  // What to write down for it: the same words for the same error. Once there are too many, one word for all the others.
  std::string kept(std::string_view error) {
    std::string words = escaped(error.substr(0, error.find_first_of("\r\n")), kLongest);
    if (words.empty()) words = "an error without words";
    if (known_.count(words) != 0) return words;
    if (known_.size() >= kMost) return "other errors";
    return *known_.insert(words).first;
  }

 private:
  std::set<std::string> known_;
};

}  // namespace leasescope
