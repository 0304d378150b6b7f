// Store URLs: redis://user:pw@host:6379/0, postgresql://user:pw@host/db, unix:/path; or a bare word for a private
// server.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/store/port.h"

namespace leasescope {

struct StoreType;

// A TCP port, or a Unix socket when `unix_path` is set.
struct Endpoint {
  std::string host = "127.0.0.1";
  int port = 0;
  std::string unix_path;

  bool operator==(const Endpoint&) const = default;
};

struct StoreUrl {
  const StoreType* type = nullptr;  // of the list of types; null: no store has been named yet
  bool given = false;               // false: a bare word, a private server is started for the run
  int servers = 1;                  // of a private one, that are one store together
  bool sealed = false;              // nobody in between can read what is said, or change it
  Endpoint endpoint;
  std::vector<Endpoint> others;  // where else to ask, as its type means it
  std::string user;
  std::string password;
  std::string database;                        // as its type means it; empty = the server's default
  WakeUp wake_up = WakeUp::kBroadcast;         // by which whoever uses it waits, where its type can
  std::map<std::string, std::string> options;  // what else stands behind '?', for its type's client
};

// For people and histories: without the password. Empty when no store has been named.
std::string printable(const StoreUrl& url);

}  // namespace leasescope
