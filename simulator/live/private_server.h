// A server of one's own for a run, by its store type's recipe: in a temporary folder, gone at the end.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/store_type.h"
#include "simulator/live/preloaded_clock.h"
#include "simulator/live/private_folder.h"
#include "simulator/live/server_process.h"

namespace leasescope {

struct PrivateServerOptions {
  std::string password;     // asked of every client; empty = none
  int connections = 100;    // how many will be wanted at once
  bool remembers = false;   // what it held, over kill() and start_again()
  int servers = 1;          // that are one store together, where its type can: an ensemble
  bool replica = false;     // another can follow it, where its type can
  bool sets_clock = false;  // it has a clock of its own, which set_clock() sets
};

// Dies with the thread that starts it, however that ends; kill() is what a fault does to it. Its calls block, without
// an event loop, and all come from that thread.
class PrivateServer {
 public:
  explicit PrivateServer(const StoreType& type, PrivateServerOptions options = {});
  ~PrivateServer();

  // Returns when the server answers. Errors say what is missing and how to get it. Told to stop it fails within a
  // moment, and what is there by then goes with this object.
  tl::expected<void, std::string> start(std::stop_token stop = {});
  // Like a power cut.
  void kill();
  // After kill(): at the same address, with what it had brought to a safe place.
  tl::expected<void, std::string> start_again();
  // Stopped, and let go on, with all of its processes (SIGSTOP, SIGCONT).
  void freeze();
  void thaw();
  bool running() const;
  // The same of one of several, from 0 on. It is not waited for until the others have taken it in again.
  void kill(std::size_t which);
  tl::expected<void, std::string> start_again(std::size_t which);
  bool running(std::size_t which) const;
  // Its clock, where it has one of its own, shows the true time and so much more, or less; over start_again() too. What
  // it measures lengths of time by is not touched.
  void set_clock(Duration ahead);

  // ---- its replica, where it has one
  // Started where it does not run, and told to follow the leader that is found there; it is not waited for until it
  // has done so.
  tl::expected<void, std::string> follow(const Endpoint& leader);
  // Whether it has all that its leader holds, but for what is on its way.
  tl::expected<bool, std::string> follows() const { return type_->follows(replica()); }
  // It leads from now on, with what it has got, and is the server; the one that led before is at its end, and may
  // follow.
  tl::expected<void, std::string> promote();
  StoreUrl replica() const;

  // How to reach it, once started; `given`, as if somebody had named it.
  const StoreUrl& url() const { return recipe_.url; }

 private:
  std::string home() const;  // the server's, in the private folder
  tl::expected<void, std::string> give_clock();
  tl::expected<void, std::string> give_folder_away();
  tl::expected<void, std::string> write_files();
  tl::expected<void, std::string> prepare();
  tl::expected<void, std::string> serve();
  tl::expected<void, std::string> wait_for_answer();
  tl::expected<void, std::string> look_at_clock();
  std::unique_ptr<ServerProcess> process(const ServerCommand& command, const std::string& said) const;
  std::unique_ptr<ServerProcess> server(std::size_t which) const;
  std::unique_ptr<ServerProcess> server(const ServerCommand& command, const std::string& said) const;
  bool wait(const std::function<bool()>& so, ServerProcess& meanwhile, std::chrono::seconds most) const;

  const StoreType* type_;
  PrivateServerOptions options_;
  std::unique_ptr<PrivateFolder> folder_;
  ServerRecipe recipe_;
  std::vector<std::unique_ptr<ServerProcess>> processes_;
  std::unique_ptr<ServerProcess> replica_;
  int replicas_ = 0;  // that have been started
  std::stop_token stop_;
  unsigned user_ = 0;  // what the server runs as when we are root; 0 = as ourselves
  unsigned group_ = 0;
  std::unique_ptr<PreloadedClock> clock_;  // none: its clock is the machine's
};

}  // namespace leasescope
