// A server of one's own for a run, by its store type's recipe: in a temporary folder, gone at the end.
#pragma once
#include <QProcess>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <tl/expected.hpp>

#include "core/store/store_type.h"
#include "simulator/live/private_folder.h"

namespace leasescope {

struct PrivateServerOptions {
  std::string password;     // asked of every client; empty = none
  int connections = 100;    // how many will be wanted at once
  bool remembers = false;   // what it held, over kill() and start_again()
  bool sets_clock = false;  // it has a clock of its own, which set_clock() sets: libfaketime has to be there
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
  // Its clock, where it has one of its own, shows the true time and so much more, or less; over start_again() too. What
  // it measures lengths of time by is not touched.
  tl::expected<void, std::string> set_clock(Duration ahead);

  // How to reach it, once started; `given`, as if somebody had named it.
  const StoreUrl& url() const { return recipe_.url; }

 private:
  std::string home() const;  // the server's, in the private folder
  std::string clock_file() const { return home() + "/clock"; }
  tl::expected<void, std::string> give_clock();
  std::string said() const;  // what the command launched last has written
  tl::expected<void, std::string> give_folder_away();
  tl::expected<void, std::string> write_files();
  tl::expected<void, std::string> prepare();
  tl::expected<void, std::string> serve();
  tl::expected<void, std::string> launch(const ServerCommand& command);
  void tell_all(int signal) const;
  bool wait(const std::function<bool()>& so, std::chrono::seconds most) const;
  bool ended() const;  // the command launched last, or it is to end

  const StoreType* type_;
  PrivateServerOptions options_;
  std::unique_ptr<PrivateFolder> folder_;
  ServerRecipe recipe_;
  std::unique_ptr<QProcess> process_;
  std::stop_token stop_;
  int end_signal_ = 0;  // of what runs
  unsigned user_ = 0;   // what the server runs as when we are root; 0 = as ourselves
  unsigned group_ = 0;
  std::string clock_library_;  // empty: its clock is the machine's
};

}  // namespace leasescope
