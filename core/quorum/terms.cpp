#include "core/quorum/terms.h"

#include <fmt/format.h>

namespace leasescope {

std::string QuorumTerms::advice() const {
  if (servers % 2 != 0) return {};
  return fmt::format(
      "quorum.servers is {0}: a majority of {0} servers is {1}, so that {2} may fail, no more than of {3}; "
      "one of them is wasted",
      servers, majority(), servers - majority(), servers - 1);
}

}  // namespace leasescope
