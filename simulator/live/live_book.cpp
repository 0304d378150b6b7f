#include "simulator/live/live_book.h"

#include <utility>

#include "core/base/expect.h"
#include "simulator/live/held_book.h"
#include "simulator/live/node_book.h"
#include "simulator/live/quorum_book.h"
#include "simulator/live/register_book.h"
#include "simulator/live/session_book.h"

namespace leasescope {

std::unique_ptr<LiveBook> make_book(Family family, const LiveBook::Facts& facts, LiveBook::Record record,
                                    LiveBook::IsOurs is_ours) {
  if (family == Family::kNodes) return std::make_unique<NodeBook>(facts, std::move(record));
  if (family == Family::kRegister) return std::make_unique<RegisterBook>(facts, std::move(record), std::move(is_ours));
  if (family == Family::kSession) return std::make_unique<SessionBook>(facts, std::move(record));
  if (family == Family::kQuorum) return std::make_unique<QuorumBook>(facts, std::move(record));
  expect(family == Family::kLease, "no book for this family");
  return std::make_unique<HeldBook>(facts, std::move(record), std::move(is_ours));
}

}  // namespace leasescope
