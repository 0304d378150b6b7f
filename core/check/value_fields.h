// What a value of a file is read as, and what is said of one that is something else.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/check/notation.h"

namespace leasescope::check {

template <class T>
using Read = tl::expected<T, ReadError>;

tl::unexpected<ReadError> wrong(const Value& value, std::string what);

// Of a map, by the word of the key; null where it has none.
const Value* value_at(const Value& map, std::string_view key);

std::string shown(const Value& value);    // as a message has room for it
std::string in_full(const Value& value);  // as EDN writes it, but without quotes and colons
// "try-lock" and "t-call" as EDN likes them are "try_lock" and "t_call".
std::string plain_word(std::string_view word);

Read<std::string> name_of(const Value& value);  // a text, a word or a whole number
Read<std::int64_t> whole_number(const Value& value, std::int64_t least);
Read<std::int64_t> nanoseconds_of(const Value& value);  // in ns, or a text with a unit
Read<std::int64_t> time_of(const Value& value);         // likewise, when something happened
std::string range_of_times();                           // "a time from ... to ... ns"

}  // namespace leasescope::check
