// Recordings laid into one, of which those of observers who saw the same mutexes become one account, by how far their
// clocks are apart.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"

namespace leasescope {

struct MergeTerms {
  // By what several saw it is known how far their clocks are apart. Else by the wall clock alone, each observer's
  // account beside the others'.
  bool by_shared_events = true;
  // By the path of a recording: its clock is so much ahead of the first one's, whatever the events say.
  std::map<std::string, Duration> ahead;
};

struct MergedObservers {
  std::unique_ptr<HistorySource> source;
  // How far the clocks are apart, or why nobody knows, for people.
  std::vector<std::string> said;
  // So many recordings were held in memory for that: those of mutexes that another has, too. All others are read page
  // by page.
  std::size_t held = 0;
};

// In the order of the paths, of which there is one at least. Refused is what MergedHistory refuses, and an offset of
// what is none of the paths, or no recording of a watch.
tl::expected<MergedObservers, std::string> merged_observers(const std::vector<std::string>& paths,
                                                            const MergeTerms& terms = {});

}  // namespace leasescope
