#include "app/leasescopectl_password.h"

#include <termios.h>
#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

namespace leasescope::ctl {

std::optional<std::string> ask_password(const std::string& store) {
  termios shown{};
  if (::isatty(STDERR_FILENO) == 0 || ::tcgetattr(STDIN_FILENO, &shown) != 0) return std::nullopt;
  fmt::print(stderr, "Password for {}: ", store);
  std::fflush(stderr);
  termios hidden = shown;
  hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
  std::string typed;
  for (int c = std::getchar(); c != EOF && c != '\n'; c = std::getchar()) typed += static_cast<char>(c);
  ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
  fmt::print(stderr, "\n");
  return typed;
}

}  // namespace leasescope::ctl
