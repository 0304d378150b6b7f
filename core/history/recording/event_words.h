// The words for the numbers of events: a recording has them inside, and who reads one goes by them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/event.h"

namespace leasescope {

// How many details a kind has, from 0; 1 where it means nothing. Of a fault's it is the place in the legend.
int details_of(EventKind kind);

// All that a recording has inside: of each kind its own, and then those of its details, if it has any.
struct EventWord {
  static constexpr int kOfKind = -1;
  int kind = 0;
  int detail = kOfKind;
  std::string_view word;
};
std::vector<EventWord> event_words();

// Whether a or b is the handle of a name.
bool names_in_a(const Event& event);
bool names_in_b(const Event& event);

// From the numbers of a file to ours.
class EventWords {
 public:
  // Each as the file tells it, which may have words that we do not know; false when it tells one twice, or no number.
  bool add_kind(std::int64_t number, std::string_view word);
  bool add_detail(std::int64_t kind, std::int64_t number, std::string_view word);

  // Puts our numbers in place of the file's. What is wrong with the first that cannot be understood; empty: nothing.
  std::string translate(Event* events, std::size_t count, std::size_t names) const;

 private:
  static constexpr std::uint8_t kUnknown = 0xff;
  struct Kind {
    std::uint8_t ours = kUnknown;
    bool detailed = false;                   // the file has words for its details
    std::array<std::uint8_t, 32> details{};  // ours + 1, by the file's number; 0: none
  };
  std::array<Kind, 256> kinds_{};
  std::uint64_t told_ = 0;  // of ours, as bits
};

}  // namespace leasescope
