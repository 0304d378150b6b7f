// The live table of a watch on a terminal: keys come from standard input, the picture goes to standard output, and both
// are what they were before when it goes. ncurses is known here alone.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "app/leasescopectl_kept_errors.h"
#include "app/leasescopectl_terminal_guard.h"
#include "app/watch/watch_screen.h"
#include "core/loop/loop.h"

namespace leasescope::ctl {

class WatchTable {
 public:
  // What it shows, and whom it asks to end.
  struct World {
    Loop& loop;
    const Watch& watch;
    AlertDesk& desk;
    std::int64_t epoch_ns = 0;  // the wall clock at the watch's zero, ns since 1970
    std::string recording;      // empty: there is none
    std::function<void()> quit;
  };

  // Why there can be none where standard input and output go; empty: there can.
  static std::string why_not();
  // A job of a shell that runs behind others must leave the terminal alone.
  static bool is_in_background();

  // Before there is another thread: it takes signals. Nothing is shown yet.
  explicit WatchTable(World world);
  ~WatchTable();
  WatchTable(const WatchTable&) = delete;
  WatchTable& operator=(const WatchTable&) = delete;

  // Takes the terminal; the error says why not.
  tl::expected<void, std::string> open();
  // Gives it back, with what was written to standard error meanwhile.
  void close();

  // Something has been seen.
  void note_change() { screen_.note_change(); }
  // Time has gone by: kept up a few times a second.
  void keep();

 private:
  struct Curses;  // what ncurses gives and takes

  WatchNews news() const;
  void draw();
  void take_keys();
  void obey(KeyWish wish);
  void take_signals();
  void resize();
  void suspend();

  World world_;
  WatchScreen screen_;
  KeptErrors errors_;
  std::unique_ptr<TerminalGuard> guard_;
  std::unique_ptr<Curses> curses_;  // null: it has no terminal
  int signals_ = -1;
  Loop::WatchId keys_watch_ = 0, signals_watch_ = 0;
  int keeps_ = 0;
  bool over_ = false;
  std::string message_;  // the last
  std::size_t messages_ = 0;
};

}  // namespace leasescope::ctl
