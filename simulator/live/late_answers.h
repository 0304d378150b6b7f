// Reads what a server answers when its client has gone: nobody else can tell what became of a late release.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/store/url.h"

namespace leasescope {

class LateAnswers {
 public:
  virtual ~LateAnswers() = default;

  // Of the releases answered in these bytes, in their order: whether each has freed its lease. What else is answered
  // is left out, and everything after bytes that make no sense.
  virtual std::vector<bool> releases(std::string_view bytes) = 0;
};

// Redis: a release is answered by a number, other lease calls by a list. PostgreSQL: by a row of one boolean.
std::unique_ptr<LateAnswers> make_late_answers(StoreKind kind);

}  // namespace leasescope
