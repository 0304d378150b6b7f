#include "core/check/value_fields.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/escaped.h"
#include "core/check/call.h"
#include "core/time/duration_text.h"

namespace leasescope::check {

tl::unexpected<ReadError> wrong(const Value& value, std::string what) {
  return tl::make_unexpected(ReadError{value.place, std::move(what)});
}

const Value* value_at(const Value& map, std::string_view key) {
  for (std::size_t i = 0; i + 1 < map.items.size(); i += 2)
    if (map.items[i].text == key) return &map.items[i + 1];
  return nullptr;
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

std::string in_full(const Value& value) {
  if (value.kind == Value::kText || value.kind == Value::kWord || value.kind == Value::kReal) return value.text;
  if (value.kind != Value::kList && value.kind != Value::kMap) return shown(value);
  std::vector<std::string> items;
  for (const Value& item : value.items) items.push_back(in_full(item));
  const bool map = value.kind == Value::kMap;
  return fmt::format("{}{}{}", map ? "{" : "[", fmt::join(items, " "), map ? "}" : "]");
}

std::string plain_word(std::string_view word) {
  std::string out(word);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

Read<std::string> name_of(const Value& value) {
  if (value.kind == Value::kInteger) return fmt::format("{}", value.number);
  if (value.kind == Value::kText || value.kind == Value::kWord) return value.text;
  return wrong(value, fmt::format("expected a name or a whole number, not {}", shown(value)));
}

Read<std::int64_t> whole_number(const Value& value, std::int64_t least) {
  if (value.kind != Value::kInteger || value.number < least)
    return wrong(value, fmt::format("expected a whole number from {} on, not {}", least, shown(value)));
  return value.number;
}

Read<std::int64_t> nanoseconds_of(const Value& value) {
  if (value.kind == Value::kInteger) return value.number;
  if (value.kind == Value::kText)
    if (const auto parsed = parse_duration(value.text)) return parsed->count();
  return wrong(value, fmt::format("expected whole nanoseconds or a text like \"1.5s\", not {}", shown(value)));
}

std::string range_of_times() { return fmt::format("a time from {} to {} ns", -kFurthest, kFurthest); }

Read<std::int64_t> time_of(const Value& value) {
  auto ns = nanoseconds_of(value);
  if (!ns || is_time(*ns)) return ns;
  return wrong(value, fmt::format("expected {}, not {} ns: a call that never returned is one of type info",
                                  range_of_times(), *ns));
}

}  // namespace leasescope::check
