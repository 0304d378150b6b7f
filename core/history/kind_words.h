// What kind of event it is, in the words of window and filter: "granted", "attempt lost", "pause began".
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/history/event.h"
#include "core/history/legend.h"

namespace leasescope {

// Of a fault the words of the legend; "fault began" where the legend does not know it.
std::string kind_words(const Legend& legend, const Event& event);
// Equal for events of which kind_words() says the same; in their order kinds stand beside their like.
std::uint32_t kind_key(const Event& event);

// How it came out: "won", "lost", "rejected", "ok"; "" of what has no outcome.
std::string_view outcome_words(const Event& event);
// Equal for events of which kind_words() and outcome_words() say the same.
std::uint32_t outcome_key(const Event& event);

}  // namespace leasescope
