// Names of contenders, mutexes, stores and resources, interned as 32-bit handles so that what moves stays plain data.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
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

// Who watches for weeks meets owners without end: a text lies in it once, and nowhere else.
class NameTable {
 public:
  NameTable();

  Name intern(std::string_view text);
  // Stays where it is as long as the table, or the one that it is moved to.
  std::string_view text(Name name) const {
    expect(name.handle < texts_.size(), "a name is of another table");
    const Text& of = texts_[name.handle];
    return {blocks_[of.block].data() + of.begin, of.length};
  }
  // A 64-bit hash of the text: what the trace hash takes, so that it does not depend on the order of interning.
  std::uint64_t text_hash(Name name) const { return hashes_[name.handle]; }
  std::size_t size() const { return texts_.size(); }

  // Memory that a copy takes.
  std::size_t bytes() const;

 private:
  struct Text {
    std::uint32_t block, begin, length;
  };

  Text put(std::string_view text);
  // Where in `places_` the name of that text is, or would be.
  std::size_t place_of(std::string_view text, std::uint64_t hash) const;
  void make_room();

  std::vector<std::vector<char>> blocks_;  // none grows beyond its first room
  LargeVector<Text> texts_;
  LargeVector<std::uint64_t> hashes_;
  LargeVector<std::uint32_t> places_;  // by the hash, or the next free one after that: handle + 1; 0: free
};

}  // namespace leasescope
