#include "core/history/export.h"

#include <ostream>

#include <nlohmann/json.hpp>

#include "core/store/port.h"

namespace leasescope {
namespace {

using Json = nlohmann::ordered_json;

std::string_view call_text(std::int64_t kind) {
  switch (static_cast<RequestKind>(kind)) {
    case RequestKind::kAcquire:
      return "acquire";
    case RequestKind::kGuard:
      return "guard";
    case RequestKind::kRelease:
      return "release";
    case RequestKind::kSubscribe:
      return "subscribe";
    case RequestKind::kUnsubscribe:
      return "unsubscribe";
  }
  return "";
}

void add_details(const Event& event, const NameTable& names, const std::vector<std::string>& fault_kinds, Json& line) {
  const auto name = [&](std::int64_t handle) { return names.text(Name{static_cast<std::uint32_t>(handle)}); };
  switch (event.kind) {
    case EventKind::kAttempt:
      line["result"] = detail_text(event);
      line["call"] = call_text(event.b);
      line["remaining_ns"] = event.a;
      break;
    case EventKind::kGranted:
    case EventKind::kRenewed:
      line["lease_ns"] = event.a;
      break;
    case EventKind::kBelieved:
      line["reason"] = "granted";
      line["left_ns"] = event.a;
      break;
    case EventKind::kDisbelieved:
      line["reason"] = detail_text(event);
      break;
    case EventKind::kWakeupPlanned:
      line["delay_ns"] = event.a;
      line["jitter_ns"] = event.b;
      break;
    case EventKind::kNotification:
      line["step"] = detail_text(event);
      line["event"] = static_cast<StoreEventKind>(event.a) == StoreEventKind::kAcquired ? "acquired" : "released";
      line["owner"] = name(event.b);
      break;
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
      line["resource"] = name(event.a);
      line["highest_token"] = event.b;
      break;
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
      line["fault"] = event.detail < fault_kinds.size() ? fault_kinds[event.detail] : "";
      line["duration_ns"] = event.a;
      line["row"] = event.b;
      break;
    case EventKind::kClockChanged:
      line["by_ns"] = event.a;
      break;
    default:
      break;
  }
}

}  // namespace

void write_history_lines(const History& history, const std::vector<std::string>& fault_kinds, std::ostream& out) {
  Sequence sequence = 0;
  for (const Event& event : history.events) {
    Json line;
    line["seq"] = ++sequence;
    line["lo_ns"] = event.lo.time_since_epoch().count();
    line["hi_ns"] = event.hi.time_since_epoch().count();
    line["kind"] = text(event.kind);
    line["node"] = history.names.text(event.node);
    line["mutex"] = history.names.text(event.mutex);
    if (event.token != kNoToken) line["token"] = event.token;
    add_details(event, history.names, fault_kinds, line);
    if (event.cause != 0) line["cause"] = event.cause;
    // Names come from outside and need not be UTF-8: what is not is replaced, never an error half-way through a file.
    out << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  }
}

}  // namespace leasescope
