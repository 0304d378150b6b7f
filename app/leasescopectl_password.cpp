#include "app/leasescopectl_password.h"

#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include "core/store/password.h"
#include "core/store/types/types.h"

namespace leasescope::ctl {
namespace {

constexpr std::array<int, 3> kEnding{SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t came = 0;

// While it lives, a signal that would end the program is only noted, and only where read() waits; then it is sent
// again. A terminal that was left without its echo would outlive the program.
class SignalsHeld {
 public:
  SignalsHeld() {
    came = 0;
    sigset_t block;
    sigemptyset(&block);
    for (const int number : kEnding) sigaddset(&block, number);
    ::pthread_sigmask(SIG_BLOCK, &block, &mask_);
    struct sigaction noted {};
    noted.sa_handler = [](int number) { came = number; };
    for (std::size_t i = 0; i < kEnding.size(); ++i) {
      ::sigaction(kEnding[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(kEnding[i], &noted, nullptr);
    }
  }
  ~SignalsHeld() {
    for (std::size_t i = 0; i < kEnding.size(); ++i) ::sigaction(kEnding[i], &before_[i], nullptr);
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    if (came != 0) ::raise(came);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  // The next byte; nothing at the end of the input or when a signal came.
  std::optional<char> read() const {
    fd_set input;
    FD_ZERO(&input);
    FD_SET(STDIN_FILENO, &input);
    char c = 0;
    if (::pselect(STDIN_FILENO + 1, &input, nullptr, nullptr, nullptr, &mask_) < 0) return std::nullopt;
    if (::read(STDIN_FILENO, &c, 1) != 1) return std::nullopt;
    return c;
  }

 private:
  sigset_t mask_{};
  std::array<struct sigaction, kEnding.size()> before_{};
};

}  // namespace

std::optional<std::string> ask_password(const std::string& store) {
  termios shown{};
  if (::isatty(STDERR_FILENO) == 0 || ::tcgetattr(STDIN_FILENO, &shown) != 0) return std::nullopt;
  fmt::print(stderr, "Password for {}: ", store);
  std::fflush(stderr);
  const SignalsHeld signals;
  termios hidden = shown;
  hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
  std::string typed;
  for (auto c = signals.read(); c && *c != '\n'; c = signals.read()) typed += *c;
  ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
  fmt::print(stderr, "\n");
  return typed;
}

tl::expected<StoreUrl, std::string> given_store(const std::string& text, const std::string& password_file,
                                                const std::string& of_no_use) {
  auto url = parse_store_url(text);
  if (!url) return url;
  if (!url->given) return tl::unexpected(fmt::format("{}: {}, such as {}", text, of_no_use, url->type->forms.front()));
  if (!password_file.empty()) {
    const auto password = password_of_file(password_file);
    if (!password) return tl::unexpected("--password-file " + password.error());
    url->password = *password;
  }
  if (const auto found = fill_password(*url); !found) return tl::unexpected(found.error());
  return url;
}

}  // namespace leasescope::ctl
