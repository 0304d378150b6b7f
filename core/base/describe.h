// Terms that describe their keys to whoever reads, writes or explains them. A type of terms is a plain value with
//
//   template <class Keys>
//   static void describe(Keys& keys) {
//     keys.number("limit", &FencedTerms::limit, 0, 1000, "what it means");      an integer and its range
//     keys.truth("fair", &FencedTerms::fair, "…");
//     keys.share("loss", &Terms::loss_ppm, "…");                               0 to 1, kept in millionths
//     keys.span("heartbeat", &FencedTerms::heartbeat, 1ms, "…");               a duration, and the least
//     keys.word("form", &QuorumTerms::form, {{"specified", Form::kSpecified, kWeak}, {"corrected", Form::kCorrected}},
//               "…");
//     keys.number("permits", &CasTerms::permits, 1, 64, "…", &CasTerms::semaphore);   of use only while that is so
//   }
//
// and nothing where it has no keys. A key is one line. A word that is weak breaks what a lock promises by itself: no
// swarm draws it. What a key is of use for says `bool semaphore() const` of the terms of its system, or of itself where
// it has none: elsewhere it may be given, and nobody is asked for it.
#pragma once
#include <string_view>
#include <type_traits>
#include <vector>

namespace leasescope {

inline constexpr bool kWeak = true;

template <class Value>
struct Word {
  std::string_view text;
  Value value{};
  bool weak = false;
};
template <class Value>
using Words = std::type_identity_t<std::vector<Word<Value>>>;

}  // namespace leasescope
