#include "core/history/recording/retention.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/history/recording/event_block.h"
#include "core/history/recording/frame_sum.h"
#include "core/history/recording/recorded_alerts.h"

namespace leasescope {
namespace {

constexpr std::int64_t kMostBlocks = 32;  // at once
constexpr auto kMostEvents = static_cast<std::int64_t>(UINT32_MAX);
constexpr const char* kDamaged =
    "is damaged: nothing was dropped from it; recording export writes what can still be read of it";

std::int64_t ns(TrueTime at) { return at.time_since_epoch().count(); }

// What is known of a mutex at a moment: who holds it, with the grant and the last renewal, who waits, and whether it is
// seen.
class InForce {
 public:
  void take(const Event& event) {
    if (event.mutex.empty()) return take_store(event);
    Mutex& of = mutexes_[event.mutex.handle];
    switch (event.kind) {
      case EventKind::kGranted:
        of.drop(event, is_of_hold);
        of.told.push_back(event);
        break;
      case EventKind::kRenewed:
        of.drop(event, [](EventKind kind) { return kind == EventKind::kRenewed; });
        of.told.push_back(event);
        break;
      case EventKind::kReleased:
      case EventKind::kExpired:
        of.drop(event, is_of_hold);
        break;
      case EventKind::kQueued:
      case EventKind::kDequeued:
        of.drop(event, [](EventKind kind) { return kind == EventKind::kQueued; });
        if (event.kind == EventKind::kQueued) of.told.push_back(event);
        break;
      case EventKind::kUnobservedBegan:
      case EventKind::kUnobservedEnded:
        of.dark = event.kind == EventKind::kUnobservedBegan;
        of.store = event.node;
        break;
      default:
        break;
    }
  }

  // In the order of time, with no causes: they may be gone.
  std::vector<Event> events(TrueTime cut) const {
    std::vector<Event> out;
    for (const auto& [handle, of] : mutexes_) out.push_back(seen(handle, of, EventKind::kUnobservedBegan, TrueTime{}));
    const auto began = static_cast<std::ptrdiff_t>(out.size());
    for (const auto& [handle, event] : away_) out.push_back(event);
    for (const auto& [handle, of] : mutexes_) out.insert(out.end(), of.told.begin(), of.told.end());
    std::stable_sort(out.begin() + began, out.end(), [](const Event& a, const Event& b) { return a.hi < b.hi; });
    for (const auto& [handle, of] : mutexes_)
      if (!of.dark) out.push_back(seen(handle, of, EventKind::kUnobservedEnded, cut));
    for (Event& each : out) each.cause = 0;
    return out;
  }

 private:
  struct Mutex {
    std::vector<Event> told;
    Name store;  // who was said not to tell of it
    bool dark = false;

    // What the same owner has of the same term; a token that is not known is any.
    template <class Which>
    void drop(const Event& event, Which which) {
      const auto is = [&](const Event& each) {
        const bool tokens = event.token != kNoToken && each.token != kNoToken;
        return each.node == event.node && (!tokens || each.token == event.token) && which(each.kind);
      };
      told.erase(std::remove_if(told.begin(), told.end(), is), told.end());
    }
  };

  // A watch's, that could not be seen and was not seen since.
  void take_store(const Event& event) {
    if (event.kind == EventKind::kDisconnected)
      away_[event.node.handle] = event;
    else if (event.kind == EventKind::kConnected)
      away_.erase(event.node.handle);
  }

  static bool is_of_hold(EventKind kind) { return kind != EventKind::kQueued; }

  static Event seen(std::uint32_t handle, const Mutex& of, EventKind kind, TrueTime at) {
    Event out;
    out.kind = kind;
    out.mutex = Name{handle};
    out.node = of.store;
    out.lo = out.hi = at;
    return out;
  }

  std::map<std::uint32_t, Mutex> mutexes_;  // by handle, so that it is the same each time
  std::map<std::uint32_t, Event> away_;
};

// Bytes that are in use; what was freed is not.
std::int64_t used(Database& database) {
  const std::int64_t pages = database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count");
  return pages * database.number("PRAGMA page_size");
}

struct Leading {
  std::int64_t last_block = 0;  // the number of the first event of the last that goes; 0: none does
  std::int64_t next = 0;        // the first that stays
  TrueTime cut{};
};

// Which blocks go: those that are wholly too old, then the oldest until there is room.
Leading too_many(Database& database, const Retention& retention, TrueTime now) {
  std::int64_t excess =
      retention.most_bytes == 0 ? 0 : used(database) - static_cast<std::int64_t>(retention.most_bytes);
  Leading out;
  std::int64_t kept_from = 0;
  Statement known(database, "SELECT value FROM fact WHERE key = 'kept_from_ns'");
  while (known.step()) kept_from = known.integer(0);
  Statement rows(database,
                 "SELECT first, last, to_ns, length(events) FROM block WHERE first < (SELECT max(first) FROM block) "
                 "ORDER BY first LIMIT ?");
  rows.bind(kMostBlocks);
  bool going = true;
  while (rows.step()) {
    const std::int64_t first = rows.integer(0, 1, kMostEvents), to = rows.integer(2), bytes = rows.integer(3);
    const bool old = retention.keep && TrueTime(Duration(to)) < now - *retention.keep;
    going = going && (old || excess > 0);
    if (!going) continue;
    excess -= bytes;
    kept_from = std::max(kept_from, to);
    out = {first, rows.integer(1, first, kMostEvents - 1) + 1, TrueTime(Duration(kept_from))};
  }
  return out;
}

bool take_in(Database& database, std::int64_t until, InForce& state, std::int64_t& count) {
  Statement rows(database, "SELECT first, last, sum, events FROM block WHERE first <= ? ORDER BY first");
  rows.bind(until);
  std::vector<Event> events;
  while (rows.step()) {
    const std::int64_t first = rows.integer(0, 1, kMostEvents), last = rows.integer(1, first, kMostEvents);
    const std::string_view packed = rows.bytes(3);
    const auto size = static_cast<std::size_t>(last - first + 1);
    events.clear();
    if (size > kMostEventsInBlock || sum_of(packed, first) != rows.integer(2) ||
        !unpack_events(packed, size, static_cast<std::uint64_t>(first), events)) {
      database.fail(kDamaged);
      return false;
    }
    for (const Event& each : events) state.take(each);
    count += static_cast<std::int64_t>(size);
  }
  return !database.failed();
}

// The first of them has the number `first`.
void put_blocks(Database& database, const std::vector<Event>& events, std::int64_t first) {
  Statement put(database, "INSERT INTO block VALUES(?, ?, ?, ?, ?, ?)");
  std::string packed;
  for (std::size_t at = 0; at < events.size(); at += kEventsInBlock) {
    const std::size_t size = std::min(kEventsInBlock, events.size() - at);
    const auto from = events.begin() + static_cast<std::ptrdiff_t>(at), to = from + static_cast<std::ptrdiff_t>(size);
    const auto [least, most] =
        std::minmax_element(from, to, [](const Event& a, const Event& b) { return a.hi < b.hi; });
    const std::int64_t number = first + static_cast<std::int64_t>(at);
    pack_events(&*from, size, static_cast<std::uint64_t>(number), packed);
    put.bind(number).bind(number + static_cast<std::int64_t>(size) - 1).bind(ns(least->hi)).bind(ns(most->hi));
    put.bind(sum_of(packed, number)).bind_bytes(packed).run();
  }
}

void forget_incidents(Database& database, TrueTime cut) {
  for (const char* const sql : {"DELETE FROM incident_contender WHERE incident IN "
                                "(SELECT number FROM incident WHERE open = 0 AND end_ns < ?)",
                                "DELETE FROM incident_token WHERE incident IN "
                                "(SELECT number FROM incident WHERE open = 0 AND end_ns < ?)",
                                "DELETE FROM incident WHERE open = 0 AND end_ns < ?"}) {
    Statement forget(database, sql);
    forget.bind(ns(cut)).run();
  }
}

void put_facts(Database& database, std::int64_t fewer, TrueTime cut) {
  Statement(database, "UPDATE fact SET value = value - ? WHERE key = 'events'").bind(fewer).run();
  Statement(database, "INSERT OR REPLACE INTO fact VALUES('kept_from_ns', ?)").bind(ns(cut)).run();
}

}  // namespace

Dropped drop_older(Database& database, const Retention& retention, TrueTime now) {
  if (!retention.any() || database.failed()) return {};
  database.run("BEGIN IMMEDIATE");
  const Leading goes = too_many(database, retention, now);
  InForce state;
  std::int64_t count = 0;
  std::vector<Event> begin;
  if (goes.last_block > 0 && take_in(database, goes.last_block, state, count)) begin = state.events(goes.cut);
  const auto size = static_cast<std::int64_t>(begin.size());
  // What was changed must not pass for what was written.
  const FrameState frame = goes.last_block > 0 ? frame_state(database) : FrameState::kNotKnown;
  if (frame == FrameState::kChanged) database.fail(kDamaged);
  // Of few events and many mutexes nothing is won, and there might be no numbers for what stays.
  if (database.failed() || size >= count) {
    database.run("ROLLBACK");
    return {};
  }
  {
    Statement forget(database, "DELETE FROM block WHERE first <= ?");
    forget.bind(goes.last_block).run();
  }
  put_blocks(database, begin, goes.next - size);
  forget_incidents(database, goes.cut);
  forget_alerts(database, goes.cut);
  put_facts(database, count - size, goes.cut);
  if (frame == FrameState::kWhole) put_frame_sum(database, frame_sums(database));
  database.run("COMMIT; PRAGMA incremental_vacuum(4096)");
  if (database.failed()) return {};
  return {static_cast<std::uint64_t>(count - size), goes.cut};
}

}  // namespace leasescope
