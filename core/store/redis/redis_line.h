// One connection to Redis that keeps coming back: connect, log in, serve, and after a break the same with a back-off.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/store.h"

struct redisAsyncContext;
struct redisReply;

namespace leasescope::redis {

struct Login {
  std::string user;
  std::string password;
  std::string database;
};

class RedisLine {
 public:
  using Answer = void (*)(redisAsyncContext*, void*, void*);  // hiredis' callback; `data` of the context is this line

  // Both are called from the loop, never from within a call of this class. `down` also tells of failed attempts.
  struct Events {
    std::function<void()> up;
    std::function<void(const std::string&)> down;
  };

  RedisLine(Loop& loop, const Endpoint& endpoint, const Login& login, Events events);
  ~RedisLine();
  RedisLine(const RedisLine&) = delete;
  RedisLine& operator=(const RedisLine&) = delete;

  void connect();
  // Gives the connection up and makes a new one.
  void abandon(const std::string& reason);
  bool up() const { return up_; }
  // Sends at once. False when it is not up.
  bool command(Answer answer, const std::vector<std::string>& words);

  void* user = nullptr;  // for the owner's answers: from the context to this line to its owner

 private:
  struct Hooks;  // what hiredis calls

  void open();
  void greet();
  void on_greeting(const redisReply* reply);
  void on_broken(const std::string& reason);
  void drop();
  void watch(bool read, bool on);
  void flush();
  void queue(Answer answer, const std::vector<std::string>& words);

  Loop* loop_;
  Endpoint endpoint_;
  Login login_;
  Events events_;
  redisAsyncContext* context_ = nullptr;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  BackOff back_off_;
  OneShot timer_;      // of the connection attempt, and between attempts
  OneShot broken_;     // a break is told of at the loop's next turn
  int greetings_ = 0;  // answers still to come before it is up
  std::string refusal_;
  bool up_ = false;
};

}  // namespace leasescope::redis
