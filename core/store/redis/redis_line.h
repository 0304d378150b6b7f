// One connection to Redis that keeps coming back: connect, log in, serve, and after a break the same with a back-off.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/connector.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/store.h"

namespace leasescope::redis {

struct Login {
  std::string user;
  std::string password;
  std::string database;

  // What is said first; the last of it is PING, which nobody may refuse.
  std::vector<std::vector<std::string>> greeting() const;
};

// As the server reads it: a list of texts.
std::string command_text(const std::vector<std::string>& words);

class RedisLine {
 public:
  // All are called from the loop, never from within a call of this class. `down` also tells of failed attempts. `said`:
  // an answer, in the order of the commands, or a pushed message; it may abandon the line.
  struct Events {
    std::function<void()> up;
    std::function<void(const std::string&)> down;
    std::function<void(const RespValue&)> said;
  };

  RedisLine(Loop& loop, const Endpoint& endpoint, const Login& login, Events events);
  ~RedisLine();
  RedisLine(const RedisLine&) = delete;
  RedisLine& operator=(const RedisLine&) = delete;

  void connect();
  // Gives the connection up, with all that is on its way to the server, and makes a new one.
  void abandon(const std::string& reason);
  bool up() const { return up_; }
  // Sends at once. False when it is not up.
  bool command(const std::vector<std::string>& words);
  // What it serves works: the next break is tried again soon. Until then the delay between attempts grows.
  void proven() { back_off_.reset(); }

 private:
  void open();
  void on_connected(int descriptor);
  void on_readable();
  void on_greeting(const RespValue& answer);
  void write();
  void on_broken(const std::string& reason);
  void drop(bool hard);

  Loop* loop_;
  Endpoint endpoint_;
  Login login_;
  Events events_;
  Resolver resolver_;
  Connector connector_;
  bool open_ = false;  // connecting or connected
  int descriptor_ = -1;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  std::string unwritten_;
  RespReader reader_;
  BackOff back_off_;
  OneShot timer_;              // of the connection attempt, and between attempts
  OneShot broken_;             // a break is told of at the loop's next turn
  std::size_t greetings_ = 0;  // answers still to come before it is up
  std::string refusal_;
  bool up_ = false;
};

}  // namespace leasescope::redis
