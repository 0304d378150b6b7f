// Where in a file something stands, and what is wrong there.
#pragma once
#include <cstddef>
#include <string>

namespace leasescope::check {

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;  // in bytes, from 1
};

struct ReadError {
  Place place;
  std::string what;  // "expected a number"
};

}  // namespace leasescope::check
