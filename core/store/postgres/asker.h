// A connection to PostgreSQL for the look before a run: one question after another, all within one time limit.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/intake.h"
#include "core/store/patience.h"
#include "core/store/postgres/conninfo.h"

typedef struct pg_result PGresult;

namespace leasescope::postgres {

class Asker {
 public:
  struct Free {
    void operator()(PGconn* connection) const;
    void operator()(PGresult* result) const;
  };
  using Result = std::unique_ptr<PGresult, Free>;
  // Errors are the server's words, or what became of the connection.
  using Answer = tl::expected<Result, std::string>;

  explicit Asker(std::chrono::milliseconds patience, const std::stop_token& stop = {});

  // The URL's hosts and the addresses of each are tried one after another.
  tl::expected<void, std::string> connect(const StoreUrl& url);
  // The last result; without parameters the text may hold several statements.
  Answer ask(const std::string& sql, const std::vector<std::string>& parameters = {});
  // The number of the server's process, as it was told at the login.
  int named_at_login() const;
  // Waits for a message on that channel, and says nothing meanwhile; false when none has come in that time.
  bool hears(const std::string& channel, std::chrono::milliseconds within);

 private:
  // To one of its servers; more than one share the patience with it.
  tl::expected<void, std::string> connect(const StoreUrl& url, const Endpoint& server, std::size_t others);
  tl::expected<void, std::string> connect(const ConnInfo& info);
  Answer result();
  // Waits until the socket is ready and little enough has come.
  tl::expected<void, std::string> wait(short events);
  tl::unexpected<std::string> broken() const;

  Patience patience_;
  std::unique_ptr<PGconn, Free> connection_;
  Intake intake_;
};

// The first field of the first row; empty when there is none.
std::string first_text(const Asker::Result& result);

}  // namespace leasescope::postgres
