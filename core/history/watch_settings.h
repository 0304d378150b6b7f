// How a watch looked, as its recording tells. Nothing in it is secret: stores are named without their passwords, and
// what is run when an alert begins is not in it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace leasescope {

struct WatchSettings {
  struct Store {
    std::string name;          // as it is printed
    std::int64_t poll_ns = 0;  // of one that tells nobody of a change: looked at so often
    std::string foreign;       // which locks of other makers were looked for: "none", "certain", "likely"
    bool beliefs = false;      // what processes believe was listened for on its channel

    bool operator==(const Store&) const = default;
  };
  std::vector<Store> stores;
  std::string mutexes;         // only those that are called so, '*' and '?' as in a shell; empty: all
  bool belief_socket = false;  // what processes believe was listened for on a socket of the machine
  std::string rules;           // of alerts, as TOML that says the same again; empty: there were none

  bool operator==(const WatchSettings&) const = default;
};

}  // namespace leasescope
