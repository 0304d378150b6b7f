// What stands in a recording beside its events and names, in one number: by it is known whether anything of that was
// changed, be it a word of the legend, an incident or a fact.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/history/recording/database.h"

namespace leasescope {

inline constexpr std::int64_t kFirstFormWithFrameSum = 3;  // before it nobody knows

// Each row is summed up on its own, so that one that comes is added and one that goes is taken away: whoever writes
// need not look at all incidents each time.
struct FrameSums {
  std::uint64_t legend = 0;     // without its facts
  std::uint64_t incidents = 0;  // with their contenders and tokens
  std::uint64_t alerts = 0;
};
FrameSums frame_sums(Database& database);
std::uint64_t legend_sum(Database& database);
// Of those with a higher number than that.
std::uint64_t alerts_sum(Database& database, std::int64_t after);
// Of one incident as it is written now, with its contenders and tokens; 0: there is none of that number.
class IncidentSum {
 public:
  explicit IncidentSum(Database& database);
  std::uint64_t of(std::size_t number);

 private:
  Statement incident_, contenders_, tokens_;
};

// Beside these the summary and all facts, which are few and looked at each time.
void put_frame_sum(Database& database, const FrameSums& sums);
// Likewise, all of it, and the words for kinds and details of events, which have a sum of their own: with other words
// the events would be others.
FrameSums sum_up(Database& database);

enum class FrameState : std::uint8_t { kNotKnown, kWhole, kChanged };
FrameState frame_state(Database& database);
bool words_changed(Database& database);

}  // namespace leasescope
