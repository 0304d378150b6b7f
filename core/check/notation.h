// Reads JSON, and of EDN what histories are written in: nil, booleans, numbers, strings, keywords, symbols, vectors,
// lists, sets and maps, comments and tags, which are skipped. A value knows where in the file it stands.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/check/place.h"

namespace leasescope::check {

enum class Notation : std::uint8_t { kJson, kEdn };

struct Value {
  enum Kind : std::uint8_t { kNil, kBool, kInteger, kReal, kText, kWord, kList, kMap } kind = kNil;
  std::string text;          // of a text, a keyword without its colon, a symbol; of a real as it is written
  std::int64_t number = 0;   // of an integer; 1 = true
  std::vector<Value> items;  // of a list; of a map its keys and values by turns
  Place place;
};

class ValueReader {
 public:
  ValueReader(std::string_view text, Notation notation, Place from = {})
      : text_(text), notation_(notation), at_(from) {}

  // The next value; nothing at the end of the text.
  tl::expected<std::optional<Value>, ReadError> next();

 private:
  using Read = tl::expected<Value, ReadError>;

  bool ended() const { return next_ == text_.size(); }
  char peek() const { return ended() ? '\0' : text_[next_]; }
  char take();
  bool skip(char wanted);  // takes it if it is next
  tl::expected<void, ReadError> skip_space(int depth);
  Read value(int depth);
  Read text();
  Read number();
  Read word();
  Read list(char end, Value::Kind kind, int depth);
  Read json_map(int depth);
  Read json_list(int depth);
  tl::expected<void, ReadError> escape(std::string& into);
  tl::expected<std::uint32_t, ReadError> hex();
  tl::unexpected<ReadError> fail(std::string what) const;

  std::string_view text_;
  Notation notation_;
  std::size_t next_ = 0;
  Place at_;
};

}  // namespace leasescope::check
