// A watch of stores that are none: what their observers would tell is told by hand, and time passes when told.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/loop/loop.h"
#include "core/observe/watch.h"

namespace leasescope::tests {

// Nothing falls due, and nothing is ready: who watches by hand needs the time alone.
class StillLoop final : public Loop {
 public:
  TrueTime now() const override { return now_; }
  void pass(Duration length) { now_ += length; }
  TimerId delay(Duration, Task) override { return 0; }
  void cancel(TimerId) override {}
  void post(Task) override {}
  WatchId watch(int, Readiness, Task) override { return 0; }
  void unwatch(WatchId) override {}

 private:
  TrueTime now_{std::chrono::seconds(100)};
};

class WatchedByHand {
 public:
  explicit WatchedByHand(const std::vector<std::string>& stores = {"redis://host"}) : watch_(loop_, {}) {
    listeners_.resize(stores.size());
    for (std::size_t i = 0; i < stores.size(); ++i)
      watch_.add(stores[i], [this, i](ObserverListener& listener) {
        listeners_[i] = &listener;
        return std::make_unique<Nobody>(quiet_);
      });
    for (ObserverListener* each : listeners_) each->on_sighted();
  }

  // Of a mutex that somebody holds; an empty owner: nobody does.
  static Sighting seen(const std::string& mutex, const std::string& owner, Token token = kNoToken) {
    Sighting out;
    out.mutex = mutex;
    out.owner = owner;
    out.token = token;
    return out;
  }
  static Sighting seen(const std::string& mutex, const std::string& owner, Token token, Duration left) {
    Sighting out = seen(mutex, owner, token);
    out.left = left;
    return out;
  }
  // Asked 2 ms ago.
  void tell(Sighting sighting, std::size_t store = 0) {
    sighting.asked = loop_.now() - std::chrono::milliseconds(2);
    sighting.answered = loop_.now();
    listeners_[store]->on_seen(sighting);
    watch_.history();
  }
  void all_seen() {
    for (ObserverListener* each : listeners_) each->on_all_seen();
  }
  void blind(std::size_t store, const std::string& why) { blind(store, why, loop_.now()); }
  void blind(std::size_t store, const std::string& why, TrueTime since) { listeners_[store]->on_blind(since, why); }
  // Nobody told of a change until then, who would have.
  void quiet(TrueTime until) { quiet_ = until; }
  void sighted(std::size_t store) { listeners_[store]->on_sighted(); }
  void pass(Duration length) {
    loop_.pass(length);
    watch_.history();
  }

  Watch& watch() { return watch_; }
  TrueTime now() const { return loop_.now(); }
  const WatchedMutex& mutex(const std::string& name) const {
    for (const auto& each : watch_.mutexes())
      if (each->name == name) return *each;
    return *watch_.mutexes().at(watch_.mutexes().size());  // there is none: it throws
  }

 private:
  class Nobody final : public Observer {
   public:
    explicit Nobody(const TrueTime& quiet) : quiet_(quiet) {}
    void begin() override {}
    ObserverFigures figures() const override { return {}; }
    TrueTime quiet_until(const std::string&) const override { return quiet_; }

   private:
    const TrueTime& quiet_;
  };

  StillLoop loop_;
  TrueTime quiet_ = TrueTime::min();
  Watch watch_;
  std::vector<ObserverListener*> listeners_;
};

}  // namespace leasescope::tests
