#include "app/leasescopectl_alert_command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

#include "app/leasescopectl.h"

namespace leasescope::ctl {
namespace {

constexpr std::size_t kMostRunning = 4, kMostWaiting = 1000;
constexpr Duration kPatience = std::chrono::minutes(1);
constexpr std::size_t kLongestFact = 4096;  // bytes: what is longer than 128 kB no program can be started with

// Of UTF-8.
bool is_within_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Ours, but for what is given anew; `LEASESCOPE_ALERT…` of a watch that was itself run by another is not ours to hand
// on.
std::vector<std::string> environment_with(const AlertFacts& facts) {
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each)
    if (std::strncmp(*each, "LEASESCOPE_ALERT", 16) != 0) out.emplace_back(*each);
  for (const auto& [name, value] : facts) {
    std::string text = value.substr(0, kLongestFact);  // of a mutex's name, which may be anything but a C string
    while (text.size() < value.size() && !text.empty() && is_within_character(value[text.size()])) text.pop_back();
    std::replace(text.begin(), text.end(), '\0', ' ');
    out.push_back(fmt::format("{}={}", name, text));
  }
  return out;
}

// What it says goes where our complaints go; it reads nothing, and no signal of ours is blocked in it. The child's
// number, or less than 0 with errno.
pid_t spawn(const std::string& line, const AlertFacts& facts) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t terms;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&terms);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  sigset_t none, usual;
  ::sigemptyset(&none);
  ::sigemptyset(&usual);
  ::sigaddset(&usual, SIGPIPE);
  ::posix_spawnattr_setsigmask(&terms, &none);
  ::posix_spawnattr_setsigdefault(&terms, &usual);
  ::posix_spawnattr_setpgroup(&terms, 0);
  ::posix_spawnattr_setflags(&terms, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> variables = environment_with(facts), words{"sh", "-c", line};
  std::vector<char*> environment, arguments;
  for (std::string& each : variables) environment.push_back(each.data());
  for (std::string& each : words) arguments.push_back(each.data());
  environment.push_back(nullptr);
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int error = ::posix_spawn(&child, "/bin/sh", &files, &terms, arguments.data(), environment.data());
  ::posix_spawnattr_destroy(&terms);
  ::posix_spawn_file_actions_destroy(&files);
  if (error == 0) return child;
  errno = error;
  return -1;
}

}  // namespace

AlertCommand::~AlertCommand() {
  if (!waiting_.empty())
    complain(fmt::format("--on-alert: it ends, and the command is not told of {}", counted(waiting_.size(), "alert")));
  for (const auto& [group, each] : running_) {
    loop_->unwatch(each.watch);
    loop_->cancel(each.patience);
    ::close(each.descriptor);
  }
}

void AlertCommand::run(AlertFacts facts) {
  if (waiting_.size() >= kMostWaiting) {
    if (!full_)
      complain(fmt::format("--on-alert: {} alerts wait for the command; more are not told to it", kMostWaiting));
    full_ = true;
    return;
  }
  waiting_.push_back(std::move(facts));
  begin_next();
}

void AlertCommand::begin_next() {
  while (!waiting_.empty() && running_.size() < kMostRunning) {
    const AlertFacts facts = std::move(waiting_.front());
    waiting_.pop_front();
    begin(facts);
  }
  full_ = full_ && waiting_.size() >= kMostWaiting;
}

void AlertCommand::begin(const AlertFacts& facts) {
  const pid_t group = spawn(line_, facts);
  if (group < 0) return complain(fmt::format("--on-alert: it cannot be run: {}", std::strerror(errno)));
  // Not by the name that the C library has for it: that of Debian 12 is none of C++.
  const auto descriptor = static_cast<int>(::syscall(SYS_pidfd_open, group, 0));
  if (descriptor < 0) return complain(fmt::format("--on-alert: it is not waited for: {}", std::strerror(errno)));
  Running& of = running_[group];
  of.group = group;
  of.descriptor = descriptor;
  of.watch = loop_->watch(descriptor, Readiness::kRead, [this, group] { take(group); });
  of.patience = loop_->delay(kPatience, [group] {
    complain("--on-alert: it took longer than a minute, and is ended");
    ::kill(-group, SIGKILL);
  });
}

void AlertCommand::take(pid_t group) {
  const Running of = running_.at(group);
  running_.erase(group);
  loop_->unwatch(of.watch);
  loop_->cancel(of.patience);
  ::close(of.descriptor);
  int status = 0;
  if (::waitpid(group, &status, 0) == group) {
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
      complain(fmt::format("--on-alert: it ended with the exit code {}", WEXITSTATUS(status)));
    if (WIFSIGNALED(status)) complain(fmt::format("--on-alert: it was ended by the signal {}", WTERMSIG(status)));
  }
  begin_next();
}

}  // namespace leasescope::ctl
