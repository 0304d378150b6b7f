#include "app/watch_terminfo.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/escaped.h"

// They define words such as `lines` as macros: nothing else is included behind them.
#define NCURSES_NOMACROS 1
#include <ncursesw/curses.h>
#include <ncursesw/term.h>

namespace leasescope::ctl {
namespace {

// Without the pauses "$<5>" that terminals of a serial line needed; empty: it cannot do that.
std::string ability(const char* name) {
  const char* const text = ::tigetstr(name);
  if (text == nullptr || reinterpret_cast<std::intptr_t>(text) == -1) return {};
  std::string out = text;
  for (std::size_t begin = 0; (begin = out.find("$<")) != std::string::npos;) {
    const std::size_t end = out.find('>', begin);
    out.erase(begin, end == std::string::npos ? end : end - begin + 1);
  }
  return out;
}

}  // namespace

TerminalAbility terminal_ability() {
  TerminalAbility out;
  const char* const term = std::getenv("TERM");
  const std::string name = escaped(term == nullptr ? "" : term);
  int found = 0;
  if (::setupterm(nullptr, STDOUT_FILENO, &found) == ERR) {
    out.why_not = name.empty() ? "TERM does not say which terminal this is"
                               : fmt::format("nothing is known of a terminal \"{}\" (TERM)", name);
    return out;
  }
  if (ability("cup").empty() || ability("clear").empty())
    out.why_not = fmt::format("a terminal \"{}\" (TERM) cannot write where it is told to", name);
  for (const char* const each : {"sgr0", "rmkx", "cnorm", "rmcup"}) out.leave += ability(each);
  ::del_curterm(::set_curterm(nullptr));
  return out;
}

}  // namespace leasescope::ctl
