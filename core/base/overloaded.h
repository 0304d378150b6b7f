// One visitor of several functions: std::visit tells a variant's alternatives apart once, where a loop of std::get_if
// would test each.
#pragma once

namespace leasescope {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace leasescope
