// A line to Redis: commands out, answers and messages in.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/store/connector.h"
#include "core/store/line.h"
#include "core/store/redis/command.h"
#include "core/store/redis/guide.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/tls/session.h"

namespace leasescope::redis {

struct Login {
  std::string user;
  std::string password;
  std::string database;
  bool to_master = false;         // only to a server that says that it is one
  std::optional<tls::Terms> tls;  // none: without TLS

  explicit Login(const StoreUrl& url);

  // What is said first; the last of it is PING, which nobody may refuse.
  std::vector<std::vector<std::string>> greeting() const;
  // Why such an answer to one of them ends the connection; empty: it does not.
  static std::string refusal(const std::vector<std::string>& words, const RespValue& answer);
};

Command command_of(const std::vector<std::string>& words);

class RedisLine final : public Line {
 public:
  // Where a line to that server begins; null: there itself.
  using Way = std::function<Endpoint(const Endpoint&)>;
  // An answer, in the order of the commands, or a pushed message; it may abandon the line.
  using Said = std::function<void(const RespValue&)>;

  RedisLine(Loop& loop, const StoreUrl& url, const Login& login, Way way, Events events, Said said);
  ~RedisLine() override;

  // Sends at once. False when it is not up.
  bool command(const std::vector<std::string>& words) { return command(command_of(words)); }
  bool command(const Command& command);
  // The same line, to that node of a cluster; nobody is told while that succeeds.
  void turn_to(const Endpoint& server);
  // That node may be asked too when the way is looked for.
  void know(const Endpoint& server) { guide_.know(server); }
  const Endpoint& server() const { return server_; }
  // This server is not the one to serve us any more. Where the URL may lead to another, it is looked for.
  void look_elsewhere(const std::string& reason);

 private:
  void begin() override;
  void drop(bool hard) override;
  std::string in_vain() const override;
  void lead_to(const Endpoint& server);
  void on_connected(int descriptor);
  void on_readable();
  void on_greeting(const RespValue& answer);
  // Of the bytes that came, what the server says; none when the line has broken.
  std::optional<std::string> heard(std::string_view bytes);
  std::string why_ended(const std::string& how) const;
  void say(std::string_view text);
  void write();

  Login login_;
  Way way_;
  Said said_;
  Guide guide_;
  Endpoint server_;  // where it leads, or is to lead
  Connector connector_;
  int descriptor_ = -1;
  Loop::WatchId reads_ = 0;
  Loop::WatchId writes_ = 0;
  std::shared_ptr<const tls::Context> context_;  // kept from one attempt to the next, as others may share it
  std::unique_ptr<tls::Session> tls_;            // null: without
  bool heard_ = false;                           // a first byte has come
  std::string unwritten_;
  RespReader reader_;
  std::vector<std::vector<std::string>> greeting_;  // of which the answers are still to come before it is up
  std::size_t greeted_ = 0;                         // of them, answered
  std::string refusal_;
};

}  // namespace leasescope::redis
