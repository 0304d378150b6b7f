// One entry of a file of calls.
#pragma once
#include <optional>
#include <string>

#include "core/check/call.h"
#include "core/check/value_fields.h"

namespace leasescope::check {

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
  Read<Entry> read(const Value& map);

 private:
  static bool is_nemesis(const Value& map);
  Read<Entry> annotation(const Value& map);

  template <class T, class U>
  static Read<void> put(std::optional<T>& into, const Read<U>& read) {
    if (!read) return tl::make_unexpected(read.error());
    into = static_cast<T>(*read);
    return {};
  }
  Read<void> type(const Value& value);
  Read<void> operation(const Value& value);
  Read<void> value_field(const Value& value);
  Read<void> field(const Value& key, const Value& value);
  Read<void> permits(const Value& value);

  const Notation notation_;
  Entry out_;
};

}  // namespace leasescope::check
