// A line to Redis: commands out, answers and messages in.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/store/connector.h"
#include "core/store/line.h"
#include "core/store/redis/resp_reader.h"

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

class RedisLine final : public Line {
 public:
  // An answer, in the order of the commands, or a pushed message; it may abandon the line.
  using Said = std::function<void(const RespValue&)>;

  RedisLine(Loop& loop, const Endpoint& endpoint, const Login& login, Events events, Said said);
  ~RedisLine() override;

  // Sends at once. False when it is not up.
  bool command(const std::vector<std::string>& words);

 private:
  void begin() override;
  void drop(bool hard) override;
  void on_connected(int descriptor);
  void on_readable();
  void on_greeting(const RespValue& answer);
  void write();

  Login login_;
  Said said_;
  Connector connector_;
  int descriptor_ = -1;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  std::string unwritten_;
  RespReader reader_;
  std::size_t greetings_ = 0;  // answers still to come before it is up
  std::string refusal_;
};

}  // namespace leasescope::redis
