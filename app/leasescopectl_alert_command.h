// A command that is run for each alert that begins or is over: `--on-alert`. It writes a mail, calls a webhook, pages
// somebody; the watch does not wait for it.
#pragma once
#include <sys/types.h>

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/loop/loop.h"

namespace leasescope::ctl {

// What the command finds in its environment.
using AlertFacts = std::vector<std::pair<std::string, std::string>>;

class AlertCommand {
 public:
  // A line for the shell.
  AlertCommand(Loop& loop, std::string line) : loop_(&loop), line_(std::move(line)) {}
  // Those that run go on without us.
  ~AlertCommand();
  AlertCommand(const AlertCommand&) = delete;
  AlertCommand& operator=(const AlertCommand&) = delete;

  // One after the other, a few at once. One that takes longer than a minute is ended, and so is what it has started.
  void run(AlertFacts facts);

 private:
  struct Running {
    pid_t group = 0;
    int descriptor = -1;  // readable once it has ended
    Loop::WatchId watch = 0;
    Loop::TimerId patience = 0;
  };

  void begin_next();
  void begin(const AlertFacts& facts);
  void take(pid_t group);

  Loop* loop_;
  const std::string line_;
  std::deque<AlertFacts> waiting_;
  std::map<pid_t, Running> running_;
  bool full_ = false;  // and that has been said
};

}  // namespace leasescope::ctl
