// One connection to a team's database: one statement after another, each answered within its time or not at all.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <string>

#include <tl/expected.hpp>

#include "core/history/team/sql.h"
#include "core/store/intake.h"
#include "core/store/postgres/conninfo.h"
#include "core/store/url.h"

namespace leasescope::team {

struct SqlError {
  enum class Kind : std::uint8_t {
    kAway,    // the connection is no more: whether the statement was carried out nobody knows
    kAgain,   // the statement was taken back, and may be tried again on the same connection
    kRefused  // and will be: somebody has to do something
  };
  Kind kind = Kind::kRefused;
  std::string words;  // libpq's or the server's, on one line
  std::string state;  // SQLSTATE, 5 letters; empty where the server said none
  // Of a connection that was not made: nor will it be until somebody changes something, such as a password.
  bool lasts = false;
};

struct ConnectionTerms {
  std::string called = "leasescope";         // what the server's own list of sessions calls it
  bool writes = true;                        // else nothing is changed, and one snapshot of all is read
  std::chrono::milliseconds patience{8000};  // with each answer
  // Whoever waits wants to leave.
  const std::atomic<bool>* leaving = nullptr;
};

// How long an answer is waited for; once its connection is to be left, no longer than kFarewell from then on.
class Limit {
 public:
  static constexpr std::chrono::milliseconds kFarewell{2500};

  Limit(std::chrono::milliseconds whole, const std::atomic<bool>* leaving)
      : whole_(whole), end_(Clock::now() + whole), leaving_(leaving) {}

  std::chrono::milliseconds whole() const { return whole_; }
  // Zero or less: it is over.
  std::chrono::milliseconds left();
  // For one of so many tries that are left an equal share of it.
  Limit share(std::size_t tries) { return Limit(left() / static_cast<int>(tries), leaving_); }

 private:
  using Clock = std::chrono::steady_clock;

  std::chrono::milliseconds whole_;
  Clock::time_point end_;
  const std::atomic<bool>* leaving_;
  bool heard_ = false;
};

class Connection {
 public:
  using Opened = tl::expected<std::unique_ptr<Connection>, SqlError>;
  using Answer = tl::expected<SqlRows, SqlError>;

  // The hosts of the URL and the addresses of each are tried one after another.
  static Opened open(const StoreUrl& url, const ConnectionTerms& terms);

  // Prepared, once a connection.
  Answer ask(const SqlCall& call);
  // As much as an answer may be: the packed events of many blocks.
  Answer ask_much(const SqlCall& call);
  // Several statements in one text, without values; the last result.
  Answer say(const std::string& sql);

 private:
  struct Close {
    void operator()(PGconn* connection) const;
  };
  using Done = tl::expected<void, SqlError>;

  explicit Connection(const ConnectionTerms& terms) : terms_(terms) {}
  Done connect(const StoreUrl& url, const Endpoint& server, Limit limit);
  Done connect(postgres::ConnInfo info, Limit& limit);
  Done settle();
  Answer prepare(const char* sql, std::size_t values);
  Answer run(const char* sql, const SqlCall& call);
  Answer results();
  Done wait(short events, Limit& limit);
  Limit limit() const { return Limit(terms_.patience, terms_.leaving); }
  SqlError broken(SqlError::Kind kind = SqlError::Kind::kAway) const;

  const ConnectionTerms terms_;
  std::unique_ptr<PGconn, Close> connection_;
  std::set<const char*> prepared_;
  Intake intake_;
  bool bounded_ = true;
};

}  // namespace leasescope::team
