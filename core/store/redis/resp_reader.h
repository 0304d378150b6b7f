// The one reader of what a Redis server says (RESP 2, and what RESP 3 adds where it can be read the same way). Nothing
// a server sends makes it crash, call itself or keep more than its limits allow.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace leasescope::redis {

struct RespValue {
  enum class Kind : std::uint8_t { kNil, kInteger, kText, kError, kList };

  Kind kind = Kind::kNil;
  std::int64_t integer = 0;      // of kInteger
  std::string text;              // of kText and kError
  std::vector<RespValue> items;  // of kList
};

// What one value may cost. A lease call's answer has three items of at most 128 bytes.
struct RespLimits {
  std::size_t line = 16 * 1024;    // bytes of a line without its end
  std::size_t bulk = 64 * 1024;    // bytes of one text
  std::size_t whole = 128 * 1024;  // bytes of one value with all that is in it
  std::size_t items = 4096;        // of all its lists together
  std::size_t depth = 8;           // lists in lists
};

// What the error begins with when the bytes are those of TLS.
inline constexpr const char* kSpeaksTls = "it speaks TLS";

class RespReader {
 public:
  explicit RespReader(const RespLimits& limits = {}) : limits_(limits) {}

  // Keeps the bytes until next() has taken them: call that until it has no more. Nothing is kept after an error.
  void feed(std::string_view bytes);
  // The next whole value; none when bytes are missing. After an error, which says what is wrong with the bytes, every
  // call gives the same one: where the next value would begin is not known.
  tl::expected<std::optional<RespValue>, std::string> next();

  std::size_t size_of_last() const { return size_of_last_; }  // in bytes, of the value next() gave
  std::size_t kept() const { return kept_.size() - at_; }

 private:
  struct OpenList {
    RespValue list;
    std::size_t missing = 0;
  };
  enum class Step : std::uint8_t { kValue, kOpened, kWait };

  Step step(RespValue& value);
  Step read_text(const std::string& head, bool error, RespValue& value);
  Step open_list(const std::string& head, std::size_t each, RespValue& value);
  std::optional<std::string> line();
  std::optional<std::int64_t> number(const std::string& head);
  Step broken(const std::string& why);
  std::size_t room() const { return whole_ < limits_.whole ? limits_.whole - whole_ : 0; }  // for the value under way
  // Puts a finished value into the list it belongs to; true when the outermost is finished, and is in `value`.
  bool place(RespValue& value);

  RespLimits limits_;
  std::string kept_;
  std::size_t at_ = 0;       // of what is not read yet
  std::size_t scanned_ = 0;  // up to here no line ends
  std::size_t whole_ = 0;    // bytes of the value under way that are read
  std::size_t items_ = 0;    // ... and its items
  std::size_t size_of_last_ = 0;
  std::optional<std::int64_t> bulk_;  // the length of the text whose bytes come now
  bool bulk_is_error_ = false;
  std::vector<OpenList> open_;
  std::string error_;
};

}  // namespace leasescope::redis
