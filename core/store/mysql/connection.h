// A connection of libmariadb that never waits: what is begun says what of its descriptor it waits for, and is gone on
// with when that has come.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/store/intake.h"
#include "core/store/mysql/login.h"
#include "core/store/url.h"

typedef struct st_mysql MYSQL;
typedef struct st_mysql_res MYSQL_RES;

namespace leasescope::mysql {

// What a message of one or several statements brought.
struct Answer {
  std::vector<std::string> row;  // the first of the last statement that had rows; what is null there is "" here
  std::vector<std::vector<std::string>> more;  // those behind it
  unsigned error = 0;                          // the server's number, or the library's from 2000 to 2999; 0: none
  std::string message;                         // of it, fit to be shown
};

class Connection {
 public:
  // Bits; none: it is over, and answer() says how.
  static constexpr int kRead = 1, kWrite = 2;

  // Without TLS, whatever the login says of it: `SealedWay` has that.
  Connection(const StoreUrl& url, const Login& login);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // To a numeric address or a socket's path.
  int connect(const Endpoint& address);
  // One message; the first error ends it.
  int ask(std::string sql);
  int go_on(int ready);

  const Answer& answer() const { return answer_; }
  // An error of the line, not of what was asked: it serves no more.
  bool broken() const { return answer_.error >= 2000 && answer_.error < 3000; }
  int descriptor() const;
  // What has not reached the server never will.
  void cut();

 private:
  enum class Step { kNone, kConnect, kQuery, kRows, kNextResult };

  void set_options();
  int begin(Step step);
  int resume(int ready);
  // Goes from step to step until one has to wait.
  int run(int waits);
  int after_step();
  int failed();
  void keep_rows();

  std::string database_;
  Login login_;
  Endpoint address_;
  std::string sql_;
  Answer answer_;
  Intake intake_;
  MYSQL* mysql_ = nullptr;
  Step step_ = Step::kNone;
  MYSQL* connected_ = nullptr;
  MYSQL_RES* rows_ = nullptr;
  int code_ = 0;  // of the step
};

}  // namespace leasescope::mysql
