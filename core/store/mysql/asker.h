// A connection to MySQL for the look before a run: one question after another, all within one time limit.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/mysql/connection.h"
#include "core/store/mysql/sealed_way.h"
#include "core/store/patience.h"

namespace leasescope::mysql {

struct Trouble {
  unsigned error = 0;  // the server's number, 0 when it did not come to that
  std::string message;
};

class Asker {
 public:
  using Row = tl::expected<std::vector<std::string>, Trouble>;

  explicit Asker(std::chrono::milliseconds patience, const std::stop_token& stop = {}) : patience_(patience, stop) {}

  // The host's addresses are tried one after another.
  tl::expected<void, Trouble> connect(const StoreUrl& url);
  // One statement or several: the first row of the last that had rows, empty when there was none.
  Row ask(const std::string& sql);

 private:
  tl::expected<void, Trouble> connect(const StoreUrl& url, const Login& login,
                                      const std::shared_ptr<const tls::Context>& context, const Endpoint& address);
  // A connection there, as nothing but bytes.
  tl::expected<int, Trouble> reach(const Endpoint& address) const;
  // Until it is over.
  tl::expected<void, Trouble> wait(int waits);
  tl::expected<int, Trouble> wait_once(int waits);

  Patience patience_;
  std::unique_ptr<SealedWay> way_;  // null: without TLS
  std::unique_ptr<Connection> connection_;
};

}  // namespace leasescope::mysql
