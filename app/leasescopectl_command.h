// A command in a process group of its own, with all that it starts.
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "app/leasescopectl_guardian.h"

namespace leasescope::ctl {

class Command {
 public:
  // The codes of a shell for what could not be run at all.
  static constexpr int kNotExecutable = 126;
  static constexpr int kNotFound = 127;

  explicit Command(std::vector<std::string> words) : words_(std::move(words)) {}
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  // Runs it, guarded until then, with those variables in its environment beside ours. What it starts and leaves behind
  // is ours to wait for. Errors are the system's words.
  tl::expected<void, std::string> start(const std::vector<std::pair<std::string, std::string>>& environment,
                                        Guardian& guardian, Duration until);
  // Somebody of the group is there.
  bool running() const { return group_ != 0; }
  pid_t group() const { return group_; }
  // To all of the group.
  void signal(int number) const;

  // A child of ours has ended or was stopped, and that is its status.
  void take(pid_t child, int status);
  // Nobody of the group is there any more. Who has left our care may be: there is no signal for that, it is looked for.
  bool over();
  // The command itself was stopped (SIGTSTP, SIGSTOP) since this was asked last.
  bool stopped() { return std::exchange(stopped_, false); }
  // Of the command itself, once it has ended: its exit code, or 128 + the signal that ended it.
  std::optional<int> code() const { return code_; }

 private:
  std::vector<std::string> words_;
  pid_t group_ = 0;
  std::optional<int> code_;
  bool stopped_ = false;
};

}  // namespace leasescope::ctl
