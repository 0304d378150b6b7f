// What the look at a store before a run finds.
#pragma once
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace leasescope {

struct StoreLook {
  std::vector<std::string> holders;  // of each mutex, "" for nobody
  std::vector<std::string> remarks;  // what a user should know of this server before the run, a sentence each
  std::string server;                // which one it is: two that say the same are one; empty: it was not asked
};

// Errors say what is wrong with the server, the login or its rights and what to do.
using Looked = tl::expected<StoreLook, std::string>;

}  // namespace leasescope
