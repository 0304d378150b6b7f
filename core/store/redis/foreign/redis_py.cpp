// redis-py's Lock: a string of 32 hex digits, which is a UUID of version 1, so that it bears when and on which host it
// was made.
#include <cstdlib>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/store/redis/foreign/key_forms.h"

namespace leasescope::redis {
namespace {

constexpr std::size_t kDigits = 32;
constexpr std::size_t kVersion = 12, kVariant = 16, kHost = 20;  // where they stand
constexpr std::uint64_t kSecond = 10'000'000;                    // of its clock
constexpr std::int64_t kTo1970 = 12'219'292'800;                 // seconds from its clock's zero, in October 1582
constexpr std::int64_t kAround = 366 * 24 * 3600;                // seconds: a plausible one is so near to now

std::uint64_t number(std::string_view digits) { return std::stoull(std::string(digits), nullptr, 16); }

// Seconds since 1970.
std::int64_t made_at(std::string_view uuid) {
  const std::uint64_t low = number(uuid.substr(0, 8)), middle = number(uuid.substr(8, 4)),
                      high = number(uuid.substr(13, 3));
  return static_cast<std::int64_t>((high << 48U | middle << 32U | low) / kSecond) - kTo1970;
}

std::string host_of(std::string_view uuid) {
  std::string out;
  for (std::size_t at = kHost; at < kDigits; at += 2) (out += out.empty() ? "" : ":") += uuid.substr(at, 2);
  return out;
}

bool is_one(const KeyContent& content) { return is_made_by_time(content.text); }

void tell(const KeyContent& content, const std::vector<RespValue>& besides, Sighting& seen) {
  tell_text(content, besides, seen);
  if (!is_made_by_time(content.text)) return;
  seen.raw.emplace_back("made at", fmt::format("{:%Y-%m-%dT%H:%M:%S}Z by its host's clock",
                                               fmt::gmtime(static_cast<std::time_t>(made_at(content.text)))));
  seen.raw.emplace_back("made on", host_of(content.text));
}

}  // namespace

bool is_made_by_time(std::string_view uuid) {
  const bool of_time = uuid.size() == kDigits && is_hex(uuid) && uuid[kVersion] == '1' &&
                       std::string_view("89ab").find(uuid[kVariant]) != std::string_view::npos;
  return of_time && std::abs(made_at(uuid) - static_cast<std::int64_t>(std::time(nullptr))) < kAround;
}

KeyForm redis_py_lock() { return {"redis-py", true, "string", any_key, is_one, nothing_besides, tell}; }

}  // namespace leasescope::redis
