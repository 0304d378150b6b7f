#include "core/store/mysql/connection.h"

#include <mysql.h>
#include <sys/socket.h>

#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/socket.h"

namespace leasescope::mysql {
namespace {

static_assert(Connection::kRead == MYSQL_WAIT_READ && Connection::kWrite == MYSQL_WAIT_WRITE);

constexpr unsigned kFirstOfLibrary = 2000;
constexpr unsigned kTooMuchSaid = kFirstOfLibrary + 999;  // none of the library's own
constexpr const char* kTooMuch = "the server said far more than was asked: is it a MySQL?";

// Where several threads begin at once, the library's own first call is not safe.
void set_up_library() {
  static std::once_flag once;
  std::call_once(once, [] { mysql_server_init(0, nullptr, nullptr); });
}

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

}  // namespace

Connection::Connection(const StoreUrl& url, const Login& login) : database_(url.database), login_(login) {
  set_up_library();
  mysql_ = mysql_init(nullptr);
  set_options();
}

Connection::~Connection() {
  if (rows_ != nullptr) mysql_free_result(rows_);
  mysql_close(mysql_);
}

void Connection::set_options() {
  const unsigned off = 0;
  const unsigned long longest = 1024 * 1024;
  mysql_options(mysql_, MYSQL_OPT_NONBLOCK, nullptr);
  // A server may ask for a file of ours, and an impostor would.
  mysql_options(mysql_, MYSQL_OPT_LOCAL_INFILE, &off);
  mysql_options(mysql_, MYSQL_OPT_MAX_ALLOWED_PACKET, &longest);
  mysql_options(mysql_, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  mysql_options4(mysql_, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "leasescope");
  // The library's own handshake waits; from 3.4 on it would begin one with every server that offers it.
  const my_bool no = 0;
  mysql_options(mysql_, MYSQL_OPT_SSL_ENFORCE, &no);
  mysql_options(mysql_, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &no);
  if (!login_.plugin_folder.empty()) mysql_options(mysql_, MYSQL_PLUGIN_DIR, login_.plugin_folder.c_str());
  if (!login_.plugin.empty()) mysql_options(mysql_, MYSQL_DEFAULT_AUTH, login_.plugin.c_str());
}

int Connection::descriptor() const { return static_cast<int>(mysql_get_socket(mysql_)); }

void Connection::cut() {
  if (descriptor() < 0) return;
  forget_unsent(descriptor());
  // The library says good-bye when it closes, and would wait for room to say it in.
  ::shutdown(descriptor(), SHUT_RDWR);
}

int Connection::connect(const Endpoint& address) {
  address_ = address;
  intake_.begin();
  const int waits = begin(Step::kConnect);
  if (descriptor() >= 0) Intake::narrow(descriptor());
  return run(waits);
}

int Connection::ask(std::string sql) {
  sql_ = std::move(sql);
  answer_ = Answer();
  intake_.begin();
  return run(begin(Step::kQuery));
}

int Connection::go_on(int ready) {
  if (intake_.bounded(descriptor())) return run(resume(ready));
  answer_ = Answer();
  answer_.error = kTooMuchSaid;
  answer_.message = kTooMuch;
  step_ = Step::kNone;
  return 0;
}

int Connection::begin(Step step) {
  step_ = step;
  switch (step) {
    case Step::kConnect: {
      const bool local = !address_.unix_path.empty();
      return mysql_real_connect_start(&connected_, mysql_, local ? "localhost" : address_.host.c_str(),
                                      or_null(login_.user), or_null(login_.password), or_null(database_),
                                      static_cast<unsigned>(address_.port),
                                      local ? address_.unix_path.c_str() : nullptr, CLIENT_MULTI_STATEMENTS);
    }
    case Step::kQuery:
      return mysql_real_query_start(&code_, mysql_, sql_.data(), sql_.size());
    case Step::kRows:
      return mysql_store_result_start(&rows_, mysql_);
    case Step::kNextResult:
      return mysql_next_result_start(&code_, mysql_);
    case Step::kNone:
      break;
  }
  return 0;
}

int Connection::resume(int ready) {
  switch (step_) {
    case Step::kConnect:
      return mysql_real_connect_cont(&connected_, mysql_, ready);
    case Step::kQuery:
      return mysql_real_query_cont(&code_, mysql_, ready);
    case Step::kRows:
      return mysql_store_result_cont(&rows_, mysql_, ready);
    case Step::kNextResult:
      return mysql_next_result_cont(&code_, mysql_, ready);
    case Step::kNone:
      break;
  }
  return 0;
}

int Connection::run(int waits) {
  while (waits == 0 && step_ != Step::kNone) waits = after_step();
  return waits;
}

int Connection::after_step() {
  switch (step_) {
    case Step::kConnect:
      if (connected_ == nullptr) return failed();
      break;
    case Step::kQuery:
      if (code_ != 0) return failed();
      return begin(Step::kRows);
    case Step::kRows:
      if (rows_ == nullptr && mysql_errno(mysql_) != 0) return failed();
      keep_rows();
      if (mysql_more_results(mysql_)) return begin(Step::kNextResult);
      break;
    case Step::kNextResult:
      if (code_ > 0) return failed();
      return begin(Step::kRows);
    case Step::kNone:
      break;
  }
  step_ = Step::kNone;
  return 0;
}

int Connection::failed() {
  step_ = Step::kNone;
  answer_.error = mysql_errno(mysql_);
  answer_.message = escaped(mysql_error(mysql_), kLongestError);
  return 0;
}

void Connection::keep_rows() {
  if (rows_ == nullptr) return;
  answer_.row.clear();
  answer_.more.clear();
  for (bool first = true; char** const row = mysql_fetch_row(rows_); first = false) {
    std::vector<std::string>& cells = first ? answer_.row : answer_.more.emplace_back();
    const unsigned long* const sizes = mysql_fetch_lengths(rows_);
    for (unsigned i = 0; i < mysql_num_fields(rows_); ++i)
      cells.emplace_back(row[i] == nullptr ? "" : row[i], row[i] == nullptr ? 0 : sizes[i]);
  }
  mysql_free_result(std::exchange(rows_, nullptr));
}

}  // namespace leasescope::mysql
