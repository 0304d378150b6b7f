#include "core/history/recording/event_block.h"

#include <algorithm>
#include <array>

#define XXH_INLINE_ALL  // of a header only: the library's other choice is the trace hash's
#include <xxhash.h>

namespace leasescope {
namespace {

constexpr std::size_t kLongestVarint = 10;
constexpr std::size_t kKinds = 256;
constexpr std::size_t kMutexes = 64;  // as many fencing tokens are followed, by the last bits of a mutex's handle

// Whole numbers near zero, of either sign, are short.
std::uint64_t zigzag(std::uint64_t value) { return value << 1 ^ (value >> 63 != 0 ? ~std::uint64_t{0} : 0); }
std::uint64_t unzigzag(std::uint64_t value) { return value >> 1 ^ ((value & 1) != 0 ? ~std::uint64_t{0} : 0); }

std::uint64_t word(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::uint64_t word(TrueTime at) { return word(at.time_since_epoch().count()); }
TrueTime time(std::uint64_t value) { return TrueTime(Duration(static_cast<std::int64_t>(value))); }

// What was last seen, from which the next is told as a difference. Differences wrap around: any value goes through.
struct Before {
  std::uint64_t lo = 0;
  std::array<std::uint64_t, kMutexes> token{};
  std::array<std::uint64_t, kKinds> a{}, b{};
};

std::uint64_t difference(std::uint64_t now, std::uint64_t& before) {
  const std::uint64_t out = zigzag(now - before);
  before = now;
  return out;
}

std::uint64_t sum(std::uint64_t difference, std::uint64_t& before) { return before += unzigzag(difference); }

void put_varint(std::uint64_t value, std::string& out) {
  char bytes[kLongestVarint];
  std::size_t size = 0;
  for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<char>(value | 0x80);
  bytes[size++] = static_cast<char>(value);
  out.append(bytes, size);
}

// A column whose numbers are all the same is 1 and that number, else 0 and all of them.
template <class Of>
void put_column(const Event* events, std::size_t count, std::string& out, std::vector<std::uint64_t>& numbers, Of of) {
  numbers.resize(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = of(events[i], i);
  const bool same = std::all_of(numbers.begin(), numbers.end(), [&](std::uint64_t n) { return n == numbers.front(); });
  out.push_back(same ? 1 : 0);
  if (same) return put_varint(numbers.front(), out);
  for (const std::uint64_t number : numbers) put_varint(number, out);
}

class Intake {
 public:
  explicit Intake(std::string_view bytes) : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  std::uint64_t varint() {
    // Most are of one byte.
    if (next_ != end_ && (*next_ & 0x80) == 0) return static_cast<std::uint8_t>(*next_++);
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && next_ != end_; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(*next_++);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) return value;
    }
    whole_ = false;
    return 0;
  }

  template <class To>
  void column(Event* events, std::size_t count, To to) {
    const std::uint64_t form = varint();
    if (form > 1) whole_ = false;
    if (!whole_) return;
    if (form == 1) {
      const std::uint64_t number = varint();
      for (std::size_t i = 0; i < count; ++i) to(events[i], i, number);
      return;
    }
    for (std::size_t i = 0; i < count && whole_; ++i) to(events[i], i, varint());
  }

  void expect(bool holds) { whole_ = whole_ && holds; }
  bool whole() const { return whole_ && next_ == end_; }

 private:
  const char* next_;
  const char* end_;
  bool whole_ = true;
};

}  // namespace

void pack_events(const Event* events, std::size_t count, std::uint64_t first, std::string& bytes) {
  bytes.clear();
  if (count == 0) return;
  Before before;
  std::vector<std::uint64_t> numbers;
  const auto put = [&](auto of) { put_column(events, count, bytes, numbers, of); };
  put([&](const Event& e, std::size_t) { return difference(word(e.lo), before.lo); });
  put([](const Event& e, std::size_t) { return zigzag(word(e.hi) - word(e.lo)); });
  put([](const Event& e, std::size_t) { return std::uint64_t{static_cast<std::uint8_t>(e.kind)}; });
  put([](const Event& e, std::size_t) { return std::uint64_t{e.detail}; });
  put([](const Event& e, std::size_t) { return std::uint64_t{e.node.handle}; });
  put([](const Event& e, std::size_t) { return std::uint64_t{e.mutex.handle}; });
  put([&](const Event& e, std::size_t) { return difference(e.token, before.token[e.mutex.handle % kMutexes]); });
  // How far back it was, from 1; 0: none.
  put([&](const Event& e, std::size_t i) { return e.cause == 0 ? 0 : zigzag(first + i - e.cause) + 1; });
  put([&](const Event& e, std::size_t) { return difference(word(e.a), before.a[static_cast<std::uint8_t>(e.kind)]); });
  put([&](const Event& e, std::size_t) { return difference(word(e.b), before.b[static_cast<std::uint8_t>(e.kind)]); });
}

bool unpack_events(std::string_view bytes, std::size_t count, std::uint64_t first, std::vector<Event>& events) {
  const std::size_t old = events.size();
  events.resize(old + count);
  Event* const to = events.data() + old;
  Before before;
  Intake in(bytes);
  in.column(to, count, [&](Event& e, std::size_t, std::uint64_t n) { e.lo = time(sum(n, before.lo)); });
  in.column(to, count, [](Event& e, std::size_t, std::uint64_t n) { e.hi = time(word(e.lo) + unzigzag(n)); });
  in.column(to, count, [&](Event& e, std::size_t, std::uint64_t n) {
    in.expect(n < kKinds);
    e.kind = static_cast<EventKind>(n & 0xff);
  });
  in.column(to, count, [&](Event& e, std::size_t, std::uint64_t n) {
    in.expect(n <= UINT8_MAX);
    e.detail = static_cast<std::uint8_t>(n);
  });
  in.column(to, count, [&](Event& e, std::size_t, std::uint64_t n) {
    in.expect(n <= UINT32_MAX);
    e.node.handle = static_cast<std::uint32_t>(n);
  });
  in.column(to, count, [&](Event& e, std::size_t, std::uint64_t n) {
    in.expect(n <= UINT32_MAX);
    e.mutex.handle = static_cast<std::uint32_t>(n);
  });
  in.column(to, count,
            [&](Event& e, std::size_t, std::uint64_t n) { e.token = sum(n, before.token[e.mutex.handle % kMutexes]); });
  in.column(to, count, [&](Event& e, std::size_t i, std::uint64_t n) {
    const std::uint64_t cause = n == 0 ? 0 : first + i - unzigzag(n - 1);
    in.expect(cause <= UINT32_MAX);
    e.cause = static_cast<Sequence>(cause);
  });
  in.column(to, count, [&](Event& e, std::size_t, std::uint64_t n) {
    e.a = static_cast<std::int64_t>(sum(n, before.a[static_cast<std::uint8_t>(e.kind)]));
  });
  in.column(to, count, [&](Event& e, std::size_t, std::uint64_t n) {
    e.b = static_cast<std::int64_t>(sum(n, before.b[static_cast<std::uint8_t>(e.kind)]));
  });
  if (in.whole()) return true;
  events.resize(old);
  return false;
}

std::int64_t sum_of(std::string_view bytes, std::int64_t seed) {
  return static_cast<std::int64_t>(XXH3_64bits_withSeed(bytes.data(), bytes.size(), static_cast<std::uint64_t>(seed)));
}

}  // namespace leasescope
