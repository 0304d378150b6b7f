// The scripts of resources/lua with the names Redis keeps them under.
#pragma once
#include <string>

#include "core/store/port.h"
#include "core/store/redis/command.h"

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

// With its text, or by its name.
template <class Words>
Command spoken(const Script& script, bool by_name, const Words& behind) {
  Command out(2 + behind.size());
  out.add(by_name ? "EVALSHA" : "EVAL");
  out.add(by_name ? script.sha1 : script.text);
  for (const auto& word : behind) out.add(word);
  return out;
}

// Those of the wire that a contender speaks.
const Scripts& scripts(Wire wire);
// Of a register.
const Script& cell_script();
// Of a server of a quorum lock.
const Script& quorum_script();
// What those of leases need, tried before a run.
const Script& probe_script();

}  // namespace leasescope::redis
