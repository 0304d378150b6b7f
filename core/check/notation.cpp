#include "core/check/notation.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::check {
namespace {

constexpr int kDeepest = 64;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  constexpr std::string_view kSigns = ".*+!-_?$%&=<>/#:'";
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kSigns.find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

void add_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { out.push_back(static_cast<char>(value)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

// How many bytes the character has that begins there; 0 where none does. No surrogates, nothing longer than needed.
std::size_t utf8_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return byte(1) >= least && byte(1) <= most ? size : 0;
}

// What is not could not be written again: two names that differ would become the same.
bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace

tl::unexpected<ReadError> ValueReader::fail(std::string what) const {
  return tl::make_unexpected(ReadError{at_, std::move(what)});
}

char ValueReader::take() {
  const char c = text_[next_++];
  if (c == '\n')
    at_ = {at_.line + 1, 1};
  else
    ++at_.column;
  return c;
}

bool ValueReader::skip(char wanted) {
  if (ended() || peek() != wanted) return false;
  take();
  return true;
}

// In EDN a comma is space, `;` begins a comment, `#_` drops the next value and `#word` tags it.
tl::expected<void, ReadError> ValueReader::skip_space(int depth) {
  for (;;) {
    while (!ended() && (is_space(peek()) || (notation_ == Notation::kEdn && peek() == ','))) take();
    if (notation_ == Notation::kJson || ended()) return {};
    if (peek() == ';') {
      while (!ended() && peek() != '\n') take();
      continue;
    }
    const char after = next_ + 1 < text_.size() ? text_[next_ + 1] : '\0';
    if (peek() != '#' || after == '{') return {};
    take();
    if (after == '_') {
      take();
      if (const auto dropped = value(depth + 1); !dropped) return tl::make_unexpected(dropped.error());
    } else {
      while (!ended() && is_word(peek())) take();
    }
  }
}

tl::expected<std::optional<Value>, ReadError> ValueReader::next() {
  if (const auto skipped = skip_space(0); !skipped) return tl::make_unexpected(skipped.error());
  if (ended()) return std::nullopt;
  auto read = value(0);
  if (!read) return tl::make_unexpected(read.error());
  return std::move(*read);
}

ValueReader::Read ValueReader::value(int depth) {
  if (depth > kDeepest) return fail(fmt::format("expected values no deeper than {}", kDeepest));
  if (const auto skipped = skip_space(depth); !skipped) return tl::make_unexpected(skipped.error());
  if (ended()) return fail("expected a value, and the file has ended");
  const Place place = at_;
  const char c = peek();
  const bool signed_number = (c == '-' || c == '+') && next_ + 1 < text_.size() && is_digit(text_[next_ + 1]) &&
                             (c == '-' || notation_ == Notation::kEdn);
  const bool json = notation_ == Notation::kJson;
  Read out = c == '"'                       ? text()
             : is_digit(c) || signed_number ? number()
             : json && c == '{'             ? json_map(depth)
             : json && c == '['             ? json_list(depth)
             : json                         ? word()
             : c == '{'                     ? list('}', Value::kMap, depth)
             : c == '['                     ? list(']', Value::kList, depth)
             : c == '('                     ? list(')', Value::kList, depth)
             : skip('#')                    ? list('}', Value::kList, depth)  // a set: what else begins so was skipped
                                            : word();
  if (out) out->place = place;
  return out;
}

ValueReader::Read ValueReader::list(char end, Value::Kind kind, int depth) {
  Value out;
  out.kind = kind;
  take();
  for (;;) {
    if (const auto skipped = skip_space(depth); !skipped) return tl::make_unexpected(skipped.error());
    if (ended()) return fail(fmt::format("expected {}, and the file has ended", end));
    if (skip(end)) break;
    auto item = value(depth + 1);
    if (!item) return item;
    out.items.push_back(std::move(*item));
  }
  if (kind == Value::kMap && out.items.size() % 2 != 0) return fail("expected a value for each key of the map");
  return out;
}

ValueReader::Read ValueReader::json_list(int depth) {
  Value out;
  out.kind = Value::kList;
  take();
  skip_space(depth);
  if (skip(']')) return out;
  for (;;) {
    auto item = value(depth + 1);
    if (!item) return item;
    out.items.push_back(std::move(*item));
    skip_space(depth);
    if (skip(']')) return out;
    if (!skip(',')) return fail("expected , or ]");
  }
}

ValueReader::Read ValueReader::json_map(int depth) {
  Value out;
  out.kind = Value::kMap;
  take();
  skip_space(depth);
  if (skip('}')) return out;
  for (;;) {
    skip_space(depth);
    const Place place = at_;
    if (peek() != '"') return fail("expected a key in quotes");
    auto key = text();
    if (!key) return key;
    key->place = place;
    skip_space(depth);
    if (!skip(':')) return fail("expected : after a key");
    auto item = value(depth + 1);
    if (!item) return item;
    out.items.push_back(std::move(*key));
    out.items.push_back(std::move(*item));
    skip_space(depth);
    if (skip('}')) return out;
    if (!skip(',')) return fail("expected , or }");
  }
}

tl::expected<std::uint32_t, ReadError> ValueReader::hex() {
  std::uint32_t code = 0;
  const std::string_view digits = text_.substr(next_, 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (error != std::errc() || end != digits.data() + 4) return fail("expected four hexadecimal digits after \\u");
  for (int i = 0; i < 4; ++i) take();
  return code;
}

tl::expected<void, ReadError> ValueReader::escape(std::string& into) {
  constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
  const char c = ended() ? '\0' : take();
  if (const std::size_t at = kFrom.find(c); at != std::string_view::npos) {
    into.push_back(kTo[at]);
    return {};
  }
  if (c != 'u') return fail("expected \\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t or \\u");
  auto code = hex();
  if (!code) return tl::make_unexpected(code.error());
  if (*code >= 0xDC00 && *code < 0xE000) return fail("expected the first half of a surrogate pair before");
  if (*code >= 0xD800 && *code < 0xDC00) {
    if (!(skip('\\') && skip('u'))) return fail("expected the second half of a surrogate pair");
    const auto low = hex();
    if (!low) return tl::make_unexpected(low.error());
    if (*low < 0xDC00 || *low > 0xDFFF) return fail("expected the second half of a surrogate pair");
    *code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
  }
  add_utf8(into, *code);
  return {};
}

ValueReader::Read ValueReader::text() {
  const Place place = at_;
  Value out;
  out.kind = Value::kText;
  take();
  while (!ended() && peek() != '"') {
    if (notation_ == Notation::kJson && peek() == '\n') return fail("expected \" before the end of the line");
    const char c = take();
    if (c != '\\') {
      out.text.push_back(c);
    } else if (const auto escaped = escape(out.text); !escaped) {
      return tl::make_unexpected(escaped.error());
    }
  }
  if (!skip('"')) return fail("expected \", and the file has ended");
  if (!is_utf8(out.text)) return tl::make_unexpected(ReadError{place, "expected UTF-8 in this text"});
  return out;
}

ValueReader::Read ValueReader::number() {
  const Place place = at_;
  const std::size_t from = next_;
  skip('+');
  const std::size_t digits = next_;
  while (!ended() && (is_digit(peek()) || std::string_view("+-.eE").find(peek()) != std::string_view::npos)) take();
  const std::string_view written = text_.substr(digits, next_ - digits);
  if (notation_ == Notation::kEdn) skip('N');
  Value out;
  out.text = text_.substr(from, next_ - from);
  const char* const end = written.data() + written.size();
  const auto whole = std::from_chars(written.data(), end, out.number);
  if (whole.ec == std::errc() && whole.ptr == end) {
    out.kind = Value::kInteger;
    return out;
  }
  double real = 0;
  const auto any = std::from_chars(written.data(), end, real);
  if (any.ec != std::errc() || any.ptr != end)
    return tl::make_unexpected(
        ReadError{place, fmt::format("expected a number of 64 bits, not {}", escaped(out.text, 40))});
  if (notation_ == Notation::kEdn) skip('M');
  out.kind = Value::kReal;
  return out;
}

ValueReader::Read ValueReader::word() {
  const Place place = at_;
  const bool keyword = notation_ == Notation::kEdn && skip(':');
  const std::size_t from = next_;
  while (!ended() && is_word(peek())) take();
  Value out;
  out.text = text_.substr(from, next_ - from);
  if (out.text.empty())
    return tl::make_unexpected(ReadError{
        place, fmt::format("expected a value, not {}", ended() ? "the end" : escaped(text_.substr(next_, 1)))});
  if (!is_utf8(out.text)) return tl::make_unexpected(ReadError{place, "expected UTF-8 in this word"});
  out.kind = Value::kWord;
  if (keyword) return out;
  if (out.text == "true" || out.text == "false") {
    out.kind = Value::kBool;
    out.number = out.text == "true" ? 1 : 0;
  } else if (out.text == (notation_ == Notation::kJson ? "null" : "nil")) {
    out.kind = Value::kNil;
  } else if (notation_ == Notation::kJson) {
    return tl::make_unexpected(ReadError{place, fmt::format("expected a value, not {}", escaped(out.text, 40))});
  }
  return out;
}

}  // namespace leasescope::check
