// The live table of a watch as a screen of text, and what keys do to it. It knows no terminal: a screen is lines of
// cells, a key is a value.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/watch/mutex_columns.h"
#include "app/watch/mutex_list.h"
#include "app/watch/styled_text.h"
#include "core/alerts/alert_desk.h"
#include "core/observe/watch.h"

namespace leasescope::ctl {

struct Key {
  enum Kind : std::uint8_t {
    kLetter,
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kEnter,
    kEscape,
    kBackspace,
  };
  Kind kind = kLetter;
  char32_t letter = 0;  // of kLetter
};

// What a key asks for that is not the screen's own affair.
enum class KeyWish : std::uint8_t { kNone, kQuit, kAcknowledge, kMute };

struct ScreenSize {
  std::size_t columns = 80, rows = 24;  // cells
  bool operator==(const ScreenSize&) const = default;
};
inline constexpr ScreenSize kSmallestScreen{kFewestCells, 10};

// What there is to be shown.
struct WatchNews {
  const Watch& watch;
  const AlertDesk& desk;
  TrueTime now{};
  std::int64_t epoch_ns = 0;  // the wall clock at the watch's zero, ns since 1970
  std::string recording;      // where all that is seen is written to; empty: nowhere
  std::string message;        // the last that was complained of
  std::size_t messages = 0;
};

class WatchScreen {
 public:
  explicit WatchScreen(Letters letters) : letters_(letters) {}

  // Something has been seen.
  void note_change() { list_.note_change(); }
  KeyWish press(const Key& key);
  // As many lines as the size has rows, none wider than it is. Of the mutexes it looks at those that are seen, and now
  // and then at all (MutexList).
  std::vector<TextLine> lines(const WatchNews& news, ScreenSize size);

  const MutexList& list() const { return list_; }
  const WatchedMutex* chosen() const { return chosen_; }  // null: none
  // The alert that stands first in the last picture, by its place at the desk; none: none stands in it. Whoever deals
  // with one means that, whatever has begun meanwhile.
  std::optional<std::size_t> shown_alert() const { return shown_alert_; }

 private:
  enum class Page : std::uint8_t { kTable, kMutex, kHelp };

  KeyWish press_letter(char32_t letter);
  void press_in_table(const Key& key);
  void type(const Key& key);
  void scroll(const Key& key);
  void turn_to(Page page);
  void leave();
  void choose(std::size_t row);
  void follow_chosen();
  void move(std::ptrdiff_t rows);
  void sort_by_next(std::ptrdiff_t step);

  LineMaker line() const { return {size_.columns, letters_}; }
  TextLine title_line(const WatchNews& news) const;
  TextLine counts_line() const;
  std::vector<TextLine> strip(const WatchNews& news, std::size_t most);
  void put_table(std::vector<TextLine>& out, const WatchNews& news, std::size_t rows);
  TextLine header_line() const;
  TextLine row_line(const MutexCells& cells, bool is_chosen) const;
  void put_feed(std::vector<TextLine>& out, const WatchNews& news, std::size_t rows) const;
  void put_page(std::vector<TextLine>& out, const std::vector<TextLine>& page, std::size_t rows);
  TextLine message_line(const WatchNews& news) const;
  TextLine keys_line() const;
  std::vector<TextLine> too_small() const;

  Letters letters_;
  MutexList list_;
  Page page_ = Page::kTable;
  bool feed_ = true;
  bool types_ = false;  // what is looked for
  std::string words_;

  const WatchedMutex* chosen_ = nullptr;
  std::size_t chosen_row_ = 0;  // where it stood when that was found out last
  std::uint64_t followed_ = 0;  // times the list had been arranged by then
  std::size_t first_ = 0;       // row of the table that is seen first
  std::size_t page_first_ = 0;  // line of the page
  std::size_t seen_rows_ = 10;  // of the table or the page, in the last picture
  std::optional<std::size_t> shown_alert_;

  ScreenSize size_;
  ColumnNeeds needs_;  // of all that was seen at this width, so that columns keep their places
  MutexLayout layout_;
};

}  // namespace leasescope::ctl
