#include "app/watch_table.h"

#include <langinfo.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/watch_terminfo.h"

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <ncursesw/curses.h>

namespace leasescope::ctl {
namespace {

constexpr int kKeepsAPicture = 2;
constexpr int kEscapeMs = 25;  // after which an Esc is a key, and not the beginning of what another key sends
constexpr Duration kMuted = std::chrono::hours(1);
constexpr std::string_view kProgram = "leasescopectl: ";  // before each message

enum Colour : short { kNone, kGreen, kYellow, kRed, kMagenta };

// The letters that the terminal's locale has.
Letters letters_of_locale() {
  std::setlocale(LC_CTYPE, "");
  return std::string_view(::nl_langinfo(CODESET)) == "UTF-8" ? Letters::kUtf8 : Letters::kAscii;
}

bool wants_colour() {
  const char* const no = std::getenv("NO_COLOR");
  return no == nullptr || *no == '\0';
}

// Whoever started us so that ^Z is ignored would not continue us.
sigset_t own_signals() {
  sigset_t out;
  ::sigemptyset(&out);
  ::sigaddset(&out, SIGWINCH);
  struct sigaction stop {};
  if (::sigaction(SIGTSTP, nullptr, &stop) != 0 || stop.sa_handler != SIG_IGN) ::sigaddset(&out, SIGTSTP);
  return out;
}

Colour colour_of(Ink ink) {
  switch (ink) {
    case Ink::kHeld:
      return kGreen;
    case Ink::kInTransition:
      return kYellow;
    case Ink::kLeaderless:
    case Ink::kAlarm:
      return kRed;
    case Ink::kUnobserved:
      return kMagenta;
    default:
      return kNone;
  }
}

// A line that is reversed has no colours: they would not be read on it.
attr_t look_of(Ink ink, Ground ground) {
  const bool strong = ink == Ink::kStrong || ink == Ink::kAlarm || ink == Ink::kLeaderless;
  const attr_t weight = strong ? A_BOLD : ink == Ink::kMuted ? A_DIM : A_NORMAL;
  switch (ground) {
    case Ground::kHeader:
      return A_UNDERLINE | (strong ? A_BOLD : A_NORMAL);
    case Ground::kChosen:
      return A_REVERSE | (strong ? A_BOLD : A_NORMAL);
    case Ground::kAlarm:
      return A_REVERSE | A_BOLD;
    case Ground::kPlain:
      return weight;
  }
  return A_NORMAL;
}

std::optional<Key> named_key(wint_t code) {
  switch (code) {
    case KEY_UP:
      return Key{Key::kUp};
    case KEY_DOWN:
      return Key{Key::kDown};
    case KEY_PPAGE:
      return Key{Key::kPageUp};
    case KEY_NPAGE:
      return Key{Key::kPageDown};
    case KEY_HOME:
      return Key{Key::kHome};
    case KEY_END:
      return Key{Key::kEnd};
    case KEY_ENTER:
      return Key{Key::kEnter};
    case KEY_BACKSPACE:
      return Key{Key::kBackspace};
    default:
      return {};
  }
}

std::optional<Key> letter_key(wint_t code) {
  switch (code) {
    case '\r':
    case '\n':
      return Key{Key::kEnter};
    case 0x1b:
      return Key{Key::kEscape};
    case 0x08:
    case 0x7f:
      return Key{Key::kBackspace};
    default:
      if (code < 0x20) return {};
      return Key{Key::kLetter, static_cast<char32_t>(code)};
  }
}

bool is_ready(int descriptor, short events) {
  pollfd asked{descriptor, events, 0};
  return ::poll(&asked, 1, 0) == 1 && (asked.revents & events) != 0;
}

}  // namespace

struct WatchTable::Curses {
  explicit Curses(SCREEN* made) : screen(made), keys(::newpad(1, 1)) {
    ::cbreak();
    ::noecho();
    ::curs_set(0);
    ::leaveok(stdscr, TRUE);
    ::set_escdelay(kEscapeMs);
    // A window of their own: to ask for a key draws the window that is asked, unless it is a pad.
    ::keypad(keys, TRUE);
    ::nodelay(keys, TRUE);
    if (!wants_colour() || !::has_colors() || ::start_color() == ERR) return;
    ::use_default_colors();
    const short colours[] = {COLOR_GREEN, COLOR_YELLOW, COLOR_RED, COLOR_MAGENTA};
    for (short i = 0; i < 4; ++i) ::init_pair(static_cast<short>(kGreen + i), colours[i], -1);
    has_colours = true;
  }
  ~Curses() {
    ::endwin();
    ::delwin(keys);
    ::delscreen(screen);
  }
  Curses(const Curses&) = delete;
  Curses& operator=(const Curses&) = delete;

  void put(const TextLine& line, int row) const {
    ::wmove(stdscr, row, 0);
    for (const Piece& each : line.pieces) {
      const bool coloured = has_colours && line.ground == Ground::kPlain;
      ::wattr_set(stdscr, look_of(each.ink, line.ground), coloured ? colour_of(each.ink) : kNone, nullptr);
      const std::wstring text = wide(each.text);
      ::waddnwstr(stdscr, text.c_str(), static_cast<int>(text.size()));
    }
    ::wattr_set(stdscr, A_NORMAL, kNone, nullptr);
  }
  // None: there is none now. What is no key of ours is left out.
  std::optional<Key> next_key(bool* redraw) const {
    for (;;) {
      wint_t code = 0;
      const int kind = ::wget_wch(keys, &code);
      if (kind == ERR) return {};
      if (kind != KEY_CODE_YES && code == 'L' - '@') *redraw = true;  // ^L
      if (const auto key = kind == KEY_CODE_YES ? named_key(code) : letter_key(code)) return key;
    }
  }

  SCREEN* screen;
  WINDOW* keys;
  bool has_colours = false;
};

std::string WatchTable::why_not() {
  if (::isatty(STDOUT_FILENO) == 0) return "standard output is no terminal";
  if (::isatty(STDIN_FILENO) == 0) return "standard input is no terminal, and keys would come from there";
  return terminal_ability().why_not;
}

bool WatchTable::is_in_background() {
  const pid_t foreground = ::tcgetpgrp(STDOUT_FILENO);
  return foreground >= 0 && foreground != ::getpgrp();
}

WatchTable::WatchTable(World world) : world_(std::move(world)), screen_(letters_of_locale()) {
  const sigset_t ours = own_signals();
  ::sigprocmask(SIG_BLOCK, &ours, nullptr);
  signals_ = ::signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
}

WatchTable::~WatchTable() {
  close();
  ::close(signals_);
}

tl::expected<void, std::string> WatchTable::open() {
  const TerminalAbility ability = terminal_ability();
  if (!ability.why_not.empty()) return tl::unexpected(ability.why_not);
  guard_ = std::make_unique<TerminalGuard>(ability.leave, errors_);
  SCREEN* const screen = ::newterm(nullptr, stdout, stdin);
  if (screen == nullptr) {
    guard_.reset();
    return tl::unexpected(std::string("the terminal could not be taken"));
  }
  curses_ = std::make_unique<Curses>(screen);
  errors_.begin();
  keys_watch_ = world_.loop.watch(STDIN_FILENO, Readiness::kRead, [this] { take_keys(); });
  signals_watch_ = world_.loop.watch(signals_, Readiness::kRead, [this] { take_signals(); });
  resize();
  return {};
}

void WatchTable::close() {
  if (curses_ == nullptr) return;
  world_.loop.unwatch(keys_watch_);
  world_.loop.unwatch(signals_watch_);
  curses_.reset();
  guard_.reset();
  errors_.end();
}

WatchNews WatchTable::news() const {
  return {world_.watch, world_.desk, world_.loop.now(), world_.epoch_ns, world_.recording, message_, messages_};
}

void WatchTable::keep() {
  if (curses_ == nullptr) return;
  for (const std::string& each : errors_.take()) {
    message_ = each.rfind(kProgram, 0) == 0 ? each.substr(kProgram.size()) : each;
    ++messages_;
  }
  if (++keeps_ % kKeepsAPicture == 0) draw();
}

// A terminal that stands still (^S) is left alone: to write to it would hold up the watch.
void WatchTable::draw() {
  if (!is_ready(STDOUT_FILENO, POLLOUT)) return;
  const ScreenSize size{static_cast<std::size_t>(::getmaxx(stdscr)), static_cast<std::size_t>(::getmaxy(stdscr))};
  ::werase(stdscr);
  int row = 0;
  for (const TextLine& line : screen_.lines(news(), size)) curses_->put(line, row++);
  ::wnoutrefresh(stdscr);
  ::doupdate();
}

void WatchTable::take_keys() {
  bool any = false, redraw = false;
  while (!over_) {
    const auto key = curses_->next_key(&redraw);
    if (!key) break;
    any = true;
    obey(screen_.press(*key));
  }
  // A terminal that has gone is ready for ever, and tells nothing.
  if (!any && is_ready(STDIN_FILENO, POLLHUP)) obey(KeyWish::kQuit);
  if (over_) return;
  if (redraw) ::clearok(curscr, TRUE);
  draw();
}

void WatchTable::obey(KeyWish wish) {
  if (wish == KeyWish::kNone) return;
  if (wish == KeyWish::kQuit) {
    over_ = true;
    return world_.quit();
  }
  const auto alert = screen_.shown_alert();
  if (!alert) return;
  wish == KeyWish::kAcknowledge ? world_.desk.acknowledge(*alert)
                                : world_.desk.mute(*alert, world_.loop.now() + kMuted);
}

void WatchTable::take_signals() {
  signalfd_siginfo came{};
  if (::read(signals_, &came, sizeof came) != sizeof came) return;
  came.ssi_signo == SIGTSTP ? suspend() : resize();
}

void WatchTable::resize() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
    ::resizeterm(size.ws_row, size.ws_col);
  draw();
}

// As ^Z asks for: the terminal is the shell's until we are continued.
void WatchTable::suspend() {
  ::endwin();
  errors_.end();
  ::signal(SIGTSTP, SIG_DFL);  // not as ncurses has it
  sigset_t stop;
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGTSTP);
  ::sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  ::raise(SIGTSTP);
  ::sigprocmask(SIG_BLOCK, &stop, nullptr);
  errors_.begin();
  ::clearok(curscr, TRUE);
  resize();
}

}  // namespace leasescope::ctl
