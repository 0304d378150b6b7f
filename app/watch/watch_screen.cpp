#include "app/watch/watch_screen.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "app/watch/mutex_page.h"
#include "app/watch/watch_words.h"

namespace leasescope::ctl {
namespace {

constexpr std::size_t kMostAlerts = 3;       // lines of the strip
constexpr std::size_t kFewestTableRows = 3;  // below which nothing else takes a line
constexpr std::size_t kRowsWithFeed = 16;    // of a terminal that has room for it
constexpr std::size_t kFeedLeast = 3, kFeedMost = 8;
constexpr std::size_t kLongestWords = 200;  // bytes of what is looked for

struct KeyHelp {
  std::string_view keys, what;
};
constexpr std::array<KeyHelp, 13> kHelp{{
    {"Up Down k j", "choose a mutex; it stays chosen wherever it moves to"},
    {"PgUp PgDn", "a screen up or down"},
    {"Home End g G", "the first, the last"},
    {"Enter", "the chosen mutex in detail: owners, lease, waiters, what its store holds"},
    {"/", "show only what bears all of some words: in mutex, store, maker, owner, state, or as token"},
    {"Esc", "back; in the table: all mutexes again, then none chosen"},
    {"s > <", "sort by the next column, by the one before"},
    {"r", "the other way round"},
    {"e", "events below the table: on, off"},
    {"a", "acknowledge the first alert: it is told of no more"},
    {"m", "mute it for an hour"},
    {"?", "these keys"},
    {"q ^C", "end; a recording ends in order"},
}};

Ink ink_of(WatchState state) {
  switch (state) {
    case WatchState::kHeld:
      return Ink::kHeld;
    case WatchState::kInTransition:
      return Ink::kInTransition;
    case WatchState::kLeaderless:
      return Ink::kLeaderless;
    case WatchState::kFree:
      return Ink::kMuted;
    case WatchState::kNotObserved:
      return Ink::kUnobserved;
  }
  return Ink::kPlain;
}

// One character less, of UTF-8.
void drop_last(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : noun.back() == 'x' ? "es" : "s");
}

std::vector<TextLine> help_page(std::size_t columns, Letters letters) {
  std::vector<TextLine> out;
  const std::size_t before = std::min<std::size_t>(16, columns / 3);
  for (const KeyHelp& each : kHelp) {
    bool first = true;
    for (const std::string& part : wrapped(each.what, columns - before, 4, letters)) {
      LineMaker made(columns, letters);
      out.push_back(made.put_left(first ? each.keys : "", before - 1, Ink::kStrong).space(1).put(part).take());
      first = false;
    }
  }
  return out;
}

}  // namespace

// ---- keys

KeyWish WatchScreen::press(const Key& key) {
  if (types_) {
    type(key);
    return KeyWish::kNone;
  }
  if (key.kind == Key::kLetter) return press_letter(key.letter);
  if (key.kind == Key::kEscape || (key.kind == Key::kEnter && page_ != Page::kTable)) {
    leave();
  } else if (page_ == Page::kTable) {
    press_in_table(key);
  } else {
    scroll(key);
  }
  return KeyWish::kNone;
}

KeyWish WatchScreen::press_letter(char32_t letter) {
  const bool table = page_ == Page::kTable;
  switch (letter) {
    case 'q':
      return KeyWish::kQuit;
    case 'a':
      return KeyWish::kAcknowledge;
    case 'm':
      return KeyWish::kMute;
    case '?':
      turn_to(page_ == Page::kHelp ? Page::kTable : Page::kHelp);
      break;
    case 'e':
      feed_ = !feed_;
      break;
    case '/':
      turn_to(Page::kTable);
      types_ = true;
      break;
    case 's':
    case '>':
      if (table) sort_by_next(1);
      break;
    case '<':
      if (table) sort_by_next(-1);
      break;
    case 'r':
      if (table) list_.sort(list_.column(), !list_.descending());
      break;
    case 'k':
      return press({Key::kUp});
    case 'j':
      return press({Key::kDown});
    case 'g':
      return press({Key::kHome});
    case 'G':
      return press({Key::kEnd});
    default:
      break;
  }
  return KeyWish::kNone;
}

void WatchScreen::press_in_table(const Key& key) {
  const auto screen = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, seen_rows_));
  switch (key.kind) {
    case Key::kUp:
      return move(-1);
    case Key::kDown:
      return move(1);
    case Key::kPageUp:
      return move(-screen);
    case Key::kPageDown:
      return move(screen);
    case Key::kHome:
      return choose(0);
    case Key::kEnd:
      return choose(list_.rows());
    case Key::kEnter:
      if (chosen_ == nullptr) choose(first_);
      if (chosen_ != nullptr) turn_to(Page::kMutex);
      return;
    default:
      return;
  }
}

void WatchScreen::type(const Key& key) {
  switch (key.kind) {
    case Key::kLetter:
      if (words_.size() < kLongestWords) words_ += utf8_of(key.letter);
      break;
    case Key::kBackspace:
      drop_last(words_);
      break;
    case Key::kEscape:
      words_.clear();
      types_ = false;
      break;
    case Key::kEnter:
      types_ = false;
      break;
    default:
      press_in_table(key);  // what has been found so far can be gone through
      return;
  }
  list_.filter(words_);
}

void WatchScreen::scroll(const Key& key) {
  const std::size_t screen = std::max<std::size_t>(1, seen_rows_);
  switch (key.kind) {
    case Key::kUp:
      page_first_ -= std::min<std::size_t>(page_first_, 1);
      break;
    case Key::kDown:
      ++page_first_;
      break;
    case Key::kPageUp:
      page_first_ -= std::min(page_first_, screen);
      break;
    case Key::kPageDown:
      page_first_ += screen;
      break;
    case Key::kHome:
      page_first_ = 0;
      break;
    case Key::kEnd:
      page_first_ = static_cast<std::size_t>(-1) / 2;  // the picture knows where that is
      break;
    default:
      break;
  }
}

void WatchScreen::turn_to(Page page) {
  page_ = page;
  page_first_ = 0;
  followed_ = 0;  // the chosen mutex may have gone from the table meanwhile
}

void WatchScreen::leave() {
  if (page_ != Page::kTable) {
    turn_to(Page::kTable);
  } else if (!words_.empty()) {
    words_.clear();
    list_.filter(words_);
  } else {
    chosen_ = nullptr;
  }
}

// That row, or the last one; the table is scrolled so that it is seen.
void WatchScreen::choose(std::size_t row) {
  if (list_.rows() == 0) return;
  chosen_row_ = std::min(row, list_.rows() - 1);
  chosen_ = &list_.mutex(chosen_row_);
  const std::size_t screen = std::max<std::size_t>(1, seen_rows_);
  first_ = std::min(first_, chosen_row_);
  if (chosen_row_ >= first_ + screen) first_ = chosen_row_ - screen + 1;
}

void WatchScreen::move(std::ptrdiff_t rows) {
  follow_chosen();
  if (chosen_ == nullptr || list_.rows() == 0) return choose(first_);
  const auto last = static_cast<std::ptrdiff_t>(list_.rows()) - 1;
  choose(
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(chosen_row_) + rows, 0, last)));
}

// Rows have come, gone or moved: the chosen mutex stays where it is on the screen, and the others move round it.
void WatchScreen::follow_chosen() {
  if (followed_ == list_.arranged()) return;
  followed_ = list_.arranged();
  if (chosen_ == nullptr) return;
  const auto now = list_.row_of_mutex(chosen_);
  if (!now) {
    if (page_ != Page::kMutex) chosen_ = nullptr;  // it does not bear the words
    return;
  }
  const std::size_t above = chosen_row_ - std::min(chosen_row_, first_);
  first_ = *now - std::min(*now, above);
  chosen_row_ = *now;
}

// Of those that are seen.
void WatchScreen::sort_by_next(std::ptrdiff_t step) {
  const auto& columns = layout_.columns;
  if (columns.empty()) return;
  const auto count = static_cast<std::ptrdiff_t>(columns.size());
  const auto at =
      std::find_if(columns.begin(), columns.end(), [this](const auto& each) { return each.column == list_.column(); });
  const std::ptrdiff_t next = at == columns.end() ? 0 : (at - columns.begin() + step + count) % count;
  list_.sort(columns[static_cast<std::size_t>(next)].column, list_.descending());
}

// ---- the picture

std::vector<TextLine> WatchScreen::lines(const WatchNews& news, ScreenSize size) {
  shown_alert_.reset();
  if (!(size == size_)) needs_ = {};
  size_ = size;
  list_.bring_up_to(news.watch, news.now);
  follow_chosen();
  if (size.columns < kSmallestScreen.columns || size.rows < kSmallestScreen.rows) return too_small();
  std::vector<TextLine> out{title_line(news)};
  const std::size_t below = 2;  // message and keys
  if (page_ == Page::kTable) {
    out.push_back(counts_line());
    const std::size_t room = size.rows - out.size() - below;  // with the table's header
    for (TextLine& each : strip(news, std::min(kMostAlerts, room - kFewestTableRows - 1)))
      out.push_back(std::move(each));
    const std::size_t feed = feed_ && size.rows >= kRowsWithFeed ? std::clamp(size.rows / 5, kFeedLeast, kFeedMost) : 0;
    put_table(out, news, size.rows - out.size() - below - feed);
    if (feed > 0) put_feed(out, news, feed);
  } else {
    const bool help = page_ == Page::kHelp;
    put_page(out,
             help ? help_page(size.columns, letters_)
                  : mutex_page(*chosen_, *news.watch.stores()[chosen_->source], news.watch.seen_history().names,
                               news.now, news.epoch_ns, size.columns, letters_, news.watch.listens_for_beliefs()),
             size.rows - out.size() - below);
  }
  out.push_back(message_line(news));
  out.push_back(keys_line());
  return out;
}

std::vector<TextLine> WatchScreen::too_small() const {
  std::vector<TextLine> out(size_.rows);
  const std::string words = fmt::format("too small: {} × {}, at least {} × {} are needed", size_.columns, size_.rows,
                                        kSmallestScreen.columns, kSmallestScreen.rows);
  std::size_t at = 0;
  for (const std::string& part : wrapped(words, size_.columns, size_.rows, letters_))
    if (at < out.size()) out[at++] = line().put(part).take();
  return out;
}

TextLine WatchScreen::title_line(const WatchNews& news) const {
  const auto& stores = news.watch.stores();
  std::string told = " · " + (stores.size() == 1 ? stores.front()->name : counted(stores.size(), "store"));
  told += " · read only";
  if (!news.recording.empty()) told += " · recording " + news.recording;
  const std::string clock = fmt::format(" {} UTC", clock_text(news.epoch_ns, news.now).substr(0, 8));
  LineMaker made = line();
  const std::size_t room = size_.columns - clock.size();
  const std::string name = presented("Leasescope watch", room, letters_);
  made.put(name, Ink::kStrong).put_left(told, room - width_of(name), Ink::kMuted).put(clock);
  return made.take();
}

TextLine WatchScreen::counts_line() const {
  const bool found = !words_.empty();
  LineMaker made = line();
  made.put(found ? fmt::format("{} of {}", list_.rows(), counted(list_.all(), "mutex")) : counted(list_.all(), "mutex"),
           Ink::kStrong);
  std::string_view before = ": ";
  for (std::size_t i = 0; i < kWatchStates; ++i) {
    if (list_.counts()[i] == 0) continue;
    const auto state = static_cast<WatchState>(i);
    made.put(before).put(fmt::format("{} {}", list_.counts()[i], text(state)), ink_of(state));
    before = ", ";
  }
  if (found) made.put(" · with ").put(words_, Ink::kStrong);
  made.put(fmt::format(" · by {}{}", title(list_.column()), list_.descending() ? ", falling" : ""), Ink::kMuted);
  return made.take();
}

// Stores first: what they do not tell nobody can acknowledge.
std::vector<TextLine> WatchScreen::strip(const WatchNews& news, std::size_t most) {
  std::vector<TextLine> out;
  const auto put = [&](std::string_view name, const std::string& words, TrueTime since) {
    const std::string lasting = " · for " + length_text(std::max(Duration::zero(), news.now - since));
    const std::size_t room = size_.columns - std::min(size_.columns, lasting.size());
    const std::string head = presented("! " + std::string(name), room, letters_);
    LineMaker made = line();
    made.put(head, Ink::kAlarm).put(presented(" · " + words, room - width_of(head), letters_)).put(lasting);
    out.push_back(made.space(made.left()).take(out.empty() ? Ground::kAlarm : Ground::kPlain));
  };
  const AlertEngine& engine = news.desk.engine();
  const NameTable& names = news.watch.seen_history().names;
  const std::vector<std::size_t> standing = news.desk.standing(news.now);
  std::size_t count = standing.size();
  for (const auto& store : news.watch.stores()) {
    if (store->observer == nullptr) continue;
    const std::string why = unobserved_text(*store);
    if (why.empty()) continue;
    if (out.size() < most) put("Not observed", store->name + ": " + why, unobserved_since(*store));
    ++count;
  }
  for (const std::size_t place : standing) {
    if (out.size() == most) break;
    const bool stays = count <= most || out.size() + 1 < most;  // else the last line says how many there are
    if (!shown_alert_ && stays) shown_alert_ = place;
    const Alert& alert = engine.alerts()[place];
    put(engine.rules()[alert.rule].name, std::string(names.text(alert.subject)) + ": " + alert.words, alert.from);
  }
  if (count > most && !out.empty())  // the last line says how many there are besides
    out.back() = line().put(fmt::format("and {} more", count - most + 1), Ink::kAlarm).take();
  return out;
}

void WatchScreen::put_table(std::vector<TextLine>& out, const WatchNews& news, std::size_t rows) {
  seen_rows_ = rows - 1;
  first_ = std::min(first_, list_.rows() - std::min(list_.rows(), seen_rows_));
  if (chosen_ != nullptr && chosen_row_ < first_) first_ = chosen_row_;
  if (chosen_ != nullptr && chosen_row_ >= first_ + seen_rows_) first_ = chosen_row_ - seen_rows_ + 1;
  const std::size_t seen = std::min(seen_rows_, list_.rows() - std::min(list_.rows(), first_));
  std::vector<MutexCells> cells;
  needs_.several_stores = news.watch.stores().size() > 1;
  needs_.foreign = list_.has_foreign();
  for (std::size_t i = 0; i < seen; ++i) {
    const WatchedMutex& mutex = list_.mutex(first_ + i);
    cells.push_back(cells_of(mutex, *news.watch.stores()[mutex.source], news.now, news.epoch_ns, letters_));
    needs_.take(cells.back());
  }
  layout_ = layout_of(size_.columns - 1, needs_);  // a cell for the mark of the chosen one
  out.push_back(header_line());
  for (std::size_t i = 0; i < seen; ++i) out.push_back(row_line(cells[i], &list_.mutex(first_ + i) == chosen_));
  if (seen == 0 && seen_rows_ > 0) {
    const bool nothing = list_.all() == 0;
    out.push_back(
        line().space(1).put(nothing ? "no mutex has been seen yet" : "none bears these words", Ink::kMuted).take());
  }
  for (std::size_t i = std::max<std::size_t>(seen, 1); i < seen_rows_; ++i) out.emplace_back();
}

// The mark of the order stands in the gap behind a title.
TextLine WatchScreen::header_line() const {
  LineMaker made = line();
  made.space(1);
  for (const MutexLayout::Placed& each : layout_.columns) {
    const bool sorted = each.column == list_.column();
    const Ink ink = sorted ? Ink::kStrong : Ink::kPlain;
    is_figure(each.column) ? made.put_right(title(each.column), each.cells, ink)
                           : made.put_left(title(each.column), each.cells, ink);
    made.put_left(sorted ? (list_.descending() ? "▼" : "▲") : "", kBetween, ink);
  }
  return made.space(made.left()).take(Ground::kHeader);
}

TextLine WatchScreen::row_line(const MutexCells& cells, bool is_chosen) const {
  const bool unknown = cells.state == WatchState::kNotObserved;
  LineMaker made = line();
  made.put(is_chosen ? ">" : " ");
  for (const MutexLayout::Placed& each : layout_.columns) {
    const std::string& text = cells.texts[static_cast<std::size_t>(each.column)];
    Ink ink = unknown || each.column == MutexColumn::kStore || each.column == MutexColumn::kSystem ? Ink::kMuted
                                                                                                   : Ink::kPlain;
    if (each.column == MutexColumn::kMutex) ink = Ink::kStrong;
    if (each.column == MutexColumn::kState) ink = ink_of(cells.state);
    if (each.column == MutexColumn::kLease && layout_.bar > 0) {
      made.put(bar_text(cells.shares, layout_.bar, letters_), ink_of(cells.state));
      made.space(1).put_right(text, each.cells - layout_.bar - 1, ink);
    } else if (is_figure(each.column)) {
      made.put_right(text, each.cells, ink);
    } else {
      made.put_left(text, each.cells, ink);
    }
    made.space(kBetween);
  }
  return made.space(made.left()).take(is_chosen ? Ground::kChosen : Ground::kPlain);
}

// The last events, the newest below.
void WatchScreen::put_feed(std::vector<TextLine>& out, const WatchNews& news, std::size_t rows) const {
  const History& history = news.watch.seen_history();
  std::vector<std::string> told;
  for (Sequence at = history.last(); at > history.forgotten && told.size() + 1 < rows; --at)
    if (std::string words = event_text(history, history.event(at), news.epoch_ns); !words.empty())
      told.push_back(std::move(words));
  out.push_back(line().put_left(" Events", size_.columns).take(Ground::kHeader));
  std::reverse(told.begin(), told.end());
  for (const std::string& words : told) out.push_back(line().space(1).put(words).take());
  for (std::size_t i = told.size() + 1; i < rows; ++i) out.emplace_back();
}

void WatchScreen::put_page(std::vector<TextLine>& out, const std::vector<TextLine>& page, std::size_t rows) {
  seen_rows_ = rows;
  page_first_ = std::min(page_first_, page.size() - std::min(page.size(), rows));
  for (std::size_t i = 0; i < rows; ++i)
    out.push_back(page_first_ + i < page.size() ? page[page_first_ + i] : TextLine{});
}

TextLine WatchScreen::message_line(const WatchNews& news) const {
  if (types_) return line().put("Show only: ", Ink::kStrong).put(words_).put("_").take();
  if (news.message.empty()) return {};
  LineMaker made = line();
  if (news.messages > 1) made.put(fmt::format("[{}] ", news.messages), Ink::kMuted);
  return made.put(news.message).take();
}

TextLine WatchScreen::keys_line() const {
  std::string_view keys = "? keys  q quit  / show only  s < > sort  r reverse  Enter detail  e events  a acknowledge";
  if (types_) keys = "Enter keep  Esc show all";
  if (page_ != Page::kTable) keys = "Esc back  Up Down PgUp PgDn scroll  q quit";
  return line().put_left(keys, size_.columns, Ink::kMuted).take();
}

}  // namespace leasescope::ctl
