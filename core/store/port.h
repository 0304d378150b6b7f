// The store port: requests, replies and events as values. Adapters and models speak it; contenders never see a client.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/base/name.h"
#include "core/base/token.h"
#include "core/time/clock.h"

namespace leasescope {

// By family; the trace hash takes the number, so that new ones go to the end.
enum class RequestKind : std::uint8_t {
  kSubscribe,
  kUnsubscribe,
  kAcquire,  // lease
  kGuard,
  kRelease,
  kOpenSession,  // session
  kHeartbeat,
  kCloseSession,
  kLock,
  kUnlock,
  kQuery,
  kConnect,  // nodes: and kHeartbeat, kCloseSession
  kCreate,
  kChildren,
  kLook,
  kDelete,
  kRead,  // register
  kCompareAndSet,
  kObtain,  // quorum
  kExtend,
  kGiveBack,
  kAbort,
  kTell,         // whom the lock was stolen from: through a server's channel
  kAcknowledge,  // and it its thief,
};

// What a system asks its stores for, and what a store can carry.
enum class Family : std::uint8_t { kLease, kSession, kRegister, kQuorum, kNodes, kConnection };

// Subscribing goes over the messages' line, all else over the requests'. By a connection to nodes come both.
inline bool is_of_messages(RequestKind kind) {
  return kind == RequestKind::kSubscribe || kind == RequestKind::kUnsubscribe || kind == RequestKind::kConnect;
}

// Of those, what is said of a channel and of nothing that a store keeps.
inline bool is_of_channel(RequestKind kind) {
  return kind == RequestKind::kSubscribe || kind == RequestKind::kUnsubscribe;
}

// How a request ended. `unknown`: the time-out passed or the line broke; the store may have executed it, or may yet.
enum class Ending : std::uint8_t { kOk, kFailed, kUnknown };
constexpr std::string_view text(Ending ending) {
  return ending == Ending::kOk ? "ok" : ending == Ending::kFailed ? "failed" : "unknown";
}

// How a session's call ended, when it did (Ending::kOk).
enum class SessionAnswer : std::uint8_t {
  kDone,       // opened, renewed, closed, locked (`token`: its fence), unlocked (`number`: how often it is still held)
  kNotLocked,  // a lock that could not be had, or not in time
  kLimit,      // likewise: its holder may not enter once more
  kNotOwner,   // an unlock or a question of one who does not hold
  kCancelled,  // its place in the queue was given to a newer call of its own
  kSessionEnded,  // there is no such session any more
};

// What a lease call means by "the lease": the generations differ in what they say to a store.
enum class Wire : std::uint8_t {
  kTerm,    // ours: a term is owner and token. Acquire begins a new term, also on the caller's own lease, of which it
            // keeps the rest; guard and release name their term, and are refused for another
  kFenced,  // 4.x: the owner alone counts; acquire on one's own lease changes nothing
  kTokenless,  // up to 3.1: no tokens
};

// How who waits learns that the lease was given back (core/simba/README.md). The first is what is meant where nothing
// is said.
enum class WakeUp : std::uint8_t {
  kBroadcast,  // all who listen are told, and ask: 4.x
  kQueue,      // who has queued up for longest is told, and asks: up to 3.1
  kHandOver,   // the release grants to who is next in the line, and the message is the grant: ours
};
constexpr std::string_view text(WakeUp mode) {
  constexpr std::string_view kTexts[] = {"broadcast", "queue", "hand-over"};
  return kTexts[static_cast<std::size_t>(mode)];
}

// A place in the line of kHandOver lasts for so long after the call that took it or took it again; whoever waits there
// calls so often. The longer of the two is a store's rule, by the length that the call had (resources/lua).
inline Duration place_lasts(Duration lease) {
  return std::min<Duration>(std::chrono::milliseconds(1500), lease * 3 / 8);
}
inline Duration place_renewed_after(Duration lease) { return std::min<Duration>(std::chrono::seconds(1), lease / 4); }

// A lease call, of Wire: subscribe and unsubscribe, acquire, guard, release. With kHandOver whoever is refused an
// acquire has a place in the line; a guard that names no term gives it up, and is told who holds.
struct LeaseCall {
  Duration ttl{};
  Duration length{};      // what the store counts: ttl + transition (3.0 renews with ttl only)
  Token term = kNoToken;  // kTerm, of guard and release: which term they mean
  Wire wire = Wire::kTerm;
  WakeUp wake_up = WakeUp::kBroadcast;  // kTerm
};

// In a reply's `answer`, to an acquire that was refused: of those who wait this one comes first when the lease runs
// out.
inline constexpr std::uint8_t kComesFirst = 1;

// A call of a session, or of a connection. Without defaults, as it lies in a union: it is set as a whole.
struct SessionCall {
  std::uint64_t session;  // 0: none yet
  std::uint64_t uid;      // of the invocation: its retries bear the same
  Duration wait;          // kLock: for so long at most; zero: not at all; max(): without end. kOpenSession: its ttl
  std::uint32_t thread;   // of the session's process
};

// A call of nodes: numbered children of a mutex, which go with their session. Without defaults, as above.
struct NodeCall {
  std::uint64_t session;  // 0: none yet
  std::uint64_t word;     // kCreate: what its name begins with; kChildren: whose number is asked for, 0: `node` is
  Duration span;          // kConnect: how long the session is to last without a sign of life
  std::uint32_t node;     // kChildren, kLook, kDelete: its number, from 1
  bool watch;             // kLook: a message is wanted when it goes
};

// How a call of nodes ended, when it did (Ending::kOk).
enum class NodeAnswer : std::uint8_t {
  kDone,  // connected (`number`: the session, `remaining`: its length), alive (`number`: messages sent in the session),
          // created (`number`, `token`), listed (`number`: Children), seen (`number`: its session, `token`), deleted
  kNoNode,
  kSessionEnded,  // there is no such session any more
};

// What a client reads out of a list of children: its own, and the one before it; 0 = there is none.
struct Children {
  std::uint32_t own = 0;
  std::uint32_t before = 0;

  std::uint64_t packed() const { return std::uint64_t{before} << 32 | own; }
  static Children from(std::uint64_t packed) {
    return {static_cast<std::uint32_t>(packed), static_cast<std::uint32_t>(packed >> 32)};
  }
};

// Whose clock a lease in a register ends by.
enum class Stamp : std::uint8_t {
  kClient,   // its writer's wall clock, which the deadline was taken from
  kServer,   // the store's, which puts the deadline there
  kVersion,  // nobody's: a lease is over for whoever has seen one version for the whole of it
};
enum class CellMode : std::uint8_t { kFree, kClaimed, kHeld, kShared };
inline constexpr std::uint8_t kLeaseOver = 0x80;  // in a reply's `answer`, beside the CellMode: by the store's clock
inline constexpr std::uint32_t kMostCells = 65;   // registers of one mutex

// A call of a register: read, or set it if it still has that version. Without defaults, as it lies in a union. The
// answer tells owner, token and version (`number`) as they now are, and the stamp (`remaining`: for kServer what is
// left of it).
struct CellCall {
  std::uint64_t version;
  Token token;
  Duration stamp;     // kClient: the deadline, since the wall clock's zero; else the lease
  std::uint8_t cell;  // which of the mutex's registers
  CellMode mode;      // free: nobody's; else the caller's
  Stamp by;
  bool dated;  // kServer: the answer is to tell the deadline itself, not what is left
};

// How an attempt at one server of a quorum lock ended, when it did (Ending::kOk); `token`: the highest fence it knows.
enum class QuorumAnswer : std::uint8_t {
  kSuccess,     // it was free
  kFromVictim,  // it was stolen from `owner`, whose attempt `number` was
  kReentrant,   // who holds it has entered once more; `number`: its priority until then
  kDenied,      // `owner` holds it for `remaining`, with a priority that is not lower
  kBehind,      // the attempt's fence is not above that
};

struct QuorumRules {
  bool keeps_victim;  // who is stolen from is remembered, and the lock lasts for as long as its lease at least; by
                      // kGiveBack: he keeps the rest of it
  bool sets_missing;  // an extension writes the key anew
  bool re_enters;     // by one who holds already
};

// A call of a quorum lock to one of its servers. Without defaults, as it lies in a union: it is set as a whole.
struct QuorumCall {
  std::uint64_t acquisition;  // of the attempt; kTell and kAcknowledge: of whom it goes to
  std::uint64_t other;        // kObtain: its fence (0 = none) or, re-entering, the attempt that holds; kExtend: its
                              // fence; kTell and kAcknowledge: the attempt of whom it comes from
  Duration span;              // kObtain, kExtend: the ttl; kTell: until when the thief claims the lock, wall clock
  union {
    std::int32_t priority;
    std::uint32_t to;  // kTell, kAcknowledge: handle of a contender's name
  };
  QuorumRules rules;
};

// The header that every store and world looks at, then what its family asks for.
struct Request {
  std::uint64_t id = 0;  // unique per contender
  Duration timeout{};    // measured by the sender on its steady clock
  Name mutex;
  Name contender;
  RequestKind kind = RequestKind::kAcquire;
  std::uint8_t store = 0;  // which of several stores
  union {
    LeaseCall lease{};
    SessionCall session;
    NodeCall nodes;
    CellCall cell;
    QuorumCall quorum;
  };
};
static_assert(sizeof(Request) <= 64);

struct Reply {
  std::uint64_t request = 0;
  RequestKind kind = RequestKind::kAcquire;
  Ending ending = Ending::kOk;
  // The store did what it was asked: took, renewed or freed. On Wire::kFenced and older only a release says so; there
  // the answer to acquire and guard does not tell a lease that was taken or renewed from one that was found.
  bool done = false;
  bool refused = false;  // kFailed: the store did answer, with an error; else it could not be asked
  Name mutex;
  Name owner;            // who owns now, as the store says; empty = nobody
  Name error;            // refused: the store's words, where the host keeps them
  Duration remaining{};  // of that owner's lease, by the store's clock; negative = it never ends
  Token token = kNoToken;
  // What its family answers beside: a session's number, a version; of a lease the counter of the tokens, where an
  // acquire was refused and its caller has a place in a line, else 0.
  std::uint64_t number = 0;
  std::uint8_t answer = 0;  // likewise: a SessionAnswer, a NodeAnswer, kComesFirst, …

  // The answer to that, as yet an empty one. Field by field: a copy of a whole empty one stalls, and this is hot.
  void begin(const Request& asked) {
    request = asked.id;
    kind = asked.kind;
    ending = Ending::kOk;
    done = refused = false;
    mutex = asked.mutex;
    owner = error = Name{};
    remaining = Duration::zero();
    token = kNoToken;
    number = 0;
    answer = 0;
  }
};

// What a store says is left of a lease, in ms. A hundred years are as good as more, and can be added to any clock.
inline Duration remaining_from(std::int64_t ms) {
  constexpr std::int64_t kLongest = 100LL * 365 * 24 * 3600 * 1000;
  return std::chrono::milliseconds(std::clamp(ms, -kLongest, kLongest));
}

enum class StoreEventKind : std::uint8_t {
  kAcquired,
  kReleased,
  kNodeDeleted,   // of nodes: that of `owner`, which was watched
  kDisconnected,  // of nodes: the store has closed the connection
  kStolen,        // to whom held it, from its thief
  kLetGo,         // and back
  kHandedOver,    // of leases: by a release, to `owner`, who had a place in the line
};
inline constexpr int kStoreEventKinds = 7;

constexpr std::string_view text(StoreEventKind kind) {
  constexpr std::string_view kTexts[] = {"acquired", "released", "node deleted", "disconnected",
                                         "stolen",   "let go",   "handed over"};
  return kTexts[static_cast<std::size_t>(kind)];
}

// A message a store publishes; a hint, possibly lost, late or out of order.
struct StoreEvent {
  StoreEventKind kind = StoreEventKind::kReleased;
  Name mutex;
  Name owner;               // whom it is about; kStolen, kLetGo: who says so
  std::uint8_t server = 0;  // kStolen, kLetGo: which of several servers it came through
  union {
    std::uint64_t acquisition = 0;  // likewise: of whom it goes to
    std::uint64_t session;          // of nodes: to whose client it goes
  };
  union {
    std::uint64_t by = 0;  // kStolen, kLetGo: of who says so
    std::uint64_t number;  // of nodes: so many were sent in that session, this one included
    Token token;           // kHandedOver: of the term
  };
  WallTime until{};  // kStolen: the thief claims it until then
};

}  // namespace leasescope
