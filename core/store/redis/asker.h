// A connection to Redis for the look before a run: one question after another, all within one time limit.
#pragma once
#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/patience.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/tls/session.h"
#include "core/store/url.h"

namespace leasescope::redis {

struct Login;

class Asker {
 public:
  using Words = std::vector<std::string>;
  using Answer = tl::expected<RespValue, std::string>;

  explicit Asker(std::chrono::milliseconds patience, const std::stop_token& stop = {});
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // The host's addresses are tried one after another, after the sentinels if there are any; over TLS where the URL says
  // so.
  tl::expected<void, std::string> connect(const StoreUrl& url);
  // Logs in, and sees whether it is a Redis, and the master that is meant.
  tl::expected<void, std::string> greet(const StoreUrl& url);
  // `others`: how many more are to be tried after these.
  tl::expected<void, std::string> connect(const std::vector<Endpoint>& addresses, std::size_t others = 0);
  // Errors are the server's words, or what became of the connection.
  Answer ask(const Words& words);
  // Without waiting for the answer.
  tl::expected<void, std::string> say(const Words& words);
  // A first byte has come from the server.
  bool heard() const { return heard_; }
  // The same for many, sent at once.
  tl::expected<std::vector<RespValue>, std::string> ask_all(const std::vector<Words>& questions);

 private:
  tl::expected<void, std::string> connect(const Endpoint& server, const Login& login, std::size_t others);
  tl::expected<void, std::string> shake_hands(const tls::Context& context, const std::string& host);
  tl::expected<Endpoint, std::string> find_master(const StoreUrl& url) const;
  Answer read();
  // Waits for bytes, and gives them to the reader.
  tl::expected<void, std::string> hear();
  tl::expected<void, std::string> write(std::string text);
  tl::unexpected<std::string> ended(const std::string& how) const;
  // Waits until the descriptor is ready; an error when the time is over.
  tl::expected<void, std::string> wait(short events);

  Patience patience_;
  std::stop_token stop_;
  int descriptor_ = -1;
  bool heard_ = false;
  std::unique_ptr<tls::Session> tls_;  // null: without
  RespReader reader_;
};

}  // namespace leasescope::redis
