// A recording that a command was given: opened, and read in pages between two moments.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "app/leasescopectl_two_moments.h"
#include "core/history/chosen_mutexes.h"
#include "core/history/recording/recording_reader.h"
#include "simulator/scenario/scenario.h"

namespace leasescope::ctl {

// The two in true time, `to` being the end of the recording at the latest; the error is for the user. In leases they
// need the scenario, which need not be one of this program's: none, or why. By the wall clock ("03:12") they need a
// recording that had one.
struct Range {
  TrueTime from{};
  TrueTime to{};
};
tl::expected<Range, std::string> range_of(const Moments& moments, const RecordingReader& recording,
                                          const tl::expected<Scenario, std::string>& scenario);

// Reads the events up to `to`, and tells of each page: `page` holds what is new, behind what it held before; of a
// choice only that.
void each_page(RecordingReader& recording, TrueTime to, History& page, const std::function<void()>& tell,
               ChosenMutexes* chosen = nullptr);

}  // namespace leasescope::ctl
