// What a fault of a scenario does to one way between a contender and its store, as a toxic of the proxy there.
#pragma once
#include <functional>
#include <memory>
#include <string_view>

#include "simulator/live/toxics/toxic.h"

namespace leasescope {

// Whose way it is.
struct LinkEnd {
  // It is served: else what goes to and fro is a login, of which virtual time knows nothing. That is late as the rest
  // is, and never lost, doubled or out of its order.
  std::function<bool()> served;
  // A message that nobody asked for is lost, and what it said.
  std::function<void(std::string_view)> lost;
};

// `number` tells the toxics of one proxy apart; `direction` is one of the two.
std::unique_ptr<Toxic> make_link_toxic(int number, LinkDirection direction, const LinkTrouble& trouble,
                                       RandomStream draws, LinkEnd end);

}  // namespace leasescope
