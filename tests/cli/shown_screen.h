// The live table of a watch over stores that are none, as whoever sits before it sees it: lines of text.
#pragma once
#include <QString>
#include <QStringList>
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "app/watch/watch_screen.h"
#include "core/alerts/alert_desk.h"
#include "tests/support/watched_by_hand.h"

namespace leasescope::tests {

inline constexpr ctl::ScreenSize kUsual{120, 30};

// A watch, a desk and a screen over them.
struct Shown {
  WatchedByHand stores;
  AlertDesk desk{std::vector<AlertRule>{}};
  ctl::WatchScreen screen;
  std::string message;
  Sequence judged = 0;

  explicit Shown(const std::vector<std::string>& names = {"redis://host"}, ctl::Letters letters = ctl::Letters::kUtf8)
      : stores(names), screen(letters) {}

  void tell(const Sighting& seen, std::size_t store = 0) {
    stores.tell(seen, store);
    screen.note_change();
  }
  ctl::WatchNews news() {
    const History& history = stores.watch().history();
    for (; judged < history.last(); ++judged) desk.append(history.event(judged + 1), history.names);
    desk.advance(stores.now(), history.names);
    return {stores.watch(), desk, stores.now(), 0, "", message, message.empty() ? 0U : 1U};
  }
  std::vector<ctl::TextLine> picture(ctl::ScreenSize size = kUsual) { return screen.lines(news(), size); }
  QStringList lines(ctl::ScreenSize size = kUsual) {
    QStringList out;
    for (const ctl::TextLine& each : picture(size)) out << QString::fromStdString(each.text());
    return out;
  }
  QString text(ctl::ScreenSize size = kUsual) { return lines(size).join('\n'); }
  // Of the table's header.
  QString titles(ctl::ScreenSize size) {
    for (const ctl::TextLine& each : picture(size))
      if (each.ground == ctl::Ground::kHeader && each.text().find("Mutex") != std::string::npos)
        return QString::fromStdString(each.text());
    return {};
  }
  // The mutexes of the table, from above; each is called by one word.
  QStringList rows(ctl::ScreenSize size = kUsual) {
    const QStringList all = lines(size);
    QStringList out;
    const auto head =
        std::find_if(all.begin(), all.end(), [](const QString& each) { return each.startsWith(" Mutex"); });
    for (auto at = head == all.end() ? head : head + 1; at != all.end() && !at->mid(1).trimmed().isEmpty(); ++at) {
      if (at->startsWith(" Events") || at->startsWith(" none bears")) break;
      out << at->mid(1).section(' ', 0, 0);
    }
    return out;
  }
  // The row of the chosen one; -1: none is.
  int chosen_line() {
    const auto all = picture();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].ground == ctl::Ground::kChosen) return static_cast<int>(i);
    return -1;
  }

  ctl::KeyWish press(ctl::Key::Kind kind) { return screen.press({kind}); }
  ctl::KeyWish type(const char* letters) {
    ctl::KeyWish out = ctl::KeyWish::kNone;
    for (const char* at = letters; *at != '\0'; ++at)
      out = screen.press({ctl::Key::kLetter, static_cast<char32_t>(*at)});
    return out;
  }
};

// "orders" at each store, as an operator sees it.
inline void tell_of_orders(Shown& shown) {
  for (std::size_t store = 0; store < shown.stores.watch().stores().size(); ++store) {
    Sighting seen = WatchedByHand::seen("orders", "api-2:873", 8812, std::chrono::seconds(8));
    seen.waiters = 2;
    shown.tell(seen, store);
  }
  shown.stores.pass(std::chrono::seconds(1));
}

}  // namespace leasescope::tests
