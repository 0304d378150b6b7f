// A private server, and what somebody does to it by hand.
#pragma once
#include <hiredis/hiredis.h>
#include <libpq-fe.h>

#include "core/store/mysql/asker.h"
#include "core/store/postgres/conninfo.h"
#include "tests/store/rig.h"

namespace leasescope::tests {

class Ruled {
 public:
  explicit Ruled(const StoreType& type) : server_(type) { started_ = server_.start().has_value(); }

  bool started() const { return started_; }
  StoreUrl url() const { return server_.url(); }
  StoreUrl url(const std::string& user, const std::string& password) const {
    StoreUrl out = server_.url();
    out.user = user;
    out.password = password;
    return out;
  }
  std::string redis(const std::vector<std::string>& words) {
    redisContext* const context = redisConnectUnix(url().endpoint.unix_path.c_str());
    std::vector<const char*> texts;
    for (const std::string& word : words) texts.push_back(word.c_str());
    auto* const reply =
        static_cast<redisReply*>(redisCommandArgv(context, static_cast<int>(texts.size()), texts.data(), nullptr));
    const std::string said = reply->str != nullptr ? reply->str : std::to_string(reply->elements);
    freeReplyObject(reply);
    redisFree(context);
    return said;
  }
  std::string postgres(const std::string& sql) {
    const postgres::ConnInfo info(url(), url().endpoint);
    PGconn* const connection = PQconnectdbParams(info.keywords().data(), info.values().data(), 0);
    PGresult* const result = PQexec(connection, sql.c_str());
    const std::string said = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : PQresultErrorMessage(result);
    PQclear(result);
    PQfinish(connection);
    return said;
  }
  std::string mysql(const std::string& sql) {
    mysql::Asker asker(milliseconds(5000));
    if (const auto connected = asker.connect(url()); !connected) return connected.error().message;
    const auto row = asker.ask(sql);
    if (!row) return row.error().message;
    return row->empty() ? std::string() : row->front();
  }

 private:
  PrivateServer server_;
  bool started_ = false;
};

}  // namespace leasescope::tests
