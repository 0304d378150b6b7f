// The scripts of resources/lua with the names Redis keeps them under.
#pragma once
#include <string>

#include "core/store/port.h"

namespace leasescope::redis {

struct Script {
  std::string text;
  std::string sha1;
};

struct Scripts {
  Script acquire;
  Script guard;
  Script release;
};

// Those of the wire that a contender speaks.
const Scripts& scripts(Wire wire);
// Of a register.
const Script& cell_script();
// Of a server of a quorum lock.
const Script& quorum_script();
// What those of leases need, tried before a run.
const Script& probe_script();

}  // namespace leasescope::redis
