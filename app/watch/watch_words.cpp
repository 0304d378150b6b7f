#include "app/watch/watch_words.h"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::ctl {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::tm day_and_time(std::int64_t ns) { return fmt::gmtime(static_cast<std::time_t>(ns / kSecond)); }

bool is_same_day(std::int64_t a_ns, std::int64_t b_ns) { return a_ns / kSecond / 86'400 == b_ns / kSecond / 86'400; }

}  // namespace

std::string lasting_text(const WatchedRow& row) {
  return row.lasts_most ? length_text(row.lasts_least) : "≥ " + length_text(row.lasts_least);
}

std::string left_text(const WatchedRow& row) {
  if (!row.left) return row.owner.empty() ? "–" : "no end";
  return length_text(std::max(Duration::zero(), *row.left));
}

std::string number_text(std::uint64_t number) { return number == 0 ? "–" : std::to_string(number); }

std::string clock_text(std::int64_t epoch_ns, TrueTime at) {
  const std::int64_t ns = epoch_ns + at.time_since_epoch().count();
  return fmt::format("{:%H:%M:%S}.{:03}", day_and_time(ns), ns / 1'000'000 % 1'000);
}

std::string moment_text(std::int64_t epoch_ns, TrueTime at, TrueTime now) {
  const std::int64_t ns = epoch_ns + at.time_since_epoch().count();
  if (is_same_day(ns, epoch_ns + now.time_since_epoch().count())) return clock_text(epoch_ns, at);
  return fmt::format("{:%Y-%m-%d} {}", day_and_time(ns), clock_text(epoch_ns, at));
}

std::string short_moment_text(std::int64_t epoch_ns, TrueTime at, TrueTime now) {
  const std::int64_t ns = epoch_ns + at.time_since_epoch().count();
  if (is_same_day(ns, epoch_ns + now.time_since_epoch().count())) return fmt::format("{:%H:%M:%S}", day_and_time(ns));
  return fmt::format("{:%m-%d %H:%M}", day_and_time(ns));
}

std::string event_text(const History& history, const Event& event, std::int64_t epoch_ns) {
  const std::string mutex = escaped(history.names.text(event.mutex), 200);
  const std::string who = escaped(history.names.text(event.node), 200);
  std::string what;
  switch (event.kind) {
    case EventKind::kGranted:
      what = fmt::format("granted to {}{}", who, event.token == kNoToken ? "" : fmt::format(" #{}", event.token));
      break;
    case EventKind::kRenewed:
      what = fmt::format("renewed by {}", who);
      break;
    case EventKind::kReleased:
      what = fmt::format("released by {}", who);
      break;
    case EventKind::kExpired:
      what = fmt::format("the lease of {} is over", who);
      break;
    case EventKind::kBelieved:
      what = fmt::format("believed by {}{}{}", who, event.token == kNoToken ? "" : fmt::format(" #{}", event.token),
                         event.a == kNoDeadline ? ", without an end"
                                                : " until " + clock_text(epoch_ns, deadline_after(event.hi, event.a)));
      break;
    case EventKind::kDisbelieved:
      what = fmt::format("believed no more by {}", who);
      break;
    case EventKind::kQueued:
      what = fmt::format("waited for by {}", who);
      break;
    case EventKind::kDequeued:
      what = fmt::format("waited for no more by {}", who);
      break;
    case EventKind::kConnected:
    case EventKind::kDisconnected:  // a store is told of, and no mutex
      return fmt::format("{}  {}  {}", clock_text(epoch_ns, event.hi), who,
                         event.kind == EventKind::kConnected ? "is seen again" : "cannot be seen");
    case EventKind::kUnobservedBegan:
      if (event.lo == TrueTime{}) return {};  // before the first look
      what = "not observed";
      break;
    case EventKind::kUnobservedEnded:
      what = "observed";
      break;
    default:
      what = std::string(text(event.kind));
  }
  // How long a message was under way is known of no belief; that is no news of each.
  const bool told = event.kind == EventKind::kBelieved || event.kind == EventKind::kDisbelieved;
  const double within = told ? 0 : static_cast<double>((event.hi - event.lo).count()) / 1e9;
  return fmt::format("{}  {}  {}{}", clock_text(epoch_ns, event.hi), mutex, what,
                     within < 0.01 ? "" : fmt::format("  (in the {:.2f} s before)", within));
}

}  // namespace leasescope::ctl
