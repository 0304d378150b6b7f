// A line to Redis: commands out, answers and messages in.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/store/connector.h"
#include "core/store/line.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/tls/session.h"

namespace leasescope::redis {

struct Login {
  std::string user;
  std::string password;
  std::string database;
  std::string host;  // whom its certificate must name, wherever the line leads
  // Null: without TLS. An error: its files cannot be used.
  tl::expected<std::shared_ptr<const tls::Context>, std::string> tls;

  explicit Login(const StoreUrl& url);

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
  std::string in_vain() const override;
  void on_connected(int descriptor);
  void on_readable();
  void on_greeting(const RespValue& answer);
  // Of the bytes that came, what the server says; none when the line has broken.
  std::optional<std::string> heard(std::string_view bytes);
  std::string why_ended(const std::string& how) const;
  void say(const std::string& text);
  void write();

  Login login_;
  Said said_;
  Connector connector_;
  int descriptor_ = -1;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  std::unique_ptr<tls::Session> tls_;  // null: without
  bool heard_ = false;  // a first byte has come
  std::string unwritten_;
  RespReader reader_;
  std::size_t greetings_ = 0;  // answers still to come before it is up
  std::string refusal_;
};

}  // namespace leasescope::redis
