#include "simulator/engine/trace_hash.h"

#include <bit>

#include <fmt/format.h>

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

}  // namespace

TraceHash::TraceHash() {
  XXH3_64bits_reset(&state_);
  const std::uint64_t format = kFormat;
  XXH3_64bits_update(&state_, &format, sizeof format);
}

void TraceHash::add(const DispatchedInput& input, const NameTable& names) {
  const std::uint64_t words[6] = {
      word(input.at), names.text_hash(input.node), static_cast<std::uint64_t>(input.due), input.a, input.b, input.c};
  XXH3_64bits_update(&state_, words, sizeof words);
}

void TraceHash::add(const Event& event, const NameTable& names) {
  const std::uint64_t a = names_a_resource(event.kind) ? text_hash(event.a, names) : word(event.a);
  const std::uint64_t b = event.kind == EventKind::kNotification ? text_hash(event.b, names) : word(event.b);
  const std::uint64_t words[8] = {word(event.lo),
                                  word(event.hi),
                                  event.token,
                                  a,
                                  b,
                                  names.text_hash(event.node),
                                  names.text_hash(event.mutex),
                                  static_cast<std::uint64_t>(event.kind) |
                                      static_cast<std::uint64_t>(event.detail) << 8 |
                                      static_cast<std::uint64_t>(event.cause) << 32};
  XXH3_64bits_update(&state_, words, sizeof words);
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace leasescope
