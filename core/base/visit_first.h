// std::visit for a variant that mostly holds its first alternative: that one is asked for before the switch over all,
// which is a jump that no processor foresees and no compiler looks through.
#pragma once
#include <variant>

namespace leasescope {

// Apart, so that what is seldom run does not lie between what always is.
template <class Visit, class Variant>
[[gnu::noinline]] decltype(auto) visit_others(Visit visit, Variant& variant) {
  return std::visit(visit, variant);
}

template <class Visit, class Variant>
decltype(auto) visit_first(Visit visit, Variant& variant) {
  if (auto* const first = std::get_if<0>(&variant)) [[likely]]
    return visit(*first);
  return visit_others(visit, variant);
}

}  // namespace leasescope
