// Several stores, watched together: one history of all that is seen, and what is known of each mutex now.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/history/recorder.h"
#include "core/loop/loop.h"
#include "core/observe/observer.h"
#include "core/observe/seen_mutex.h"

namespace leasescope {

struct WatchTerms {
  ObserverTerms look;
  // Of those that are found: only names like this; '*' and '?' as in a shell. Empty: all.
  std::string glob;
  LeaseTerms lease;  // for what is reckoned by them: no store keeps them all
};

struct WatchedMutex {
  WatchedMutex(std::string title, std::size_t store, SeenMutex seen)
      : name(std::move(title)), source(store), book(std::move(seen)) {}
  std::string name;
  std::size_t source;
  SeenMutex book;
  std::deque<TrueTime> handoffs;  // of the last hour
};

struct WatchedStore {
  std::string name;  // printable: never with a password
  std::unique_ptr<Observer> observer;
  bool blind = true;
  TrueTime blind_since{};
  std::string why;      // it is blind
  bool known = false;   // all that there is has been seen once
  TrueTime known_at{};  // ... by then
  std::vector<std::string> remarks;
};

class Watch {
 public:
  using Make = std::function<std::unique_ptr<Observer>(ObserverListener&)>;

  Watch(Loop& loop, const WatchTerms& terms);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Before begin(). Where there are several, a mutex bears its store's name too.
  void add(const std::string& store, const Make& make);
  void begin();
  // Called when something has been seen, or a store is blind or is no more; from the loop.
  void on_change(std::function<void()> changed) { changed_ = std::move(changed); }

  const std::vector<std::unique_ptr<WatchedMutex>>& mutexes() const { return mutexes_; }  // as they were met
  const std::vector<std::unique_ptr<WatchedStore>>& stores() const;
  // Every store has been looked at as a whole once.
  bool complete() const;
  // Brought up to now.
  const History& history();

 private:
  class Source;

  WatchedMutex* mutex(std::size_t source, const std::string& name, bool make);
  void seen(std::size_t source, const Sighting& sighting);
  void heard(std::size_t source, const HeardChange& heard);
  void blind(std::size_t source, TrueTime since, const std::string& why);
  bool is_wanted(const std::string& name) const;
  Sequence record(Event event);
  void changed() const {
    if (changed_) changed_();
  }

  Loop* loop_;
  const WatchTerms terms_;
  Recorder recorder_;
  std::vector<std::unique_ptr<WatchedStore>> stores_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<std::unordered_map<std::string, WatchedMutex*>> by_name_;  // by store
  std::vector<std::unique_ptr<WatchedMutex>> mutexes_;
  std::function<void()> changed_;
  TrueTime told_{};  // of the last event
};

// Whether a name is like a pattern of '*' and '?'.
bool is_like(std::string_view pattern, std::string_view name);

}  // namespace leasescope
