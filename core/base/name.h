// Names of contenders, mutexes, stores and resources, interned as 32-bit handles so that what moves stays plain data.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/expect.h"
#include "core/base/large_vector.h"

namespace leasescope {

// A handle into a NameTable; the default is the empty name, which also stands for "no owner".
struct Name {
  std::uint32_t handle = 0;

  bool empty() const { return handle == 0; }
  friend bool operator==(Name a, Name b) { return a.handle == b.handle; }
  friend bool operator!=(Name a, Name b) { return a.handle != b.handle; }
};

class NameTable {
 public:
  NameTable();

  Name intern(std::string_view text);
  std::string_view text(Name name) const {
    expect(name.handle < texts_.size(), "a name is of another table");
    return texts_[name.handle];
  }
  // A 64-bit hash of the text: what the trace hash takes, so that it does not depend on the order of interning.
  std::uint64_t text_hash(Name name) const { return hashes_[name.handle]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::vector<std::string> texts_;
  LargeVector<std::uint64_t> hashes_;
  std::unordered_map<std::string, std::uint32_t> handles_;
};

}  // namespace leasescope
