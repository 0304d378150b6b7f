#include "core/base/name.h"

#include <algorithm>

#include <xxhash.h>

namespace leasescope {
namespace {

constexpr std::size_t kFirstBlock = 256, kLargestBlock = 64 * 1024;  // bytes, but for a text that is longer

}  // namespace

NameTable::NameTable() { intern(""); }

Name NameTable::intern(std::string_view text) {
  const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  if (4 * (texts_.size() + 1) > 3 * places_.size()) make_room();
  std::uint32_t& place = places_[place_of(text, hash)];
  if (place == 0) {
    texts_.push_back(put(text));
    hashes_.push_back(hash);
    place = static_cast<std::uint32_t>(texts_.size());
  }
  return {place - 1};
}

std::size_t NameTable::place_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = places_.size() - 1;
  std::size_t place = hash & mask;
  const auto is_other = [&](Name name) { return hashes_[name.handle] != hash || this->text(name) != text; };
  while (places_[place] != 0 && is_other({places_[place] - 1})) place = (place + 1) & mask;
  return place;
}

// A power of two of places.
void NameTable::make_room() {
  places_.assign(std::max<std::size_t>(8, 2 * places_.size()), 0);
  const std::size_t mask = places_.size() - 1;
  for (std::uint32_t handle = 0; handle < hashes_.size(); ++handle) {
    std::size_t place = hashes_[handle] & mask;
    while (places_[place] != 0) place = (place + 1) & mask;
    places_[place] = handle + 1;
  }
}

// A text may be one of this table: what it lies in does not move. Behind it a zero, for who hands it on to C.
NameTable::Text NameTable::put(std::string_view text) {
  const std::size_t needed = text.size() + 1;
  const bool fits = !blocks_.empty() && blocks_.back().capacity() - blocks_.back().size() >= needed;
  if (!fits) {
    const std::size_t before = blocks_.empty() ? 0 : blocks_.back().capacity();
    const std::size_t room = std::clamp(2 * before, kFirstBlock, kLargestBlock);
    blocks_.emplace_back().reserve(std::max(room, needed));
  }
  std::vector<char>& block = blocks_.back();
  const Text out{static_cast<std::uint32_t>(blocks_.size() - 1), static_cast<std::uint32_t>(block.size()),
                 static_cast<std::uint32_t>(text.size())};
  block.insert(block.end(), text.begin(), text.end());
  block.push_back('\0');
  return out;
}

std::size_t NameTable::bytes() const {
  std::size_t bytes = sizeof *this + texts_.capacity() * sizeof(Text) + hashes_.capacity() * sizeof(std::uint64_t) +
                      places_.capacity() * sizeof(std::uint32_t) + blocks_.capacity() * sizeof blocks_.front();
  for (const std::vector<char>& block : blocks_) bytes += block.capacity();
  return bytes;
}

}  // namespace leasescope
