// Where the preparation of a live run stands.
#pragma once
#include <string>

namespace leasescope {

struct PreparationStep {
  std::string words;  // for people: "connecting 3 of 5 contenders"
  int permille = 0;   // of the way
};

}  // namespace leasescope
