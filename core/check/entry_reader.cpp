#include "core/check/entry_reader.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest_word.h"

namespace leasescope::check {

Read<Entry> EntryReader::read(const Value& map) {
  out_ = {};
  out_.place = map.place;
  if (map.kind != Value::kMap) return wrong(map, fmt::format("expected a map of a call, not {}", shown(map)));
  if (is_nemesis(map)) return annotation(map);
  const Value* const typed = value_at(map, "type");
  if (typed == nullptr) return wrong(map, "expected \"type\": invoke, ok, fail or info");
  if (auto read = type(*typed); !read) return tl::make_unexpected(read.error());
  for (std::size_t i = 0; i + 1 < map.items.size(); i += 2)
    if (auto read = field(map.items[i], map.items[i + 1]); !read) return tl::make_unexpected(read.error());
  return out_;
}

bool EntryReader::is_nemesis(const Value& map) {
  const Value* const process = value_at(map, "process");
  return process != nullptr && process->text == kNemesis;
}

Read<Entry> EntryReader::annotation(const Value& map) {
  const Value* const f = value_at(map, "f");
  const Value* const value = value_at(map, "value");
  const Value* const time = value_at(map, "time") != nullptr ? value_at(map, "time") : value_at(map, "t_call");
  const bool said = value != nullptr && value->kind != Value::kNil;
  if (said && value->kind == Value::kText && f != nullptr && f->text == kFault)
    out_.annotation = value->text;  // as it is written here
  else
    out_.annotation =
        fmt::format("{}{}{}", f == nullptr ? "" : in_full(*f), said ? " " : "", said ? in_full(*value) : "");
  if (time != nullptr) {
    const auto ns = time_of(*time);
    if (!ns) return tl::make_unexpected(ns.error());
    out_.time = *ns;
  }
  return out_;
}

Read<void> EntryReader::type(const Value& value) {
  constexpr std::array<std::string_view, 4> kTypes{"invoke", "ok", "fail", "info"};
  const auto found = std::find(kTypes.begin(), kTypes.end(), value.text);
  if (found == kTypes.end())
    return wrong(value, fmt::format("expected invoke, ok, fail or info, not {}", shown(value)));
  out_.type = static_cast<Entry::Type>(found - kTypes.begin());
  return {};
}

Read<void> EntryReader::operation(const Value& value) {
  out_.f = operation_of(value.text);
  if (out_.f) return {};
  std::vector<std::string> known;
  known.reserve(kOperations);
  for (int i = 0; i < kOperations; ++i) known.emplace_back(text(static_cast<Operation>(i)));
  return wrong(value, fmt::format("expected one of {}, not {}{}", fmt::join(known, ", "), shown(value),
                                  did_you_mean(plain_word(value.text), known)));
}

// Of Knossos: nil, a map of fields, or [lock value] where several locks are in one history. Of Jepsen's tests of
// locks a text: the call's number. Of a call that did not succeed anything: it says why.
Read<void> EntryReader::value_field(const Value& value) {
  if (value.kind == Value::kNil) return {};
  if (value.kind == Value::kList && value.items.size() == 2) {
    if (auto read = put(out_.mutex, name_of(value.items[0])); !read) return read;
    return value_field(value.items[1]);
  }
  const bool edn = notation_ == Notation::kEdn, in_vain = out_.type == Entry::kFail || out_.type == Entry::kInfo;
  if (edn && value.kind == Value::kText) return put(out_.uid, name_of(value));
  if (edn && value.kind != Value::kMap && in_vain) return {};
  if (value.kind != Value::kMap)
    return wrong(value, fmt::format("expected nil, a map of fields like :client and :fence, or [lock value], not {}",
                                    shown(value)));
  for (std::size_t i = 0; i + 1 < value.items.size(); i += 2)
    if (auto read = field(value.items[i], value.items[i + 1]); !read) return read;
  return {};
}

Read<void> EntryReader::field(const Value& key, const Value& value) {
  static const std::vector<std::string> kKnown{"process",  "type", "f",       "value", "mutex",    "client",
                                               "fence",    "uid",  "permits", "ttl",   "deadline", "t_call",
                                               "t_return", "time", "clock",   "index", "error",    "note"};
  const std::string word = plain_word(key.text);
  if (word == "type" || word == "index" || word == "error" || word == "note") return {};
  const bool known = std::find(kKnown.begin(), kKnown.end(), word) != kKnown.end();
  if (!known && notation_ == Notation::kEdn) return {};  // Jepsen adds what it likes
  if (!known)
    return wrong(key, fmt::format("unknown key {}{}: expected {}", shown(key), did_you_mean(word, kKnown),
                                  fmt::join(kKnown, ", ")));
  if (value.kind == Value::kNil) return {};
  if (word == "value") return value_field(value);
  if (word == "f") return operation(value);
  if (word == "process") return put(out_.process, name_of(value));
  if (word == "client") return put(out_.client, name_of(value));
  if (word == "mutex") return put(out_.mutex, name_of(value));
  if (word == "uid") return put(out_.uid, name_of(value));
  if (word == "fence") return put(out_.fence, whole_number(value, 0));
  if (word == "permits") return permits(value);
  if (word == "ttl") return put(out_.ttl, nanoseconds_of(value));
  if (word == "clock") return put(out_.clock, nanoseconds_of(value));
  return put(word == "deadline"   ? out_.deadline
             : word == "t_call"   ? out_.called
             : word == "t_return" ? out_.returned
                                  : out_.time,
             time_of(value));
}

Read<void> EntryReader::permits(const Value& value) {
  if (auto read = whole_number(value, 1); !read || *read <= UINT32_MAX) return put(out_.permits, read);
  return wrong(value, fmt::format("expected no more than {} permits", UINT32_MAX));
}

}  // namespace leasescope::check
