#include "core/store/postgres/unasked.h"

#include <libpq-fe.h>

namespace leasescope::postgres {

bool wants_copy(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

}  // namespace leasescope::postgres
