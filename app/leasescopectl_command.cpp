#include "app/leasescopectl_command.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fmt/format.h>

namespace leasescope::ctl {
namespace {

// In the new process, until exec: only what a process that was forked from threads may do.
[[noreturn]] void become(char* const* words, char* const* environment, int go, int failed) {
  ::setpgid(0, 0);
  char word = 0;
  // It begins when the guardian knows of it; if we are gone by then, never.
  if (::read(go, &word, 1) != 1) ::_exit(Command::kNotExecutable);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGPIPE, SIGTTOU}) ::signal(number, SIG_DFL);  // which we had changed
  ::execvpe(words[0], words, environment);
  const int error = errno;
  [[maybe_unused]] const auto put = ::write(failed, &error, sizeof error);
  ::_exit(error == ENOENT ? Command::kNotFound : Command::kNotExecutable);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Ours, but for what is given anew.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& given) {
  std::vector<std::string> out;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view known(*each);
    bool anew = false;
    for (const auto& [name, value] : given) anew = anew || known.substr(0, known.find('=')) == name;
    if (!anew) out.emplace_back(known);
  }
  for (const auto& [name, value] : given) out.push_back(fmt::format("{}={}", name, value));
  return out;
}

}  // namespace

Command::~Command() {
  if (running()) signal(SIGKILL);
}

tl::expected<void, std::string> Command::start(const std::vector<std::pair<std::string, std::string>>& environment,
                                               Guardian& guardian, Duration until) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  code_.reset();
  std::vector<std::string> variables = environment_with(environment);
  std::vector<std::string> words = words_;
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  int go[2] = {}, failed[2] = {};
  if (::pipe2(go, O_CLOEXEC) != 0 || ::pipe2(failed, O_CLOEXEC) != 0) return tl::unexpected(std::strerror(errno));
  const pid_t child = ::fork();
  if (child == 0) become(argv.data(), envp.data(), (::close(go[1]), go[0]), failed[1]);
  const int error = errno;
  ::close(go[0]);
  ::close(failed[1]);
  if (child > 0) {
    ::setpgid(child, child);
    group_ = child;
    guardian.guard(group_, until);
    [[maybe_unused]] const auto put = ::write(go[1], "g", 1);
  }
  ::close(go[1]);
  int reason = child < 0 ? error : 0;
  if (child > 0 && ::read(failed[0], &reason, sizeof reason) != sizeof reason) reason = 0;  // closed by exec
  ::close(failed[0]);
  if (reason == 0) return {};
  return tl::unexpected(fmt::format("{}: {}", words_.front(), std::strerror(reason)));
}

void Command::signal(int number) const {
  if (running()) ::kill(-group_, number);
}

void Command::take(pid_t child, int status) {
  if (child != group_) return;
  if (WIFSTOPPED(status)) stopped_ = true;
  if (WIFEXITED(status)) code_ = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) code_ = 128 + WTERMSIG(status);
}

bool Command::over() {
  if (running() && code_ && ::kill(-group_, 0) != 0 && errno == ESRCH) group_ = 0;
  return !running();
}

}  // namespace leasescope::ctl
