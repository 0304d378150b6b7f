// The clock of a private server that is not the machine's: a library that is preloaded into the server
// (preload/clock.cpp) tells it the time of day, and so much more, or less, as is said here.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"
#include "core/time/clock.h"
#include "simulator/live/preload/clock_page.h"

namespace leasescope {

class PreloadedClock {
 public:
  // What has to lie in the server's folder before, for the server's eyes.
  static std::vector<ServerFile> files(const std::string& folder);
  // Where these lie; true until it is set. Errors are for people.
  static tl::expected<std::unique_ptr<PreloadedClock>, std::string> in(const std::string& folder);
  ~PreloadedClock();
  PreloadedClock(const PreloadedClock&) = delete;
  PreloadedClock& operator=(const PreloadedClock&) = delete;

  // Shown at the next look at the clock, by every process of the server at once.
  void set(Duration ahead);
  // A server looks at it: where a folder lets nothing in it be run, none does.
  bool read() const;

  // Names and values that the server's environment has besides.
  static std::vector<std::pair<std::string, std::string>> environment(const std::string& folder);

 private:
  explicit PreloadedClock(ClockPage* page) : page_(page) {}

  ClockPage* page_;
};

}  // namespace leasescope
