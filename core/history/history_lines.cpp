#include "core/history/history_lines.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/contend/effect.h"
#include "core/store/port.h"

namespace leasescope {
namespace {

// By RequestKind.
constexpr std::array<std::string_view, 24> kCallWords{
    "subscribe", "unsubscribe",     "acquire", "guard",   "release",   "open",     "heartbeat", "close",
    "lock",      "unlock",          "query",   "connect", "create",    "children", "look",      "delete",
    "read",      "compare-and-set", "obtain",  "extend",  "give_back", "abort",    "tell",      "acknowledge"};
static_assert(kCallWords.size() == static_cast<std::size_t>(RequestKind::kAcknowledge) + 1);

constexpr std::size_t kMostQuoted = 8 * 1024;  // names that are held

std::string_view call_text(std::int64_t kind) {
  const auto place = static_cast<std::size_t>(kind);
  return place < kCallWords.size() ? kCallWords[place] : "";
}

void add_number(std::string& out, std::string_view key, std::int64_t value) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":{}", key, value);
}

void add_word(std::string& out, std::string_view key, std::string_view value) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":\"{}\"", key, value);
}

}  // namespace

std::optional<std::int64_t> call_kind_of(std::string_view word) {
  const auto found = std::find(kCallWords.begin(), kCallWords.end(), word);
  return found == kCallWords.end() ? std::nullopt : std::optional<std::int64_t>(found - kCallWords.begin());
}

std::string in_quotes(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

const std::string& HistoryLines::quoted(Name name, const NameTable& names) {
  const std::size_t place = name.handle % kMostQuoted;
  if (place >= names_.size()) names_.resize(std::min(names.size(), kMostQuoted));
  Quoted& known = names_[place];
  if (known.text.empty() || known.of != name) known = {name, in_quotes(names.text(name))};
  return known.text;
}

void HistoryLines::add(const History& history, Sequence sequence, std::string& out) {
  const Event& event = history.event(sequence);
  const NameTable& names = history.names;
  fmt::format_to(std::back_inserter(out), R"({{"seq":{},"lo_ns":{},"hi_ns":{},"kind":"{}","node":{})", sequence,
                 event.lo.time_since_epoch().count(), event.hi.time_since_epoch().count(), text(event.kind),
                 quoted(event.node, names));
  fmt::format_to(std::back_inserter(out), ",\"mutex\":{}", quoted(event.mutex, names));
  if (event.token != kNoToken) fmt::format_to(std::back_inserter(out), ",\"token\":{}", event.token);
  add_details(history, event, out);
  if (event.cause != 0) add_number(out, "cause", event.cause);
  out += "}\n";
}

void HistoryLines::add_details(const History& history, const Event& event, std::string& out) {
  const auto add_name = [&](std::string_view key, std::int64_t handle) {
    fmt::format_to(std::back_inserter(out), ",\"{}\":{}", key,
                   quoted({static_cast<std::uint32_t>(handle)}, history.names));
  };
  switch (event.kind) {
    case EventKind::kRestarted:
      if (event.b != 0) add_name("as", event.b);
      break;
    case EventKind::kAttempt:
      add_word(out, "result", detail_text(event));
      add_word(out, "call", call_text(event.b));
      if (event.detail != static_cast<std::uint8_t>(AttemptResult::kFailed)) {
        add_number(out, "remaining_ns", event.a);
      } else if (event.a != 0) {
        add_name("error", event.a);
      }
      break;
    case EventKind::kGranted:
      add_number(out, "lease_ns", event.a);
      if (event.b != 0) add_number(out, "permits", event.b);
      if (const std::string_view how = detail_text(event); !how.empty()) add_word(out, "how", how);
      break;
    case EventKind::kRenewed:
      add_number(out, "lease_ns", event.a);
      break;
    case EventKind::kExpired:
      if (event.detail == static_cast<std::uint8_t>(LeaseEnd::kForgotten)) add_word(out, "how", detail_text(event));
      break;
    case EventKind::kBelieved:
      add_word(out, "reason", detail_text(event));
      add_number(out, "left_ns", event.a);
      add_number(out, "ttl_ns", event.b);
      break;
    case EventKind::kDisbelieved:
      add_word(out, "reason", detail_text(event));
      break;
    case EventKind::kRefused:
      add_word(out, "reason", detail_text(event));
      if (event.a >= 0 && event.a < kStatuses) add_word(out, "status", text(static_cast<Status>(event.a)));
      break;
    case EventKind::kWakeupPlanned:
      add_number(out, "delay_ns", event.a);
      add_number(out, "jitter_ns", event.b);
      break;
    case EventKind::kNotification:
      add_word(out, "step", detail_text(event));
      add_word(out, "event", text(static_cast<StoreEventKind>(event.a)));
      add_name("owner", event.b);
      break;
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
      add_name("resource", event.a);
      add_number(out, "highest_token", event.b);
      break;
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
      out += ",\"fault\":";
      if (const FaultLegend* const fault = history.legend.fault(event.detail))
        out += in_quotes(fault->name);
      else
        out += R"("")";
      add_number(out, "duration_ns", event.a);
      add_number(out, "row", event.b);
      break;
    case EventKind::kClockChanged:
      add_word(out, "clock", detail_text(event));
      add_number(out, "by_ns", event.a);
      if (event.b != 0) add_number(out, "by_ppm", event.b);
      break;
    case EventKind::kInvoked:
    case EventKind::kReturned:
      add_word(out, "operation", detail_text(event));
      add_number(out, "uid", event.a);
      if (event.kind == EventKind::kReturned)
        add_word(out, "ending", text(static_cast<Ending>(event.b)));
      else if (event.b != 0)
        add_number(out, "permits", event.b);
      break;
    case EventKind::kQueued:
    case EventKind::kDequeued:
      add_number(out, "place", event.a);
      add_number(out, "uid", event.b);
      break;
    case EventKind::kSessionOpened:
    case EventKind::kSessionRenewed:
      add_number(out, "ttl_ns", event.a);
      add_number(out, "session", event.b);
      break;
    case EventKind::kSessionEnded:
      add_word(out, "reason", detail_text(event));
      add_number(out, "session", event.b);
      break;
    case EventKind::kReentered:
      add_number(out, "times", event.b);
      break;
    case EventKind::kAcknowledged:
      add_name("to", event.b);
      break;
    case EventKind::kVoteGranted:
      add_number(out, "lease_ns", event.a);
      if (const std::string_view how = detail_text(event); !how.empty()) add_word(out, "how", how);
      add_name("store", event.b);
      break;
    case EventKind::kVoteEnded:
      add_word(out, "how", detail_text(event));
      add_name("store", event.b);
      break;
    case EventKind::kElected:
      add_number(out, "leader", event.a);
      break;
    case EventKind::kTransferred:
      add_word(out, "step", detail_text(event));
      add_number(out, "transfer", event.a);
      add_name("resource", event.b);
      break;
    default:
      break;
  }
}

}  // namespace leasescope
