#include "core/check/call_reader.h"

#include "core/check/call_maker.h"
#include "core/check/entry_reader.h"
#include "core/check/event_reader.h"
#include "core/history/history_header.h"

namespace leasescope::check {
namespace {

bool is_header(const Value& value) {
  return value.kind == Value::kMap && value.items.size() > 1 && value.items[0].text == "format";
}

Read<Calls> read_run(ValueReader& reader, const Value& header, bool grants) {
  if (header.items[1].text != "leasescope history")
    return wrong(header.items[1], "expected the format \"leasescope history\"");
  if (header.items.size() > 3 && header.items[2].text == "version" && header.items[3].number != 1)
    return wrong(header.items[3], "expected version 1: a newer leasescopectl has written it");
  const Value* const world = value_at(header, "world");
  EventReader events(grants, world != nullptr && world->text == kToldCalls);
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
