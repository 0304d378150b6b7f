// The fields of a summary by their names, so that whoever goes through all of them misses none.
#pragma once
#include <array>
#include <string_view>

#include "core/history/summary.h"

namespace leasescope {

struct SummaryCount {
  std::string_view name;
  std::uint64_t Summary::*of;
};
inline constexpr std::array<SummaryCount, 14> kSummaryCounts{{
    {"contenders", &Summary::contenders},
    {"acquisitions", &Summary::acquisitions},
    {"renewals", &Summary::renewals},
    {"handoffs", &Summary::handoffs},
    {"double_grants", &Summary::double_grants},
    {"stale_writes_rejected", &Summary::stale_writes_rejected},
    {"stale_writes_accepted", &Summary::stale_writes_accepted},
    {"tokenless_writes_refused", &Summary::tokenless_writes_refused},
    {"late_releases_refused", &Summary::late_releases_refused},
    {"fence_regressions", &Summary::fence_regressions},
    {"transfers", &Summary::transfers},
    {"transfers_duplicated", &Summary::transfers_duplicated},
    {"transfers_lost", &Summary::transfers_lost},
    {"illegal_mutexes", &Summary::illegal_mutexes},
}};

struct SummaryLength {
  std::string_view name;
  Duration Summary::*of;
};
inline constexpr std::array<SummaryLength, 3> kSummaryLengths{{{"leaderless_ns", &Summary::leaderless},
                                                               {"unobserved_ns", &Summary::unobserved},
                                                               {"belief_overlap_ns", &Summary::belief_overlap}}};

// A field that is new belongs into one of the lists.
static_assert(sizeof(Summary) ==
              sizeof(std::uint64_t) * (kSummaryCounts.size() + kSummaryLengths.size() + kIncidentKinds));

inline void add_up(Summary& into, const Summary& more) {
  for (const SummaryCount& field : kSummaryCounts) into.*field.of += more.*field.of;
  for (const SummaryLength& field : kSummaryLengths) into.*field.of += more.*field.of;
  for (std::size_t kind = 0; kind < into.incidents.size(); ++kind) into.incidents[kind] += more.incidents[kind];
}

}  // namespace leasescope
