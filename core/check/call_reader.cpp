#include "core/check/call_reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/escaped.h"
#include "core/base/nearest_word.h"
#include "core/check/run_calls.h"
#include "core/time/duration_text.h"

namespace leasescope::check {
namespace {

template <class T>
using Read = tl::expected<T, ReadError>;

tl::unexpected<ReadError> wrong(const Value& value, std::string what) {
  return tl::make_unexpected(ReadError{value.place, std::move(what)});
}

std::string shown(const Value& value) {
  switch (value.kind) {
    case Value::kNil:
      return "nil";
    case Value::kBool:
      return value.number != 0 ? "true" : "false";
    case Value::kInteger:
      return fmt::format("{}", value.number);
    case Value::kList:
      return "a list";
    case Value::kMap:
      return "a map";
    default:
      return escaped(value.text, 40);
  }
}

// All of it, as EDN writes it but without quotes and colons.
std::string in_full(const Value& value) {
  if (value.kind == Value::kText || value.kind == Value::kWord || value.kind == Value::kReal) return value.text;
  if (value.kind != Value::kList && value.kind != Value::kMap) return shown(value);
  std::vector<std::string> items;
  for (const Value& item : value.items) items.push_back(in_full(item));
  const bool map = value.kind == Value::kMap;
  return fmt::format("{}{}{}", map ? "{" : "[", fmt::join(items, " "), map ? "}" : "]");
}

// "try-lock" and "t-call" as EDN likes them are "try_lock" and "t_call".
std::string plain(std::string_view word) {
  std::string out(word);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

Read<std::string> name(const Value& value) {
  if (value.kind == Value::kInteger) return fmt::format("{}", value.number);
  if (value.kind == Value::kText || value.kind == Value::kWord) return value.text;
  return wrong(value, fmt::format("expected a name or a whole number, not {}", shown(value)));
}

Read<std::int64_t> whole(const Value& value, std::int64_t least) {
  if (value.kind != Value::kInteger || value.number < least)
    return wrong(value, fmt::format("expected a whole number from {} on, not {}", least, shown(value)));
  return value.number;
}

// In ns, or a text with a unit.
Read<std::int64_t> nanoseconds(const Value& value) {
  if (value.kind == Value::kInteger) return value.number;
  if (value.kind == Value::kText)
    if (const auto parsed = parse_duration(value.text)) return parsed->count();
  return wrong(value, fmt::format("expected whole nanoseconds or a text like \"1.5s\", not {}", shown(value)));
}

std::string range_of_times() { return fmt::format("a time from {} to {} ns", -kFurthest, kFurthest); }

Read<std::int64_t> moment_ns(const Value& value) {
  const auto ns = nanoseconds(value);
  if (!ns || is_time(*ns)) return ns;
  return wrong(value, fmt::format("expected {}, not {} ns: a call that never returned is one of type info",
                                  range_of_times(), *ns));
}

// One entry of the file: a call, its beginning or its end, or something else that happened.
struct Entry {
  enum Type : std::uint8_t { kInvoke, kOk, kFail, kInfo } type = kOk;
  Place place;
  std::optional<std::string> process, client, mutex, uid, annotation;
  std::optional<Operation> f;
  std::optional<Token> fence;
  std::optional<std::uint32_t> permits;
  std::optional<std::int64_t> ttl, deadline, called, returned, time, clock;
};

class EntryReader {
 public:
  explicit EntryReader(Notation notation) : notation_(notation) {}

  Read<Entry> read(const Value& map) {
    out_ = {};
    out_.place = map.place;
    if (map.kind != Value::kMap) return wrong(map, fmt::format("expected a map of a call, not {}", shown(map)));
    if (is_nemesis(map)) return annotation(map);
    const Value* const typed = at(map, "type");
    if (typed == nullptr) return wrong(map, "expected \"type\": invoke, ok, fail or info");
    if (auto read = type(*typed); !read) return tl::make_unexpected(read.error());
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2)
      if (auto read = field(map.items[i], map.items[i + 1]); !read) return tl::make_unexpected(read.error());
    return out_;
  }

 private:
  static const Value* at(const Value& map, std::string_view key) {
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2)
      if (map.items[i].text == key) return &map.items[i + 1];
    return nullptr;
  }

  static bool is_nemesis(const Value& map) {
    const Value* const process = at(map, "process");
    return process != nullptr && process->text == kNemesis;
  }

  Read<Entry> annotation(const Value& map) {
    const Value* const f = at(map, "f");
    const Value* const value = at(map, "value");
    const Value* const time = at(map, "time") != nullptr ? at(map, "time") : at(map, "t_call");
    const bool said = value != nullptr && value->kind != Value::kNil;
    if (said && value->kind == Value::kText && f != nullptr && f->text == kFault)
      out_.annotation = value->text;  // as it is written here
    else
      out_.annotation =
          fmt::format("{}{}{}", f == nullptr ? "" : in_full(*f), said ? " " : "", said ? in_full(*value) : "");
    if (time != nullptr) {
      const auto ns = moment_ns(*time);
      if (!ns) return tl::make_unexpected(ns.error());
      out_.time = *ns;
    }
    return out_;
  }

  template <class T, class U>
  static Read<void> put(std::optional<T>& into, const Read<U>& read) {
    if (!read) return tl::make_unexpected(read.error());
    into = static_cast<T>(*read);
    return {};
  }

  Read<void> type(const Value& value) {
    constexpr std::array<std::string_view, 4> kTypes{"invoke", "ok", "fail", "info"};
    const auto found = std::find(kTypes.begin(), kTypes.end(), value.text);
    if (found == kTypes.end())
      return wrong(value, fmt::format("expected invoke, ok, fail or info, not {}", shown(value)));
    out_.type = static_cast<Entry::Type>(found - kTypes.begin());
    return {};
  }

  Read<void> operation(const Value& value) {
    out_.f = operation_of(value.text);
    if (out_.f) return {};
    std::vector<std::string> known;
    known.reserve(kOperations);
    for (int i = 0; i < kOperations; ++i) known.emplace_back(text(static_cast<Operation>(i)));
    return wrong(value, fmt::format("expected one of {}, not {}{}", fmt::join(known, ", "), shown(value),
                                    did_you_mean(plain(value.text), known)));
  }

  // Of Knossos: nil, a map of fields, or [lock value] where several locks are in one history. Of Jepsen's tests of
  // locks a text: the call's number. Of a call that did not succeed anything: it says why.
  Read<void> value_field(const Value& value) {
    if (value.kind == Value::kNil) return {};
    if (value.kind == Value::kList && value.items.size() == 2) {
      if (auto read = put(out_.mutex, name(value.items[0])); !read) return read;
      return value_field(value.items[1]);
    }
    const bool edn = notation_ == Notation::kEdn, in_vain = out_.type == Entry::kFail || out_.type == Entry::kInfo;
    if (edn && value.kind == Value::kText) return put(out_.uid, name(value));
    if (edn && value.kind != Value::kMap && in_vain) return {};
    if (value.kind != Value::kMap)
      return wrong(value, fmt::format("expected nil, a map of fields like :client and :fence, or [lock value], not {}",
                                      shown(value)));
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2)
      if (auto read = field(value.items[i], value.items[i + 1]); !read) return read;
    return {};
  }

  Read<void> field(const Value& key, const Value& value) {
    static const std::vector<std::string> kKnown{"process",  "type", "f",       "value", "mutex",    "client",
                                                 "fence",    "uid",  "permits", "ttl",   "deadline", "t_call",
                                                 "t_return", "time", "clock",   "index", "error",    "note"};
    const std::string word = plain(key.text);
    if (word == "type" || word == "index" || word == "error" || word == "note") return {};
    const bool known = std::find(kKnown.begin(), kKnown.end(), word) != kKnown.end();
    if (!known && notation_ == Notation::kEdn) return {};  // Jepsen adds what it likes
    if (!known)
      return wrong(key, fmt::format("unknown key {}{}: expected {}", shown(key), did_you_mean(word, kKnown),
                                    fmt::join(kKnown, ", ")));
    if (value.kind == Value::kNil) return {};
    if (word == "value") return value_field(value);
    if (word == "f") return operation(value);
    if (word == "process") return put(out_.process, name(value));
    if (word == "client") return put(out_.client, name(value));
    if (word == "mutex") return put(out_.mutex, name(value));
    if (word == "uid") return put(out_.uid, name(value));
    if (word == "fence") return put(out_.fence, whole(value, 0));
    if (word == "permits") return permits(value);
    if (word == "ttl") return put(out_.ttl, nanoseconds(value));
    if (word == "clock") return put(out_.clock, nanoseconds(value));
    return put(word == "deadline"   ? out_.deadline
               : word == "t_call"   ? out_.called
               : word == "t_return" ? out_.returned
                                    : out_.time,
               moment_ns(value));
  }

  Read<void> permits(const Value& value) {
    if (auto read = whole(value, 1); !read || *read <= UINT32_MAX) return put(out_.permits, read);
    return wrong(value, fmt::format("expected no more than {} permits", UINT32_MAX));
  }

  const Notation notation_;
  Entry out_;
};

// Makes calls of entries: one that begins and ends a call, or two.
class CallMaker {
 public:
  Read<void> add(const Entry& entry) {
    ++order_;
    const auto fail = [&](std::string what) { return tl::make_unexpected(ReadError{entry.place, std::move(what)}); };
    if (entry.annotation) {
      calls_.annotations.push_back({entry.time.value_or(timed_ ? latest_ : order_), *entry.annotation});
      return {};
    }
    if (!entry.process && !(entry.f == Operation::kExpire && entry.client)) return fail("expected \"process\"");
    const std::string process = entry.process.value_or(entry.client.value_or(""));
    const auto open = open_.find(process);
    if (entry.type == Entry::kInvoke) {
      if (!entry.f) return fail("expected \"f\": which call it is");
      if (open != open_.end())
        return fail(fmt::format("process {} calls anew while its call of line {} is open: expected its end first",
                                escaped(process, 40), calls_.calls[open->second].written.line));
      if (auto begun = begin(entry, process); !begun) return begun;
      open_[process] = calls_.calls.size() - 1;
      return {};
    }
    const bool ends =
        open != open_.end() && !(entry.f == Operation::kExpire && calls_.calls[open->second].f != Operation::kExpire);
    if (!ends) {
      if (!entry.f)
        return fail(fmt::format("process {} has no open call: expected its invoke before", escaped(process, 40)));
      if (!entry.called && entry.f != Operation::kExpire)
        return fail(fmt::format("process {} has no open call: expected its invoke before, or \"t_call\" here",
                                escaped(process, 40)));
      if (auto begun = begin(entry, process); !begun) return begun;
      return end(entry, calls_.calls.size() - 1, true);
    }
    const std::size_t place = open->second;
    if (entry.f && *entry.f != calls_.calls[place].f)
      return fail(fmt::format("process {} called {}: expected its end, not that of {}", escaped(process, 40),
                              text(calls_.calls[place].f), text(*entry.f)));
    open_.erase(open);
    return end(entry, place, false);
  }

  // Who has not returned by the end of the file may have taken effect.
  Read<Calls> finish() {
    if (timed_ && untimed_)
      return tl::make_unexpected(
          ReadError{*untimed_, "expected a time here as the others have: t_call, t_return or time"});
    calls_.timed = timed_ || calls_.calls.empty();
    std::stable_sort(calls_.calls.begin(), calls_.calls.end(),
                     [](const Call& a, const Call& b) { return a.called < b.called; });
    return std::move(calls_);
  }

 private:
  Moment moment(const Entry& entry, const std::optional<std::int64_t>& ns) {
    if (!ns && !untimed_) untimed_ = entry.place;
    timed_ = timed_ || ns;
    latest_ = ns.value_or(order_);
    return {latest_, order_};
  }

  Read<void> begin(const Entry& entry, const std::string& process) {
    Call call;
    call.process = calls_.names.intern(process);
    call.client = calls_.names.intern(entry.client.value_or(process));
    call.mutex = calls_.names.intern(entry.mutex.value_or(""));
    call.f = *entry.f;
    call.ending = Ending::kUnknown;
    call.called = moment(entry, entry.called ? entry.called : entry.time);
    call.written = entry.place;
    calls_.calls.push_back(call);
    details(entry, calls_.calls.back());
    return {};
  }

  void details(const Entry& entry, Call& call) {
    if (entry.client) call.client = calls_.names.intern(*entry.client);
    if (entry.uid) call.uid = calls_.names.intern(*entry.uid);
    if (entry.fence) call.fence = *entry.fence;
    if (entry.permits) call.permits = *entry.permits;
    if (entry.ttl) call.ttl = entry.ttl;
    if (entry.deadline) call.deadline = entry.deadline;
    if (entry.clock && !call.clock) call.clock = entry.clock;
  }

  // Of a call in one entry: where its moments are those of others, nobody can say which came first.
  Read<void> end(const Entry& entry, std::size_t place, bool alone) {
    Call& call = calls_.calls[place];
    details(entry, call);
    const bool whole = alone && entry.called && (entry.returned || entry.type == Entry::kInfo);
    if (whole) call.called.place = 0;
    if (entry.mutex && calls_.names.intern(*entry.mutex) != call.mutex)
      return tl::make_unexpected(ReadError{entry.place, "expected the end of a call on the same lock"});
    if (entry.type == Entry::kInfo) return {};
    call.ending = entry.type == Entry::kOk ? Ending::kOk : Ending::kFailed;
    const auto ns = entry.returned ? entry.returned : entry.time ? entry.time : alone ? entry.called : std::nullopt;
    call.returned = moment(entry, ns);
    if (whole) call.returned.place = INT64_MAX;
    if (timed_ && call.returned.ns < call.called.ns)
      return tl::make_unexpected(
          ReadError{entry.place, fmt::format("expected a return at {} ns, the time of the call, or later, not at {} ns",
                                             call.called.ns, call.returned.ns)});
    return {};
  }

  Calls calls_;
  std::map<std::string, std::size_t> open_;
  std::int64_t order_ = 0;
  std::int64_t latest_ = 0;  // ns: where an annotation stands that has no time
  bool timed_ = false;
  std::optional<Place> untimed_;
};

// ---- a run's history

// By the word; null when the kind is none of those that matter.
std::optional<EventKind> kind_of(std::string_view word) {
  for (const EventKind kind : {EventKind::kGranted, EventKind::kRenewed, EventKind::kReleased, EventKind::kExpired,
                               EventKind::kInvoked, EventKind::kReturned, EventKind::kDisbelieved, EventKind::kCrashed,
                               EventKind::kAttempt, EventKind::kFaultBegan, EventKind::kFaultEnded})
    if (text(kind) == word) return kind;
  return std::nullopt;
}

class EventReader {
 public:
  explicit EventReader(bool grants) : calls_(grants) {}

  Read<void> add(const Value& map) {
    if (map.kind != Value::kMap) return wrong(map, fmt::format("expected an event, not {}", shown(map)));
    map_ = &map;
    const Value* const kind = at("kind");
    if (kind == nullptr || kind->kind != Value::kText) return wrong(map, "expected \"kind\": what happened");
    const auto known = kind_of(kind->text);
    if (!known) return {};
    RunCalls::Told told;
    told.kind = *known;
    told.written = map.place;
    told.sequence = number("seq", true);
    told.lo = time("lo_ns");
    told.hi = time("hi_ns");
    if (!error_ && told.hi < told.lo)
      fail(at("hi_ns")->place,
           fmt::format("expected \"hi_ns\": {} ns, its \"lo_ns\", or later, not {} ns", told.lo, told.hi));
    told.node = word("node");
    told.mutex = word("mutex");
    told.token = static_cast<Token>(number("token", false));
    told.lease = number("lease_ns", *known == EventKind::kGranted || *known == EventKind::kRenewed);
    if (*known == EventKind::kAttempt && word("result") == text(AttemptResult::kWon))
      told.lease = number("remaining_ns", true);
    told.permits = static_cast<std::uint32_t>(number("permits", false));
    const bool called = *known == EventKind::kInvoked || *known == EventKind::kReturned;
    told.uid = static_cast<std::uint64_t>(number("uid", called));
    if (called) told.operation = operation();
    if (*known == EventKind::kReturned) {
      told.ending = ending();
      expect_after_its_call(told);
    }
    if (*known == EventKind::kGranted && at("how") != nullptr)
      told.stolen = word("how") == text(GrantKind::kStolen) || word("how") == text(GrantKind::kStolenAgain);
    if (*known == EventKind::kFaultBegan || *known == EventKind::kFaultEnded)
      calls_.annotate(told.lo, fmt::format("{} {} {}", word("fault"),
                                           *known == EventKind::kFaultBegan ? "began at" : "ended at", told.node));
    if (error_) return tl::make_unexpected(*error_);
    calls_.add(told);
    return {};
  }

  Calls calls() const { return calls_.calls(); }

 private:
  const Value* at(std::string_view key) const {
    for (std::size_t i = 0; i + 1 < map_->items.size(); i += 2)
      if (map_->items[i].text == key) return &map_->items[i + 1];
    return nullptr;
  }
  void fail(Place place, std::string what) {
    if (!error_) error_ = ReadError{place, std::move(what)};
  }
  std::int64_t number(std::string_view key, bool needed) {
    const Value* const value = at(key);
    if (value != nullptr && value->kind == Value::kInteger) return value->number;
    if (value != nullptr || needed)
      fail(value == nullptr ? map_->place : value->place, fmt::format("expected \"{}\": a whole number", key));
    return 0;
  }
  std::int64_t time(std::string_view key) {
    const std::int64_t ns = number(key, true);
    if (!is_time(ns)) fail(at(key)->place, fmt::format("expected \"{}\": {}", key, range_of_times()));
    return ns;
  }
  void expect_after_its_call(const RunCalls::Told& told) {
    const std::optional<Moment> called = calls_.called_at(told.node, told.uid);
    if (error_ || !called || *called <= Moment{told.hi, told.sequence}) return;
    const std::string expected =
        told.hi < called->ns
            ? fmt::format("at {} ns, the time of the call, or later, not at {} ns", called->ns, told.hi)
            : fmt::format("after the call, whose \"seq\" is {}, not of \"seq\" {} at the same time", called->place,
                          told.sequence);
    fail(at("hi_ns")->place, "expected a return " + expected);
  }
  std::string_view word(std::string_view key) {
    const Value* const value = at(key);
    if (value != nullptr && value->kind == Value::kText) return value->text;
    fail(value == nullptr ? map_->place : value->place, fmt::format("expected \"{}\": a text", key));
    return "";
  }
  Operation operation() {
    const std::string_view written = word("operation");
    const auto known = operation_of(written);
    if (!known) fail(map_->place, fmt::format("expected an operation, not {}", escaped(written, 40)));
    return known.value_or(Operation::kLock);
  }
  Ending ending() {
    const std::string_view written = word("ending");
    for (const Ending one : {Ending::kOk, Ending::kFailed, Ending::kUnknown})
      if (text(one) == written) return one;
    fail(map_->place, fmt::format("expected \"ending\": ok, failed or unknown, not {}", escaped(written, 40)));
    return Ending::kUnknown;
  }

  RunCalls calls_;
  const Value* map_ = nullptr;
  std::optional<ReadError> error_;
};

bool is_header(const Value& value) {
  return value.kind == Value::kMap && value.items.size() > 1 && value.items[0].text == "format";
}

Read<Calls> read_run(ValueReader& reader, const Value& header, bool grants) {
  if (header.items[1].text != "leasescope history")
    return wrong(header.items[1], "expected the format \"leasescope history\"");
  if (header.items.size() > 3 && header.items[2].text == "version" && header.items[3].number != 1)
    return wrong(header.items[3], "expected version 1: a newer leasescopectl has written it");
  EventReader events(grants);
  for (;;) {
    const auto value = reader.next();
    if (!value) return tl::make_unexpected(value.error());
    if (!*value) return events.calls();
    if (auto added = events.add(**value); !added) return tl::make_unexpected(added.error());
  }
}

}  // namespace

Notation notation_of(std::string_view text) {
  constexpr const char* kSpace = " \t\r\n";
  std::size_t at = text.find_first_not_of(kSpace);
  if (at != std::string_view::npos && text[at] == '[') at = text.find_first_not_of(kSpace, at + 1);
  if (at == std::string_view::npos || text[at] != '{') return Notation::kEdn;
  const std::size_t next = text.find_first_not_of(kSpace, at + 1);
  return next != std::string_view::npos && text[next] == '"' ? Notation::kJson : Notation::kEdn;
}

Read<Calls> read_calls(std::string_view text, bool grants) {
  for (const std::string_view mark : {"\xFF\xFE", "\xFE\xFF"})
    if (text.substr(0, mark.size()) == mark)
      return tl::make_unexpected(ReadError{{}, "expected UTF-8, and the file is UTF-16: save it as UTF-8"});
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8, which some editors write
  if (text.substr(0, kMark.size()) == kMark) text.remove_prefix(kMark.size());
  const Notation notation = notation_of(text);
  ValueReader reader(text, notation);
  CallMaker maker;
  EntryReader entries(notation);
  const auto take = [&](const Value& value) -> Read<void> {
    const auto entry = entries.read(value);
    return entry ? maker.add(*entry) : Read<void>(tl::make_unexpected(entry.error()));
  };
  for (bool first = true;; first = false) {
    const auto value = reader.next();
    if (!value) return tl::make_unexpected(value.error());
    if (!*value) break;
    if (first && is_header(**value)) return read_run(reader, **value, grants);
    if (first && (*value)->kind == Value::kList) {  // all in one vector
      for (const Value& item : (*value)->items)
        if (auto taken = take(item); !taken) return tl::make_unexpected(taken.error());
      continue;
    }
    if (auto taken = take(**value); !taken) return tl::make_unexpected(taken.error());
  }
  return maker.finish();
}

}  // namespace leasescope::check
