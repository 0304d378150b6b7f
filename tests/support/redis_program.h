// Redis under either of the names a Debian may have it by.
#pragma once
#include <QStandardPaths>
#include <QString>

namespace leasescope::tests {

// The server's, as a shell would find it; empty when there is none.
inline QString redis_server_program() {
  for (const char* name : {"redis-server", "valkey-server"})
    if (const QString found = QStandardPaths::findExecutable(QString::fromLatin1(name)); !found.isEmpty()) return found;
  return {};
}
// The client for terminals, which comes with the server.
inline QString redis_client_program() {
  for (const char* name : {"redis-cli", "valkey-cli"})
    if (const QString found = QStandardPaths::findExecutable(QString::fromLatin1(name)); !found.isEmpty()) return found;
  return {};
}
inline constexpr const char* kNoRedis = "neither redis-server nor valkey-server is installed";

}  // namespace leasescope::tests
