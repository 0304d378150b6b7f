// How a private server of a store is made and run: words for whoever carries it out (simulator/live/private_server).
#pragma once
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "core/store/url.h"

namespace leasescope {

// What it is made for.
struct ServerPlace {
  std::string folder;      // its own, empty at first; commands run in it
  std::string password;    // asked of every client; empty = none
  int connections = 100;   // how many will be wanted at once
  bool remembers = false;  // killed and started again it has what it had, also where it is usually made without that
  int servers = 1;         // that are one store together, where its type can: an ensemble
  bool replica = false;    // another stands beside it that can follow it, where its type can
};

struct ServerCommand {
  std::vector<std::string> programs;  // the first that is found
  std::vector<std::string> folders;   // looked in before PATH
  std::string package;                // of Debian, that has it
  std::vector<std::string> arguments;
  // Ends it at once, without a word to its clients; 0: nothing ends it cleanly, and it is let come to its own end,
  // which is near.
  int end_signal = SIGKILL;
};

struct ServerFile {
  std::string path;
  std::string text;
};

// One that can follow what the server leads, and lead itself.
struct ServerReplica {
  ServerCommand serve;
  Endpoint endpoint;
};

struct ServerRecipe {
  std::vector<ServerFile> files;         // written first, for the server's eyes only
  std::optional<ServerCommand> prepare;  // run once, to its end
  ServerCommand serve;
  std::vector<ServerCommand> beside;  // the other servers, of a store that is several
  std::optional<ServerReplica> replica;
  // Whom it runs as when we are root, the first that exists; none: as ourselves. It refuses to be root.
  std::vector<std::string> users;
  StoreUrl url;  // how to reach it, `given`
};

}  // namespace leasescope
