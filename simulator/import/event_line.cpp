#include "simulator/import/event_line.h"

#include <charconv>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/check/call.h"
#include "core/contend/effect.h"
#include "core/history/history_lines.h"
#include "core/history/recording/event_words.h"
#include "core/store/port.h"

namespace leasescope {
namespace {

using check::Read;
using check::Value;

enum class As : std::uint8_t { kNothing, kNumber, kName, kCall, kMessage, kEnding, kStatus };

struct Field {
  const char* key = nullptr;
  As as = As::kNothing;
  bool needed = true;
};

// What a line of each kind has beside what all have. The word of `detail` is one of the kind's own.
struct LineForm {
  const char* detail = nullptr;
  Field a, b;
  bool detail_needed = true;
};

LineForm form_of(EventKind kind) {
  const auto number = [](const char* key, bool needed = true) { return Field{key, As::kNumber, needed}; };
  const auto name = [](const char* key, bool needed = true) { return Field{key, As::kName, needed}; };
  switch (kind) {
    case EventKind::kRestarted:
      return {nullptr, {}, name("as", false)};
    case EventKind::kAttempt:
      return {"result", number("remaining_ns", false), {"call", As::kCall}};
    case EventKind::kGranted:
      return {"how", number("lease_ns"), number("permits", false), false};
    case EventKind::kRenewed:
      return {nullptr, number("lease_ns")};
    case EventKind::kExpired:
      return {"how", {}, {}, false};
    case EventKind::kBelieved:
      return {"reason", number("left_ns"), number("ttl_ns", false)};
    case EventKind::kDisbelieved:
      return {"reason"};
    case EventKind::kRefused:
      return {"reason", {"status", As::kStatus, false}};
    case EventKind::kWakeupPlanned:
      return {nullptr, number("delay_ns"), number("jitter_ns")};
    case EventKind::kNotification:
      return {"step", {"event", As::kMessage}, name("owner")};
    case EventKind::kWriteAccepted:
    case EventKind::kWriteRejected:
    case EventKind::kWriteStaleAccepted:
      return {nullptr, name("resource"), number("highest_token")};
    case EventKind::kFaultBegan:
    case EventKind::kFaultEnded:
      return {nullptr, number("duration_ns"), number("row")};
    case EventKind::kClockChanged:
      return {"clock", number("by_ns"), number("by_ppm", false), false};
    case EventKind::kInvoked:
      return {"operation", number("uid"), number("permits", false)};
    case EventKind::kReturned:
      return {"operation", number("uid"), {"ending", As::kEnding}};
    case EventKind::kQueued:
    case EventKind::kDequeued:
      return {nullptr, number("place"), number("uid")};
    case EventKind::kSessionOpened:
    case EventKind::kSessionRenewed:
      return {nullptr, number("ttl_ns"), number("session")};
    case EventKind::kSessionEnded:
      return {"reason", {}, number("session")};
    case EventKind::kReentered:
      return {nullptr, {}, number("times")};
    case EventKind::kAcknowledged:
      return {nullptr, {}, name("to")};
    case EventKind::kVoteGranted:
      return {"how", number("lease_ns"), name("store"), false};
    case EventKind::kVoteEnded:
      return {"how", {}, name("store")};
    case EventKind::kElected:
      return {nullptr, number("leader")};
    case EventKind::kTransferred:
      return {"step", number("transfer"), name("resource")};
    default:
      return {};
  }
}

// The number of the word, of those that `text` gives for 0 to `count`; nothing where it is none of them.
template <class Kind>
std::optional<std::int64_t> number_of(std::string_view word, int count) {
  for (int i = 0; i < count; ++i)
    if (text(static_cast<Kind>(i)) == word) return i;
  return std::nullopt;
}

class EventLine {
 public:
  EventLine(const Value& map, const LineTerms& terms, History& into) : map_(map), terms_(terms), into_(into) {}

  Read<NumberedEvent> read() {
    NumberedEvent out;
    Event& event = out.event;
    const std::string_view word = text_of("kind");
    const auto kind = number_of<EventKind>(word, kEventKinds);
    if (!error_ && !kind)
      fail("kind", fmt::format("a kind of event that this program knows, not {}: the leasescope that wrote it reads it",
                               escaped(word, 40)));
    if (error_) return tl::make_unexpected(*error_);
    event.kind = static_cast<EventKind>(*kind);
    out.number = number("seq");
    if (out.number < 1 || out.number > INT64_C(0xffffffff)) fail("seq", "a whole number from 1 to 4294967295");
    event.lo = moment("lo_ns");
    event.hi = moment("hi_ns");
    if (event.hi < event.lo) fail("hi_ns", "its \"lo_ns\" or later");
    event.node = name("node");
    event.mutex = name("mutex");
    event.token = token();
    const std::int64_t cause = at("cause") == nullptr ? 0 : number("cause");
    if (cause < 0 || cause > INT64_C(0xffffffff)) fail("cause", "the number of an event");
    event.cause = static_cast<Sequence>(cause);
    details(event);
    if (error_) return tl::make_unexpected(*error_);
    return out;
  }

 private:
  void details(Event& event) {
    const LineForm form = form_of(event.kind);
    if (form.detail != nullptr && (form.detail_needed || at(form.detail) != nullptr))
      event.detail = detail(event, form);
    if (event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded) event.detail = fault();
    event.a = value(form.a);
    event.b = value(form.b);
    const bool failed = event.detail == static_cast<std::uint8_t>(AttemptResult::kFailed);
    if (event.kind == EventKind::kAttempt && failed) event.a = at("error") == nullptr ? 0 : name("error").handle;
    if (event.kind == EventKind::kRefused && at("status") == nullptr) event.a = -1;  // nobody knows
    if (event.kind == EventKind::kBelieved && at("ttl_ns") == nullptr) event.b = terms_.ttl.count();
  }

  std::uint8_t detail(const Event& event, const LineForm& form) {
    const std::string_view word = text_of(form.detail);
    Event tried = event;
    for (int i = 0; i < details_of(event.kind); ++i) {
      tried.detail = static_cast<std::uint8_t>(i);
      if (detail_text(tried) == word) return tried.detail;
    }
    fail(form.detail, fmt::format("what {} can be, not {}", text(event.kind), escaped(word, 40)));
    return 0;
  }

  // One that the legend does not know is spoken of by its name.
  std::uint8_t fault() {
    const std::string_view word = text_of("fault");
    std::vector<FaultLegend>& faults = into_.legend.faults;
    const auto found =
        std::find_if(faults.begin(), faults.end(), [&](const FaultLegend& of) { return of.name == word; });
    if (found != faults.end()) return static_cast<std::uint8_t>(found - faults.begin());
    if (word.empty()) return UINT8_MAX;
    if (faults.size() >= UINT8_MAX) return fail("fault", "no more than 255 kinds of fault"), 0;
    const std::string spoken(word);
    faults.push_back({spoken, spoken, "{who}: " + spoken + " begins", "{who}: " + spoken + " is over"});
    return static_cast<std::uint8_t>(faults.size() - 1);
  }

  std::int64_t value(const Field& field) {
    if (field.as == As::kNothing || (!field.needed && at(field.key) == nullptr)) return 0;
    if (field.as == As::kNumber) return number(field.key);
    if (field.as == As::kName) return name(field.key).handle;
    const std::string_view word = text_of(field.key);
    const auto found = field.as == As::kCall      ? call_kind_of(word)
                       : field.as == As::kMessage ? number_of<StoreEventKind>(word, kStoreEventKinds)
                       : field.as == As::kStatus  ? number_of<Status>(word, kStatuses)
                                                  : number_of<Ending>(word, 3);
    if (!found && word.empty() && field.as == As::kCall) return -1;  // of a kind that its writer had no word for
    if (!found) fail(field.key, fmt::format("another word than {}", escaped(word, 40)));
    return found.value_or(0);
  }

  const Value* at(std::string_view key) const { return check::value_at(map_, key); }
  void fail(std::string_view key, const std::string& expected) {
    const Value* const value = at(key);
    const check::Place place = value == nullptr ? map_.place : value->place;
    if (!error_) error_ = check::ReadError{place, fmt::format("expected \"{}\": {}", key, expected)};
  }
  std::string_view text_of(std::string_view key) {
    const Value* const value = at(key);
    if (value != nullptr && value->kind == Value::kText) return value->text;
    fail(key, "a text");
    return "";
  }
  Name name(std::string_view key) { return into_.names.intern(text_of(key)); }
  std::int64_t number(std::string_view key) {
    const Value* const value = at(key);
    if (value != nullptr && value->kind == Value::kInteger) return value->number;
    fail(key, "a whole number");
    return 0;
  }
  TrueTime moment(std::string_view key) {
    const std::int64_t ns = number(key);
    if (!check::is_time(ns)) fail(key, check::range_of_times());
    return TrueTime(Duration(ns));
  }
  // All 64 bits, without a sign.
  Token token() {
    const Value* const value = at("token");
    if (value == nullptr) return kNoToken;
    std::uint64_t out = 0;
    const char* const end = value->text.data() + value->text.size();
    const bool digits = value->kind == Value::kInteger || value->kind == Value::kReal;
    const auto read = std::from_chars(value->text.data(), end, out);
    if (!digits || read.ec != std::errc() || read.ptr != end) fail("token", "a whole number from 0 on");
    return out;
  }

  const Value& map_;
  const LineTerms& terms_;
  History& into_;
  std::optional<check::ReadError> error_;
};

}  // namespace

Read<NumberedEvent> event_of_line(const Value& map, const LineTerms& terms, History& into) {
  if (map.kind != Value::kMap) return check::wrong(map, fmt::format("expected an event, not {}", check::shown(map)));
  return EventLine(map, terms, into).read();
}

}  // namespace leasescope
