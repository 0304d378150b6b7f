// What one observer tells, one recording after another, as one account: the events that come of it.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/history/event.h"

namespace leasescope {

// * From the end of a recording on nothing is known, unless it goes on just now.
// * Who owned before and owns after it has gone on owning; who does no more ended somewhere in between, and so did
//   another begin.
// Names and moments are those of the account, whoever tells has brought them there.
class ContinuedAccount {
 public:
  // Until when a mutex is known, where that is not the end of its recording.
  using Known = std::function<TrueTime(Name mutex)>;

  // Who does not tell, where no store was named.
  void call_teller(Name anybody) { anybody_ = anybody; }
  // The next event; false: it says nothing new, and is left out.
  bool tell(const Event& event);
  // All until then has been told, and what was only seen again, with nobody said to hold it, was free.
  void settle(TrueTime until);
  // A recording is over, and the next one begins.
  void end_part(TrueTime end, bool goes_on, const Known& known = {});
  bool knows(Name mutex) const { return mutexes_.count(mutex.handle) > 0; }

  // What has come of it and was not taken yet.
  std::deque<Event>& ready() { return ready_; }

 private:
  // What was granted, and how far its lease was to last at the least.
  struct Hold {
    Name owner;
    Token token = kNoToken;
    TrueTime until{};
    bool shared = false;  // beside others
  };
  // What a process said of itself last.
  struct Belief {
    Name owner;
    Token token = kNoToken;
    TrueTime said{};
  };
  struct Mutex {
    std::vector<Hold> holds;
    std::vector<Belief> beliefs;  // of those who own, by what they say
    std::vector<Name> waiting;
    Name store;  // who was said not to tell of it
    bool dark = false;
    TrueTime dark_since{};
    TrueTime told = TrueTime::min();  // of its last event
    bool fresh = false;               // it has not been seen in this part, and in one before
  };
  // One that was seen again, of which nothing was said yet; and when that was.
  struct Question {
    Name mutex;
    TrueTime seen{};
    std::vector<Name> beside;  // are told to hold beside each other, as they were seen then
  };

  void end_beliefs(Name mutex, Mutex& of, TrueTime hi);
  void end_waits(Name mutex, Mutex& of, TrueTime hi);
  bool settle(Event& event);
  void settle_open_question(Event* next);
  bool joins_those_seen(Event& next);
  void end_carried(Name mutex, Mutex& of, TrueTime hi, const std::vector<Name>& but = {});
  void put(Event event);
  void put_hold(const Event& event, Mutex& of);
  void put_belief(const Event& event, Mutex& of);

  std::unordered_map<std::uint32_t, Mutex> mutexes_;  // by handle
  std::optional<Question> question_;
  std::deque<Event> ready_;
  TrueTime reached_ = TrueTime::min();
  Name anybody_;
};

}  // namespace leasescope
