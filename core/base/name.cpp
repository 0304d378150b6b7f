#include "core/base/name.h"

#include <xxhash.h>

namespace leasescope {

NameTable::NameTable() { intern(""); }

Name NameTable::intern(std::string_view text) {
  const auto found = handles_.find(std::string(text));
  if (found != handles_.end()) return {found->second};
  const auto handle = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  hashes_.push_back(XXH3_64bits(text.data(), text.size()));
  handles_.emplace(std::string(text), handle);
  return {handle};
}

}  // namespace leasescope
