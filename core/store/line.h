// One connection to a store that keeps coming back: connect, log in, serve, and after a break the same with a back-off.
#pragma once
#include <functional>
#include <string>

#include "core/loop/one_shot.h"
#include "core/store/resolver.h"
#include "core/store/store.h"

namespace leasescope {

class Line {
 public:
  // Both are called from the loop, never from within a call of this class. `down` also tells of failed attempts.
  struct Events {
    std::function<void()> up;
    std::function<void(const std::string&)> down;
  };

  virtual ~Line() = default;  // of which each takes its connection down itself
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void connect();
  // Gives the connection up, with all that is on its way to the server, and makes a new one.
  void abandon(const std::string& reason);
  bool up() const { return up_; }
  // What it serves works: the next break is tried again soon. Until then the delay between attempts grows.
  void proven() { back_off_.reset(); }

 protected:
  Line(Loop& loop, const Endpoint& endpoint, Events events);

  // Begins to connect, which leads to stands() or to abandon().
  virtual void begin() = 0;
  // Why there is no connection when its time is over.
  virtual std::string in_vain() const { return "no connection within 2s"; }
  // Hard: what has not reached the server must not arrive any more.
  virtual void drop(bool hard) = 0;
  void stands();
  // The same line, to another server, as begin() finds it: nobody is told while that succeeds.
  void turn();
  // Between two attempts: what it waits for has come, and the next one is made now.
  void again();

  Loop* loop_;
  Endpoint endpoint_;
  Resolver resolver_;

 private:
  void open();
  void begin_in_time();

  Events events_;
  BackOff back_off_;
  OneShot timer_;      // of the connection attempt, and between attempts
  OneShot broken_;     // a break is told of at the loop's next turn
  bool open_ = false;  // connecting or connected
  bool up_ = false;
};

}  // namespace leasescope
