#include "core/base/random_stream.h"

#include <xxhash.h>

namespace leasescope {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name, std::string_view purpose) {
  std::uint64_t state = seed;
  state = splitmix(state) ^ XXH3_64bits(name.data(), name.size());
  state = splitmix(state) ^ XXH3_64bits(purpose.data(), purpose.size());
  for (std::uint64_t& word : s_) word = splitmix(state);
}

}  // namespace leasescope
