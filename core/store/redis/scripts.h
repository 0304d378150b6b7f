// The scripts of resources/lua with the names Redis keeps them under.
#pragma once
#include <string>

namespace leasescope::redis {

struct Script {
  std::string text;
  std::string sha1;
};

struct Scripts {
  Script acquire;
  Script guard;
  Script release;
  Script probe;
};

const Scripts& scripts();

}  // namespace leasescope::redis
