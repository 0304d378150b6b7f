// A blocking connection to PostgreSQL for floors and peers; errors are thrown in the server's words.
#pragma once
#include <libpq-fe.h>

#include <memory>
#include <stdexcept>

#include "core/store/postgres/conninfo.h"

namespace leasescope::bench {

struct FreePostgres {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
using PostgresConnection = std::unique_ptr<PGconn, FreePostgres>;

inline PostgresConnection connect_postgres(const StoreUrl& url) {
  const postgres::ConnInfo info(url, url.endpoint);
  PostgresConnection out(PQconnectdbParams(info.keywords().data(), info.values().data(), 0));
  if (PQstatus(out.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(out.get()));
  return out;
}

// Not waited for: answered() does that.
inline void say(const PostgresConnection& to, const char* sql) {
  if (PQsendQuery(to.get(), sql) == 0) throw std::runtime_error(PQerrorMessage(to.get()));
}

inline void answered(const PostgresConnection& from) {
  while (PGresult* result = PQgetResult(from.get())) {
    const ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) throw std::runtime_error(PQerrorMessage(from.get()));
  }
}

inline void carry_out(const PostgresConnection& by, const char* sql) {
  say(by, sql);
  answered(by);
}

}  // namespace leasescope::bench
