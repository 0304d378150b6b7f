// A vector for what an input finds anywhere in: once it is large, it lies on large pages, where the system has some.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace leasescope {

// With small pages every look at one of 100 000 contenders also looks up its page, which takes longer than the work.
template <class T>
class LargePages {
 public:
  using value_type = T;
  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}  // NOLINT: an allocator converts

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kLarge) return std::allocator<T>().allocate(count);
    void* memory = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: small pages do as well
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < kLarge) return std::allocator<T>().deallocate(memory, count);
    std::free(memory);
  }

  bool operator==(const LargePages&) const { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;  // bytes
  static constexpr std::size_t kLarge = kPage / 4;            // bytes; less fits into what small pages serve well
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace leasescope
