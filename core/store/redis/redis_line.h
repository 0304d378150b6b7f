// A line to Redis of its own connection: commands out, answers and messages in.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/store/connector.h"
#include "core/store/redis/guide.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/redis/talk.h"
#include "core/store/tls/session.h"

namespace leasescope::redis {

// What is said of a server that ends a connection without TLS before its first word.
inline constexpr const char* kExpectsTls = "does it expect TLS?";

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

class RedisLine final : public Talk {
 public:
  // Where a line to that server begins; null: there itself.
  using Way = std::function<Endpoint(const Endpoint&)>;

  RedisLine(Loop& loop, const StoreUrl& url, const Login& login, Way way, TalkEnds ends);
  ~RedisLine() override;

  bool command(const std::vector<std::string>& words) override { return command(command_of(words)); }
  bool command(const Command& command) override;
  bool turns() const override { return true; }
  void turn_to(const Endpoint& server) override;
  void know(const Endpoint& server) override { guide_.know(server); }
  const Endpoint& server() const override { return server_; }
  void look_elsewhere(const std::string& reason) override;
  // A server that takes nothing is not written to for ever: with more than so many bytes unwritten the line breaks.
  void keep_at_most(std::size_t bytes) { most_unwritten_ = bytes; }
  // Of one answer, and of one text in it, of somebody who asks for more than a contender does.
  void take_at_most(std::size_t bytes);
  // A contender has one or two calls under way, the longest with the text of a script.
  static constexpr std::size_t kMostOfOne = 64 * 1024;

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
  std::function<void(const RespValue&)> said_;
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
  std::size_t most_unwritten_ = kMostOfOne;
  RespLimits limits_;
  RespReader reader_;
  std::vector<std::vector<std::string>> greeting_;  // of which the answers are still to come before it is up
  std::size_t greeted_ = 0;                         // of them, answered
  std::string refusal_;
};

// Where the lines of a contender with that route begin.
RedisLine::Way way_of(const StoreUrl& url, const StoreRoute& route, bool messages);

}  // namespace leasescope::redis
