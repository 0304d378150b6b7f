// leasescope_client: distributed mutexes for C++ programs, on Redis, PostgreSQL, MySQL or ZooKeeper. No Qt.
//
//   auto client = leasescope::client::Client::open("redis://localhost");
//   auto locker = client->locker("orders");
//   if (auto lock = locker->acquire(std::chrono::seconds(5))) write_to_the_ledger(lock->term().fence);
//
// A lease can end while its owner believes in it: a paused process, a store that forgets. So whatever the mutex
// protects should be given the fencing token of the term, and refuse one that is lower than the highest it has seen.
//
// All classes may be used from several threads. Callbacks of one object come one after the other, from a thread of its
// own, so that they may take their time: the lease is renewed meanwhile. A program that forks uses its client in one of
// the two processes only.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <tl/expected.hpp>

#define LEASESCOPE_API __attribute__((visibility("default")))
#define LEASESCOPE_INSIDE __attribute__((visibility("hidden")))

namespace leasescope::client {

using Nanoseconds = std::chrono::nanoseconds;

// Whole milliseconds. Of a store with sessions (ZooKeeper) the ttl is the session's time-out, and there is no
// transition.
struct Terms {
  Nanoseconds ttl = std::chrono::seconds(10);  // nobody else may take the mutex before it is over
  // Then its owner may still renew, and nobody else take it. More than 1 % of both and 2 ms, or no renewal came in
  // time.
  Nanoseconds transition = std::chrono::seconds(6);
  Nanoseconds timeout = std::chrono::seconds(1);  // of each request to the store

  bool operator==(const Terms&) const = default;
};

// One ownership.
struct Term {
  std::string mutex;
  std::string owner;        // this contender's id at the store
  std::uint64_t fence = 0;  // rises from term to term; 0 where the store keeps none
};

// Why an ownership ended.
enum class End {
  kStopped,  // it was asked to
  kExpired,  // the lease was not renewed in time
  kLost,     // the store says that somebody else owns it, or that its session is over
};

class Contender;
class Locker;
class LeaderScheduler;
struct Schedule;

// What one of them throws is told by on_trouble.
struct Callbacks {
  std::function<void(const Term&)> on_acquired;
  // Nothing may be done under the mutex from here on. A stop is over, and a lease given back, once it has returned.
  std::function<void(const Term&, End)> on_released;
  // The store cannot be reached or refuses, in its words; "" when it is well again. Also what one should know of it.
  std::function<void(const std::string&)> on_trouble;
};

// What a leader does, again and again. Work that takes long asks the token whether it is to end.
using LeaderWork = std::function<void(const Term&, std::stop_token)>;

// A store, and one thread for all mutexes of it. Copies are the same client; it ends with the last that uses it.
class LEASESCOPE_API Client {
 public:
  // `store`: redis://…, postgresql://…, mysql://…, zookeeper://…, with what their clients know. Connects to nobody yet.
  // Errors say what is wrong with it; of a text in which a password may stand they repeat nothing.
  static tl::expected<Client, std::string> open(const std::string& store, const std::string& password = {});

  // Errors: a name that a store cannot keep, terms that make no sense.
  tl::expected<Contender, std::string> contender(const std::string& mutex, Callbacks callbacks, Terms terms = {}) const;
  tl::expected<Locker, std::string> locker(const std::string& mutex, Terms terms = {}) const;
  tl::expected<LeaderScheduler, std::string> leader_scheduler(const std::string& mutex, Schedule schedule,
                                                              LeaderWork work, Terms terms = {}) const;

  // Tells whoever watches what the contenders of this client believe, from now on: `where` is "channel", the store's
  // messages, or "unix:/path", a socket of this machine. Nothing waits for it, and what cannot be sent is lost. Errors:
  // another word, a store without messages. `refused`: once, from the client's thread, that the server lets us tell
  // nothing, in its words; it must not call the client.
  tl::expected<void, std::string> tell_beliefs(const std::string& where,
                                               std::function<void(const std::string&)> refused = {}) const;

  struct LEASESCOPE_INSIDE Parts;

 private:
  explicit Client(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<Parts> parts_;
};

// Contends for a mutex until it is stopped: owns, loses, waits, owns again.
class LEASESCOPE_API Contender {
 public:
  Contender(Contender&&) noexcept;
  Contender& operator=(Contender&&) noexcept;
  ~Contender();  // stops

  void start();
  // Returns when on_released has, and the lease is given back. From a callback of its own it only begins to.
  void stop();

  // Compares the clock: false as soon as the lease may be over, whoever has been told.
  bool owns() const;
  // Of the latest ownership.
  Term term() const;
  const std::string& id() const;
  // Why the store cannot be reached or refuses; "" for no reason.
  std::string trouble() const;
  // Who owned the mutex when the store was asked last; "" for nobody, or where the store does not say.
  std::string other() const;

  struct LEASESCOPE_INSIDE Parts;

 private:
  friend class Client;
  explicit Contender(std::shared_ptr<Parts> parts);
  std::shared_ptr<Parts> parts_;
};

// A mutex that is held; given back when this goes.
class LEASESCOPE_API Lock {
 public:
  Lock(Lock&&) noexcept;
  Lock& operator=(Lock&&) noexcept;
  ~Lock();

  const Term& term() const { return term_; }
  // As Contender::owns.
  bool owns() const;
  // True when it was still held.
  bool release();

 private:
  friend class Locker;
  Lock(std::shared_ptr<void> parts, Term term) : parts_(std::move(parts)), term_(std::move(term)) {}
  std::shared_ptr<void> parts_;
  Term term_;
};

struct NotLocked {
  enum class Why {
    kTimeout,  // it was not to be had in time
    kHeld,     // by this locker: it is not re-entrant, also not for the thread that holds
  };
  Why why = Why::kTimeout;
  std::string message;  // who holds it, or what is wrong with the store
};

// Acquires a mutex now and then. Not re-entrant.
class LEASESCOPE_API Locker {
 public:
  Locker(Locker&&) noexcept;
  Locker& operator=(Locker&&) noexcept;
  ~Locker();

  // Waits for so long at most; zero: for the store's first answer. The first look at a store, once for a client, is not
  // bounded by that: a server that does not answer takes some seconds.
  tl::expected<Lock, NotLocked> acquire(Nanoseconds within = Nanoseconds::max());
  // Called, from a thread of its own, when a lock that is held is lost.
  void on_lost(std::function<void(const Term&)> callback);

  struct LEASESCOPE_INSIDE Parts;

 private:
  friend class Client;
  explicit Locker(std::shared_ptr<Parts> parts);
  std::shared_ptr<Parts> parts_;
};

// When a leader works: at once when it begins to lead, then again and again.
struct Schedule {
  enum class Kind { kFixedDelay, kFixedRate };
  Kind kind = Kind::kFixedDelay;
  Nanoseconds period{};  // from the end to the next beginning; fixed rate: from beginning to beginning

  static Schedule fixed_delay(Nanoseconds delay) { return {Kind::kFixedDelay, delay}; }
  // A beginning that is missed, because the work took longer, is not made up for.
  static Schedule fixed_rate(Nanoseconds period) { return {Kind::kFixedRate, period}; }
};

// Contends for the lead, and works while it leads. The work is asked to stop when the lead ends, and waited for before
// the mutex is given back.
class LEASESCOPE_API LeaderScheduler {
 public:
  LeaderScheduler(LeaderScheduler&&) noexcept;
  LeaderScheduler& operator=(LeaderScheduler&&) noexcept;
  ~LeaderScheduler();  // stops

  void start();
  // Returns when the work has ended, and the mutex is given back. From the work itself it only begins to.
  void stop();
  bool leads() const;
  // What the work threw, or what is wrong with the store, as it is told; from a thread of its own. Before start().
  void on_trouble(std::function<void(const std::string&)> callback);

  struct LEASESCOPE_INSIDE Parts;

 private:
  friend class Client;
  explicit LeaderScheduler(std::shared_ptr<Parts> parts);
  std::shared_ptr<Parts> parts_;
};

}  // namespace leasescope::client
