#include "core/store/postgres/intake.h"

#include <libpq-fe.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace leasescope::postgres {
namespace {

// The longest answer anybody asks for has a row of a few hundred bytes, or a server's error.
constexpr std::size_t kMost = 1024 * 1024;

}  // namespace

bool Intake::bounded(const PGconn* connection) {
  int waiting = 0;
  if (::ioctl(PQsocket(connection), FIONREAD, &waiting) == 0) taken_ += static_cast<std::size_t>(waiting);
  return taken_ <= kMost;
}

void Intake::narrow(const PGconn* connection) {
  const int bytes = 4096;
  ::setsockopt(PQsocket(connection), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

bool Intake::wants_copy(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

}  // namespace leasescope::postgres
