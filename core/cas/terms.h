// What a scenario says of compare-and-set leases: what they guard, who stamps them, and what an application does.
#pragma once
#include <string_view>

#include "core/base/describe.h"
#include "core/check/model_kind.h"
#include "core/store/port.h"
#include "core/time/clock.h"

namespace leasescope {

inline constexpr int kMostPermits = 64;

struct CasTerms {
  static constexpr std::string_view kSystem = "cas";
  static constexpr Family kFamily = Family::kRegister;
  using Contender = class CasContender;
  using Plan = struct CasPlan;

  enum class Kind : std::uint8_t { kLock, kSemaphore, kReadWrite };
  enum class Wait : std::uint8_t { kRemaining, kDeadline };
  enum class Release : std::uint8_t { kOwn, kBlind };

  Kind kind = Kind::kLock;
  int permits = 3;  // of a semaphore
  int readers = 8;  // of a read-write lock: so many may read beside each other
  Stamp stamp = Stamp::kVersion;
  Wait wait = Wait::kRemaining;
  Release release = Release::kOwn;
  Duration heartbeat{};  // zero: a third of the ttl
  Duration poll{};       // zero: a third of the ttl, at most 500 ms

  // The registers of one mutex: one a permit, or the writer's and one a reader.
  int cells() const { return kind == Kind::kLock ? 1 : kind == Kind::kSemaphore ? permits : 1 + readers; }
  bool semaphore() const { return kind == Kind::kSemaphore; }
  bool read_write() const { return kind == Kind::kReadWrite; }
  bool by_server() const { return stamp == Stamp::kServer; }
  std::uint32_t capacity() const { return kind == Kind::kSemaphore ? static_cast<std::uint32_t>(permits) : 1; }
  check::Model model(std::uint32_t /*entries*/) const {
    using check::ModelKind;
    return {kind == Kind::kLock        ? ModelKind::kFenced
            : kind == Kind::kSemaphore ? ModelKind::kSemaphore
                                       : ModelKind::kReadWrite,
            capacity()};
  }

  template <class Keys>
  static void describe(Keys& keys) {
    keys.word("kind", &CasTerms::kind,
              {{"lock", Kind::kLock}, {"semaphore", Kind::kSemaphore}, {"read-write", Kind::kReadWrite}},
              "one holder, so many permits, or readers beside each other and writers alone");
    keys.number("permits", &CasTerms::permits, 1, kMostPermits, "of a semaphore: so many may hold at once",
                &CasTerms::semaphore);
    keys.number("readers", &CasTerms::readers, 1, kMostPermits, "of a read-write lock: so many may read at once",
                &CasTerms::read_write);
    keys.word("stamp", &CasTerms::stamp,
              {{"client", Stamp::kClient, kWeak}, {"server", Stamp::kServer}, {"version", Stamp::kVersion}},
              "whose clock a lease ends by: the holder's, the store's, or each taker's own that sees one version");
    keys.word("wait", &CasTerms::wait, {{"remaining", Wait::kRemaining}, {"deadline", Wait::kDeadline, kWeak}},
              "stamp server: a waiter sleeps for what the store says is left, or until the deadline on its own clock",
              &CasTerms::by_server);
    keys.word("release", &CasTerms::release, {{"own", Release::kOwn}, {"blind", Release::kBlind, kWeak}},
              "own: frees only what it holds; blind: whatever it finds there");
    keys.span("heartbeat", &CasTerms::heartbeat, Duration::zero(), "between two renewals; 0s: a third of the ttl");
    keys.span("poll", &CasTerms::poll, Duration::zero(),
              "a waiter looks at least so often; 0s: a third of the ttl, at most 500ms");
  }
  bool operator==(const CasTerms&) const = default;
};

// Of one contender's application.
struct CasPlan {
  enum class Mode : std::uint8_t { kWrite, kRead };

  Mode mode = Mode::kWrite;  // of a read-write lock
  Duration hold{};           // zero: until it is stopped
  Duration rest{};           // then, before it asks again

  template <class Keys>
  static void describe(Keys& keys) {
    keys.word("mode", &CasPlan::mode, {{"write", Mode::kWrite}, {"read", Mode::kRead}},
              "what it asks a read-write lock for", &CasTerms::read_write);
    keys.span("hold", &CasPlan::hold, Duration::zero(), "how long it keeps the lock; 0s: until it is stopped");
    keys.span("rest", &CasPlan::rest, Duration::zero(), "how long it does without, after that");
  }
  bool operator==(const CasPlan&) const = default;
};

}  // namespace leasescope
