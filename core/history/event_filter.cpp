#include "core/history/event_filter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/base/nearest_word.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kHalfMs = 500'000;

struct Field {
  std::string_view word;
  FilterField field;
  std::string_view expected;
};
constexpr std::array<Field, 11> kFields{
    {{"kind", FilterField::kKind, "a kind of event was expected, as granted"},
     {"contender", FilterField::kContender, "a contender's name or letter was expected, as c1 or A"},
     {"by", FilterField::kContender, "a contender's name or letter was expected, as c1 or A"},
     {"who", FilterField::kContender, "a contender's name or letter was expected, as c1 or A"},
     {"mutex", FilterField::kMutex, "a mutex was expected, as jobs"},
     {"store", FilterField::kStore, "a store was expected, as redis-1"},
     {"resource", FilterField::kResource, "a resource was expected, as ledger"},
     {"outcome", FilterField::kOutcome, "an outcome was expected, as lost"},
     {"token", FilterField::kToken, "a token was expected, as 41, >41, 40..45 or none"},
     {"time", FilterField::kTime, "a time was expected, as 1.2s"},
     {"cause", FilterField::kCause, "the number of an event was expected, as 412 or none"}}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}
bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool bracket(char c) { return c == '(' || c == ')'; }
bool joins(std::string_view word) { return same(word, "and") || same(word, "or") || same(word, "not"); }

const Field* field_of(std::string_view word) {
  const auto found = std::find_if(kFields.begin(), kFields.end(), [&](const Field& f) { return same(f.word, word); });
  return found == kFields.end() ? nullptr : &*found;
}

bool of_numbers(FilterField field) {
  return field == FilterField::kToken || field == FilterField::kTime || field == FilterField::kCause;
}

// "41", "#41"
std::optional<std::int64_t> number_of(std::string_view text) {
  if (!text.empty() && text.front() == '#') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.front() == '-' || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::optional<std::int64_t> value_of(FilterField field, std::string_view text) {
  if (field != FilterField::kTime) return number_of(text);
  const auto duration = parse_duration(text);
  return duration ? std::optional(duration->count()) : std::nullopt;
}

// Where a bare word ends that begins at `at`.
std::size_t bare_end(std::string_view text, std::size_t at) {
  while (at < text.size() && !space(text[at]) && !bracket(text[at])) ++at;
  return at;
}

// The closing quote of one that is open before `at`; the end where there is none.
std::size_t quote_end(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

}  // namespace

std::string FilterError::text() const { return fmt::format("column {}: {}", column, expected); }

// Reads one text from its begin to its end; the first error ends it.
class FilterReader {
 public:
  explicit FilterReader(std::string_view text) : text_(text) {}

  tl::expected<EventFilter, FilterError> read() {
    skip();
    if (at_ == text_.size()) return EventFilter();
    either(0);
    if (!error_ && at_ < text_.size()) fail(at_, "a term was expected: no bracket is open that this one closes");
    if (error_) return tl::make_unexpected(*error_);
    return std::move(filter_);
  }

 private:
  using Is = FilterNode::Is;

  std::uint32_t fail(std::size_t at, std::string expected) {
    if (error_) return 0;
    const auto before = text_.substr(0, at);  // a character of several bytes is one column
    const auto column = std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xc0) != 0x80; });
    error_ = FilterError{static_cast<std::size_t>(column) + 1, std::move(expected)};
    return 0;
  }
  void skip() {
    while (at_ < text_.size() && space(text_[at_])) ++at_;
  }
  std::string_view bare() const { return text_.substr(at_, bare_end(text_, at_) - at_); }
  bool next_is(std::string_view word) const { return same(bare(), word); }
  bool take(std::string_view word) {
    if (!next_is(word)) return false;
    at_ += word.size();
    skip();
    return true;
  }
  std::uint32_t node(Is is, std::uint32_t a, std::uint32_t b = 0) {
    filter_.nodes_.push_back({is, a, b});
    return static_cast<std::uint32_t>(filter_.nodes_.size()) - 1;
  }

  std::uint32_t either(int depth) {
    std::uint32_t left = both(depth);
    while (!error_ && take("or")) {
      const std::uint32_t right = both(depth);
      left = node(Is::kOr, left, right);
    }
    return left;
  }

  std::uint32_t both(int depth) {
    std::uint32_t left = one(depth);
    while (!error_ && at_ < text_.size() && text_[at_] != ')' && !next_is("or")) {
      take("and");
      const std::uint32_t right = one(depth);
      left = node(Is::kAnd, left, right);
    }
    return left;
  }

  std::uint32_t one(int depth) {
    if (error_) return 0;
    if (depth >= EventFilter::kDeepest)
      return fail(at_, fmt::format("at most {} brackets in one another were expected", EventFilter::kDeepest));
    if (take("not")) return node(Is::kNot, one(depth + 1));
    if (at_ == text_.size() || text_[at_] == ')' || next_is("and") || next_is("or"))
      return fail(at_, "a term was expected, as kind:granted");
    if (text_[at_] == '-') {
      if (++at_ == text_.size() || space(text_[at_])) return fail(at_, "a term was expected right after -");
      return node(Is::kNot, one(depth + 1));
    }
    if (text_[at_] == '(') return bracketed(depth);
    return term();
  }

  std::uint32_t bracketed(int depth) {
    ++at_;
    skip();
    const std::uint32_t inside = either(depth + 1);
    if (error_) return 0;
    if (at_ == text_.size()) return fail(at_, "a closing bracket was expected");
    ++at_;
    skip();
    return inside;
  }

  std::uint32_t term() {
    if (filter_.terms_.size() == EventFilter::kMostTerms)
      return fail(at_, fmt::format("at most {} terms were expected", EventFilter::kMostTerms));
    FilterTerm term;
    std::string_view expected = "a word was expected, as granted";
    const std::string_view word = bare();
    if (const std::size_t colon = word.find(':'); word.front() != '"' && colon != std::string_view::npos) {
      const Field* const field = field_of(word.substr(0, colon));
      if (field == nullptr) return unknown(word.substr(0, colon));
      term.field = field->field;
      expected = field->expected;
      at_ += colon + 1;
    }
    const std::size_t begin = at_;
    const bool quoted = at_ < text_.size() && text_[at_] == '"';
    term.text = quoted ? in_quotes() : std::string(bare());
    if (!quoted) at_ += term.text.size();
    if (error_) return 0;
    if (term.text.empty() && (!quoted || term.field == FilterField::kWord || of_numbers(term.field)))
      return fail(begin, std::string(expected));
    term.pattern = !quoted && term.text.find('*') != std::string::npos;
    if (of_numbers(term.field)) number(term, begin, expected);
    if (term.field == FilterField::kWord && term.text.front() == '#' && !quoted)
      if (const auto token = number_of(term.text)) term.from = term.to = *token;
    if (error_) return 0;
    skip();
    filter_.terms_.push_back(std::move(term));
    return node(Is::kTerm, static_cast<std::uint32_t>(filter_.terms_.size()) - 1);
  }

  std::uint32_t unknown(std::string_view word) {
    std::string fields;
    for (const std::string& field : filter_fields()) fields += (fields.empty() ? "" : ", ") + field;
    return fail(at_, fmt::format("a field was expected before \":\", one of {}{}; a word with a colon stands in quotes",
                                 fields, did_you_mean(word, filter_fields())));
  }

  std::string in_quotes() {
    const std::size_t end = quote_end(text_, at_ + 1);
    if (end == text_.size()) {
      fail(end, "a closing quote was expected");
      return {};
    }
    std::string out;
    for (std::size_t i = at_ + 1; i < end; ++i) out += text_[i] == '\\' ? text_[++i] : text_[i];
    at_ = end + 1;
    if (at_ < text_.size() && !space(text_[at_]) && !bracket(text_[at_])) fail(at_, "a space was expected");
    return out;
  }

  // ">41", "40..45", "41": what passes, both ends with it.
  void number(FilterTerm& term, std::size_t begin, std::string_view expected) {
    std::string_view text = term.text;
    term.from = kLeast;
    term.to = kMost;
    if (term.field != FilterField::kTime && same(text, "none")) {
      term.none = true;
      return;
    }
    if (const std::size_t dots = text.find(".."); dots != std::string_view::npos)
      return range(term, begin, dots, expected);
    const auto starts = [&](std::string_view sign) { return text.substr(0, sign.size()) == sign; };
    const std::string_view sign = starts(">=") || starts("<=")                ? text.substr(0, 2)
                                  : starts(">") || starts("<") || starts("=") ? text.substr(0, 1)
                                                                              : text.substr(0, 0);
    const auto value = value_of(term.field, text.substr(sign.size()));
    if (!value) return void(fail(begin + sign.size(), std::string(expected)));
    const std::int64_t n = *value;
    const bool least = n == kLeast, most = n == kMost;
    if (sign == ">" && most) return void(term = nothing(std::move(term)));
    if (sign == "<" && least) return void(term = nothing(std::move(term)));
    if (sign == ">") term.from = n + 1;
    if (sign == ">=") term.from = n;
    if (sign == "<") term.to = n - 1;
    if (sign == "<=") term.to = n;
    if (sign == "=") term.from = term.to = n;
    if (sign.empty()) term.from = term.to = n;
    // A moment is shown to the millisecond, and meant as it is shown.
    if (sign.empty() && term.field == FilterField::kTime) {
      term.from = n < kLeast + kHalfMs ? kLeast : n - kHalfMs;
      term.to = n > kMost - kHalfMs ? kMost : n + kHalfMs - 1;
    }
  }

  static FilterTerm nothing(FilterTerm term) {
    term.from = 1;
    term.to = 0;
    return term;
  }

  void range(FilterTerm& term, std::size_t begin, std::size_t dots, std::string_view expected) {
    const std::string_view text = term.text, first = text.substr(0, dots), last = text.substr(dots + 2);
    if (first.empty() && last.empty()) return void(fail(begin, std::string(expected)));
    const auto from = first.empty() ? kLeast : value_of(term.field, first);
    if (!from) return void(fail(begin, std::string(expected)));
    const auto to = last.empty() ? kMost : value_of(term.field, last);
    if (!to) return void(fail(begin + dots + 2, std::string(expected)));
    if (*from > *to) return void(fail(begin + dots + 2, fmt::format("{} or more was expected", first)));
    term.from = *from;
    term.to = *to;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  EventFilter filter_;
  std::optional<FilterError> error_;
};

tl::expected<EventFilter, FilterError> EventFilter::parse(std::string_view text) { return FilterReader(text).read(); }

const std::vector<std::string>& filter_fields() {
  static const std::vector<std::string> kWords = [] {
    std::vector<std::string> words;
    FilterField last = FilterField::kWord;
    for (const Field& field : kFields) {
      if (field.field != last) words.emplace_back(field.word);
      last = field.field;
    }
    return words;
  }();
  return kWords;
}

FilterPlace filter_place(std::string_view typed) {
  for (std::size_t at = 0;;) {
    while (at < typed.size() && (space(typed[at]) || bracket(typed[at]) || typed[at] == '-')) ++at;
    FilterPlace place{at, FilterField::kWord};
    std::size_t value = at;
    const std::string_view word = typed.substr(at, bare_end(typed, at) - at);
    if (const std::size_t colon = word.find(':'); !word.empty() && word.front() != '"' && colon != word.npos) {
      if (const Field* const field = field_of(word.substr(0, colon))) place.field = field->field;
      value += colon + 1;
    }
    const bool quoted = value < typed.size() && typed[value] == '"';
    const std::size_t end = quoted ? quote_end(typed, value + 1) + 1 : bare_end(typed, value);
    if (end >= typed.size()) return place;
    at = end;
  }
}

std::string filter_value(std::string_view value) {
  const bool plain =
      !value.empty() && value.front() != '-' && !joins(value) && std::none_of(value.begin(), value.end(), [](char c) {
        return space(c) || bracket(c) || c == '"' || c == ':' || c == '*' || c == '\\';
      });
  if (plain) return std::string(value);
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

}  // namespace leasescope
