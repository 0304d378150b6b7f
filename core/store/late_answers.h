// Reads what a server answers when its client has gone: nobody else can tell what became of a late release.
#pragma once
#include <string_view>
#include <vector>

namespace leasescope {

class LateAnswers {
 public:
  virtual ~LateAnswers() = default;

  // Of the releases answered in these bytes, in their order: whether each has freed its lease. What else is answered
  // is left out, and everything after bytes that make no sense.
  virtual std::vector<bool> releases(std::string_view bytes) = 0;
};

}  // namespace leasescope
