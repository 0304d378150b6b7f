#include "tests/bench/timeline/system_nights.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/store/port.h"

namespace leasescope::bench {
namespace {

using std::chrono::milliseconds;

constexpr int kOnOne = 5;  // contenders on a mutex

std::int64_t ns(std::int64_t ms) { return ms * 1'000'000; }
template <class Detail>
std::uint8_t detail(Detail of) {
  return static_cast<std::uint8_t>(of);
}

// Events of mutexes beside each other, turn after turn; sorted in the end.
class Hand {
 public:
  explicit Hand(std::vector<MutexLegend> mutexes) {
    Legend& legend = out_.facts.legend;
    legend.mutexes = std::move(mutexes);
    for (const MutexLegend& mutex : legend.mutexes) mutexes_.push_back(out_.history.names.intern(mutex.name));
    for (std::size_t i = 0; i < mutexes_.size() * kOnOne; ++i) {
      legend.contenders.push_back(fmt::format("{}@host-{}", 1'000 + i, i));
      contenders_.push_back(out_.history.names.intern(legend.contenders.back()));
    }
    out_.facts.terms.ttl = std::chrono::seconds(5);
    out_.history.legend = legend;
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      on(static_cast<int>(i) / kOnOne);
      add(0, contenders_[i], EventKind::kStarted);
    }
  }

  int mutexes() const { return static_cast<int>(mutexes_.size()); }
  std::uint64_t events() const { return out_.history.events.size(); }
  Name intern(const std::string& name) { return out_.history.names.intern(name); }
  // The mutex that all further events are about.
  void on(int mutex) { mutex_ = mutex; }
  Name who(int turn) const { return contenders_[static_cast<std::size_t>(mutex_ * kOnOne + turn % kOnOne)]; }

  void add(std::int64_t at_ms, Name node, EventKind kind, Token token = kNoToken, std::int64_t a = 0,
           std::int64_t b = 0, std::uint8_t of = 0) {
    Event event;
    // Mutexes do not do everything at the same moment.
    event.lo = event.hi = TrueTime(milliseconds(at_ms)) + std::chrono::microseconds(37'000 * mutex_);
    event.node = node;
    event.mutex = mutexes_[static_cast<std::size_t>(mutex_)];
    event.kind = kind;
    event.token = token;
    event.a = a;
    event.b = b;
    event.detail = of;
    out_.history.events.push_back(event);
  }
  void granted(std::int64_t at, Name node, Token token, std::int64_t lease_ms, GrantKind how = GrantKind::kAsked) {
    add(at, node, EventKind::kGranted, token, ns(lease_ms), 0, detail(how));
    add(at + 5, node, EventKind::kAttempt, token, ns(lease_ms), static_cast<std::int64_t>(RequestKind::kAcquire));
  }
  void believed(std::int64_t at, Name node, Token token, std::int64_t lease_ms) {
    const bool endless = lease_ms == 0;
    add(at, node, EventKind::kBelieved, token, endless ? kNoDeadline : ns(lease_ms), ns(lease_ms));
  }
  void released(std::int64_t at, Name node, Token token) {
    add(at - 10, node, EventKind::kDisbelieved, token, 0, 0, detail(DisbeliefReason::kStop));
    add(at, node, EventKind::kReleased, token);
  }
  void disbelieved(std::int64_t at, Name node, Token token, DisbeliefReason why) {
    add(at, node, EventKind::kDisbelieved, token, 0, 0, detail(why));
  }

  NightOfEvents finish() {
    std::vector<Event>& events = out_.history.events;
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.hi < b.hi; });
    out_.history.now = events.back().hi;
    out_.facts.length = events.back().hi.time_since_epoch();
    return std::move(out_);
  }

 private:
  NightOfEvents out_;
  std::vector<Name> mutexes_, contenders_;
  int mutex_ = 0;
};

std::vector<MutexLegend> eight(const char* name, std::uint32_t capacity, const char* system) {
  std::vector<MutexLegend> mutexes;
  for (int i = 0; i < 8; ++i) mutexes.push_back({fmt::format("{}-{}", name, i), capacity, system});
  return mutexes;
}

// Who holds lets go after eight seconds for the first in the queue; one in twenty is silent until its session runs out.
class Fenced {
 public:
  explicit Fenced(Hand& hand) : hand_(hand), sessions_(static_cast<std::size_t>(hand.mutexes()) * kOnOne) {
    for (int mutex = 0; mutex < hand.mutexes(); ++mutex) {
      hand.on(mutex);
      for (int i = 0; i < kOnOne; ++i) open(0, mutex, i);
    }
  }

  void turn(int mutex, int turn) {
    const std::int64_t at = kTurn * turn + 100;
    const Name holder = hand_.who(turn), next = hand_.who(turn + 1);
    const Token token = static_cast<Token>(turn) + 1;
    const bool silent = turn % 20 == 7;
    hand_.granted(at, holder, token, 0);
    hand_.believed(at + 20, holder, token, 0);
    hand_.add(at + 1'000, next, EventKind::kQueued, kNoToken, 1, turn);
    hand_.add(at + 1'500, hand_.who(turn + 2), EventKind::kQueued, kNoToken, 2, turn);
    for (int i = 0; i < kOnOne; ++i)
      for (std::int64_t beat = 500; beat < kTurn; beat += 2'000)
        if (!silent || i != turn % kOnOne || beat < 1'000)
          hand_.add(at + beat, hand_.who(i), EventKind::kSessionRenewed, kNoToken, ns(kSession), number(mutex, i));
    if (silent) {
      hand_.add(at + 8'000, holder, EventKind::kSessionEnded, kNoToken, 0, number(mutex, turn % kOnOne),
                detail(SessionEnd::kExpired));
      hand_.add(at + 8'000, holder, EventKind::kExpired, token);
      hand_.disbelieved(at + 9'000, holder, token, DisbeliefReason::kSession);
      open(at + 9'200, mutex, turn % kOnOne);
    } else {
      hand_.released(at + 8'000, holder, token);
    }
    hand_.add(at + 8'050, next, EventKind::kDequeued, kNoToken, 1, turn);
    hand_.add(at + 9'000, hand_.who(turn + 2), EventKind::kDequeued, kNoToken, 1, turn);
  }

 private:
  static constexpr std::int64_t kTurn = 10'000, kSession = 7'000;  // ms

  std::int64_t& number(int mutex, int who) { return sessions_[static_cast<std::size_t>(mutex * kOnOne + who)]; }
  void open(std::int64_t at, int mutex, int who) {
    number(mutex, who) = ++last_;
    hand_.add(at, hand_.who(who), EventKind::kSessionOpened, kNoToken, ns(kSession), last_);
  }

  Hand& hand_;
  std::vector<std::int64_t> sessions_;  // each contender's, by its number
  std::int64_t last_ = 0;
};

void quorum_turn(Hand& hand, const std::vector<Name>& stores, int turn) {
  const std::int64_t at = 4'000 * static_cast<std::int64_t>(turn) + 100;
  const Name thief = hand.who(turn + 1), victim = hand.who(turn);
  const Token token = static_cast<Token>(turn) + 1;
  std::int64_t late = 0;
  for (const Name store : stores)
    hand.add(at + 11 * late++, thief, EventKind::kVoteGranted, kNoToken, ns(5'000), store.handle);
  hand.granted(at + 25, thief, token, 5'000, turn == 0 ? GrantKind::kAsked : GrantKind::kStolen);
  if (turn > 0) {
    hand.disbelieved(at + 300, victim, token - 1, DisbeliefReason::kStolen);
    hand.add(at + 340, victim, EventKind::kAcknowledged, token - 1, 0, thief.handle);
  }
  hand.believed(at + 400, thief, token, 4'500);
}

// Each holds for twelve seconds, so that two or three do at a time; one in fifty goes on to believe it for long.
void pool_turn(Hand& hand, bool reads, int turn) {
  const std::int64_t at = 5'000 * static_cast<std::int64_t>(turn) + 100;
  const Name who = hand.who(turn);
  const Token token = static_cast<Token>(turn) + 1;
  hand.granted(at, who, token, 15'000, reads ? GrantKind::kShared : GrantKind::kAsked);
  hand.believed(at + 20, who, token, 15'000);
  hand.add(at + 3'000, who, EventKind::kReentered, token, 0, 2);
  hand.add(at + 7'000, who, EventKind::kReentered, token, 0, 1);
  if (turn % 50 != 9) return hand.released(at + 12'000, who, token);
  hand.add(at + 15'000, who, EventKind::kExpired, token);
  hand.disbelieved(at + 22'000, who, token, DisbeliefReason::kWatchdog);
}

void bank_turn(Hand& hand, Name bank, int turn) {
  constexpr std::int64_t kTurn = 20'000, kOne = 500;
  const std::int64_t begin = kTurn * turn + 100;
  const Name holder = hand.who(turn);
  const Token token = static_cast<Token>(turn) + 1;
  const auto step = [&](std::int64_t at, TransferStep what, std::int64_t transfer) {
    hand.add(at, holder, EventKind::kTransferred, kNoToken, transfer, bank.handle, detail(what));
  };
  hand.granted(begin, holder, token, kTurn);
  hand.believed(begin + 20, holder, token, kTurn);
  for (std::int64_t at = begin + 100, i = 0; at + kOne < begin + kTurn - 500; at += kOne, ++i) {
    const std::int64_t transfer = turn * 100 + i;
    step(at, TransferStep::kHeld, transfer);
    step(at + 150, TransferStep::kCredited, transfer);
    if (transfer % 97 == 0) step(at + 200, TransferStep::kCreditedAgain, transfer);
    step(at + 300, TransferStep::kSettled, transfer);
    if (transfer % 193 == 0) step(at + 300, TransferStep::kLost, transfer);
  }
  hand.released(begin + kTurn - 400, holder, token);
  for (int i = 1; i < kOnOne; ++i)
    hand.add(begin + kTurn - 380, hand.who(turn + i), EventKind::kNotification, kNoToken,
             static_cast<std::int64_t>(StoreEventKind::kReleased), holder.handle, detail(NotificationStep::kReceived));
}

// `of` makes one turn of one mutex.
template <class Of>
NightOfEvents turns(Hand& hand, std::uint64_t events, Of&& of) {
  for (int turn = 0; hand.events() < events; ++turn)
    for (int mutex = 0; mutex < hand.mutexes(); ++mutex) {
      hand.on(mutex);
      of(mutex, turn);
    }
  return hand.finish();
}

NightOfEvents pools_night(std::uint64_t events) {
  std::vector<MutexLegend> mutexes = eight("pool", 3, "cas");
  constexpr int kReaders = 6;  // from here on
  for (int i = 4; i < kReaders; ++i) mutexes[static_cast<std::size_t>(i)].capacity = 100;
  for (int i = kReaders; i < 8; ++i) mutexes[static_cast<std::size_t>(i)].capacity = 1;
  Hand hand(std::move(mutexes));
  return turns(hand, events, [&](int mutex, int turn) { pool_turn(hand, mutex >= kReaders, turn); });
}

}  // namespace

const char* name_of(SystemNight night) {
  static constexpr std::array kNames{"fenced", "quorum", "pools", "bank"};
  return kNames[static_cast<std::size_t>(night)];
}

NightOfEvents system_night(SystemNight night, std::uint64_t events) {
  switch (night) {
    case SystemNight::kFenced: {
      Hand hand(eight("orders", 1, "fenced"));
      Fenced fenced(hand);
      return turns(hand, events, [&](int mutex, int turn) { fenced.turn(mutex, turn); });
    }
    case SystemNight::kQuorum: {
      Hand hand(eight("orders", 1, "quorum"));
      std::vector<Name> stores;
      for (int i = 1; i <= 5; ++i) stores.push_back(hand.intern(fmt::format("redis-{}", i)));
      return turns(hand, events, [&](int, int turn) { quorum_turn(hand, stores, turn); });
    }
    case SystemNight::kPools:
      return pools_night(events);
    case SystemNight::kBank:
      break;
  }
  Hand hand(eight("transfers", 1, "cas"));
  const Name bank = hand.intern("bank");
  return turns(hand, events, [&](int, int turn) { bank_turn(hand, bank, turn); });
}

}  // namespace leasescope::bench
