#include "simulator/engine/trace_hash.h"

#include <bit>

#include <fmt/format.h>

// The library's own choice among the machine's vector units, where it has one: a twentieth of the world's time.
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif

namespace leasescope {
namespace {

static_assert(std::endian::native == std::endian::little, "the trace hash takes words in little-endian order");

std::uint64_t word(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::uint64_t word(TrueTime at) { return word(at.time_since_epoch().count()); }
std::uint64_t text_hash(std::int64_t handle, const NameTable& names) {
  return names.text_hash({static_cast<std::uint32_t>(handle)});
}

bool names_a_resource(EventKind kind) {
  return kind == EventKind::kWriteAccepted || kind == EventKind::kWriteRejected ||
         kind == EventKind::kWriteStaleAccepted;
}

// Those whose `b` is the handle of a name, as bits; a restart's may be none. One look for what is seldom one of them.
template <class... Kinds>
constexpr std::uint64_t bits_of(Kinds... kinds) {
  return (... | (std::uint64_t{1} << static_cast<int>(kinds)));
}
static_assert(kEventKinds <= 64);
constexpr std::uint64_t kNamesAnother =
    bits_of(EventKind::kNotification, EventKind::kAcknowledged, EventKind::kVoteGranted, EventKind::kVoteEnded,
            EventKind::kTransferred, EventKind::kRestarted);

bool names_another(const Event& event) {
  return (kNamesAnother >> static_cast<int>(event.kind) & 1) != 0 &&
         (event.kind != EventKind::kRestarted || event.b != 0);
}

}  // namespace

TraceHash::TraceHash() {
  XXH3_64bits_reset(&state_);
  constexpr std::uint64_t kBegin = 1;
  XXH3_64bits_update(&state_, &kBegin, sizeof kBegin);
}

void TraceHash::add(const DispatchedInput& input, const NameTable& names) {
  std::uint64_t* words = room(6);
  words[0] = word(input.at);
  words[1] = input.text_hash(input.node, names);
  words[2] = static_cast<std::uint64_t>(input.due);
  words[3] = input.a;
  words[4] = input.b;
  words[5] = input.c;
}

void TraceHash::add(const Event& event, const DispatchedInput& input, const NameTable& names) {
  std::uint64_t* words = room(8);
  words[0] = word(event.lo);
  words[1] = word(event.hi);
  words[2] = event.token;
  words[3] = names_a_resource(event.kind) ? text_hash(event.a, names) : word(event.a);
  words[4] = names_another(event) ? text_hash(event.b, names) : word(event.b);
  words[5] = input.text_hash(event.node, names);
  words[6] = names.text_hash(event.mutex);
  words[7] = static_cast<std::uint64_t>(event.kind) | static_cast<std::uint64_t>(event.detail) << 8 |
             static_cast<std::uint64_t>(event.cause) << 32;
}

void TraceHash::feed() {
  XXH3_64bits_update(&state_, words_.data(), held_ * sizeof(std::uint64_t));
  held_ = 0;
}

std::uint64_t TraceHash::digest() const {
  TraceHash rest = *this;
  rest.feed();
  return XXH3_64bits_digest(&rest.state_);
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace leasescope
