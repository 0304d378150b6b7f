// The files of resources/ that the build compiles into the program (leasescope_embed in resources/cmake/Rooms.cmake).
#pragma once
#include <string>
#include <vector>

namespace leasescope::embedded {

struct File {
  std::string name;  // without folder and ending
  std::string text;
  std::string sha1;  // of the text, 40 hex digits: the name by which Redis knows a script. Not for secrets.
};

}  // namespace leasescope::embedded
