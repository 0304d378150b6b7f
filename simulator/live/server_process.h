// A process of a private server, with those that it starts itself: they are a group. It dies with the thread that
// starts it, however that ends.
#pragma once
#include <QProcess>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/server_recipe.h"

namespace leasescope {

class ServerProcess {
 public:
  struct Setting {
    std::string folder;  // where it runs
    std::string said;    // the file in it that takes what it writes
    unsigned user = 0;   // what it runs as when we are root; 0: as ourselves
    unsigned group = 0;
    std::vector<std::pair<std::string, std::string>> environment;  // names and values, beside ours
  };

  ServerProcess(const ServerCommand& command, Setting setting);
  ~ServerProcess() { end(); }

  // Errors say what is missing and how to get it.
  tl::expected<void, std::string> start();
  // Ends it as its command wants that, and waits for that.
  void end();
  // To all of it: its group, and its children that have left that.
  void tell(int signal) const;
  // Returns when all of it stands still (SIGSTOP).
  void freeze() const;
  bool running() const { return process_ != nullptr && process_->state() == QProcess::Running; }
  // It has come to a good end by itself.
  bool succeeded() const;
  // For a moment, or until it ends.
  void wait_a_moment();
  // What it has written, the end of it.
  std::string said() const;

 private:
  ServerCommand command_;
  Setting setting_;
  std::unique_ptr<QProcess> process_;
};

}  // namespace leasescope
