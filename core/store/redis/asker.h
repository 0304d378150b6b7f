// A connection to Redis for the look before a run: one question after another, all within one time limit.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/patience.h"
#include "core/store/redis/resp_reader.h"
#include "core/store/url.h"

namespace leasescope::redis {

class Asker {
 public:
  using Words = std::vector<std::string>;
  using Answer = tl::expected<RespValue, std::string>;

  explicit Asker(std::chrono::milliseconds patience, const std::stop_token& stop = {});
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  // The host's addresses are tried one after another.
  tl::expected<void, std::string> connect(const Endpoint& endpoint);
  tl::expected<void, std::string> connect(const std::vector<Endpoint>& addresses);
  // Errors are the server's words, or what became of the connection.
  Answer ask(const Words& words);
  // The same for many, sent at once.
  tl::expected<std::vector<RespValue>, std::string> ask_all(const std::vector<Words>& questions);

 private:
  Answer read();
  tl::expected<void, std::string> write(std::string text);
  // Waits until the descriptor is ready; an error when the time is over.
  tl::expected<void, std::string> wait(short events);

  Patience patience_;
  int descriptor_ = -1;
  RespReader reader_;
};

}  // namespace leasescope::redis
