#include "app/leasescopectl_terminal_guard.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>

namespace leasescope::ctl {
namespace {

// They end a program unless it handles them. SIGKILL and a loss of power are out of reach.
constexpr std::array kDeadly{SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,    SIGSEGV, SIGSYS, SIGUSR1,
                             SIGUSR2, SIGALRM, SIGXCPU, SIGXFSZ, SIGPROF, SIGVTALRM, SIGPOLL, SIGPWR, SIGSTKFLT};

// All that the handler needs, at a place that is there whatever is wrong.
struct Guarded {
  termios modes{};
  bool has_modes = false;
  std::array<char, 256> leave{};
  std::size_t leave_size = 0;
  const KeptErrors* errors = nullptr;
  std::array<bool, kDeadly.size()> ours{};  // whose handler is ours
};
Guarded guarded;

// Resets itself, so that the signal does then what it does. Async-signal-safe throughout.
void on_deadly(int number) {
  [[maybe_unused]] const auto wrote = ::write(STDOUT_FILENO, guarded.leave.data(), guarded.leave_size);
  if (guarded.has_modes) ::tcsetattr(STDOUT_FILENO, TCSANOW, &guarded.modes);
  if (guarded.errors != nullptr) guarded.errors->give_up();
  ::raise(number);
}

}  // namespace

TerminalGuard::TerminalGuard(const std::string& leave, const KeptErrors& errors) {
  guarded.has_modes = ::tcgetattr(STDOUT_FILENO, &guarded.modes) == 0;
  guarded.leave_size = std::min(leave.size(), guarded.leave.size());
  std::copy_n(leave.begin(), guarded.leave_size, guarded.leave.begin());
  guarded.errors = &errors;
  struct sigaction ours {};
  ours.sa_handler = on_deadly;
  ours.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < kDeadly.size(); ++i) {
    struct sigaction before {};
    ::sigaction(kDeadly[i], nullptr, &before);
    guarded.ours[i] = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
    if (guarded.ours[i]) ::sigaction(kDeadly[i], &ours, nullptr);
  }
}

TerminalGuard::~TerminalGuard() {
  for (std::size_t i = 0; i < kDeadly.size(); ++i)
    if (guarded.ours[i]) ::signal(kDeadly[i], SIG_DFL);
  guarded = {};
}

}  // namespace leasescope::ctl
