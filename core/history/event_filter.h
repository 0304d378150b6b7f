// The language in which events are looked for: a text becomes a tree of terms, or what is wrong with it and where.
//
//   filter = either | nothing, which lets every event pass
//   either = both { "or" both }
//   both   = one { ["and"] one }
//   one    = ("not" | "-") one | "(" either ")" | term
//   term   = FIELD ":" value | word
//
// A value or word with spaces, brackets or a colon, or that begins with "-", stands in quotes; \" and \\ are its own
// quote and backslash. Letters are the same large and small.
//
// | field                    | value              | an event passes                                                  |
// |--------------------------|--------------------|------------------------------------------------------------------|
// | kind                     | granted, "vote *"  | whose kind, as the window says it, is this or begins with it     |
// | contender, by, who       | c1, A              | that is about this name, or the contender of this letter         |
// | mutex                    | jobs               | of this mutex                                                    |
// | store                    | redis-1            | about this store, or a vote of it                                |
// | resource                 | ledger             | that is a write to it                                            |
// | outcome                  | lost, rejected     | that came out so                                                 |
// | token                    | 41, >41, 40..45    | with such a token; "none": without one                           |
// | time                     | >1.2s, 1.2s..1.5s  | then, from the run's beginning; a moment alone: to the ms        |
// | cause                    | 412                | that the event of this number caused; "none": no other           |
// | none: a word             | lost, c1, A, #41   | with it in its kind or name, of this letter, with this token     |
//
// In a value of words that is not in quotes `*` stands for anything.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace leasescope {

enum class FilterField : std::uint8_t {
  kWord,
  kKind,
  kContender,
  kMutex,
  kStore,
  kResource,
  kOutcome,
  kToken,
  kTime,
  kCause
};

struct FilterTerm {
  FilterField field = FilterField::kWord;
  std::string text;       // of words: as it was written, without its quotes
  bool pattern = false;   // a `*` in it stands for anything
  std::int64_t from = 1;  // of numbers: the least and the greatest that pass; of a time in ns.
  std::int64_t to = 0;    // Nothing is between these two.
  bool none = false;      // where there is no such number
};

// A node of the tree: its parts are places in nodes(), of a term in terms().
struct FilterNode {
  enum class Is : std::uint8_t { kTerm, kNot, kAnd, kOr };
  Is is = Is::kTerm;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

// "column 9: a time was expected, as 1.2s"
struct FilterError {
  std::size_t column = 1;  // in characters, from 1
  std::string expected;    // "a time was expected, as 1.2s"

  std::string text() const;
};

class EventFilter {
 public:
  static constexpr std::size_t kMostTerms = 64;
  static constexpr int kDeepest = 64;  // of brackets and negations in one another

  // Lets every event pass.
  EventFilter() = default;
  static tl::expected<EventFilter, FilterError> parse(std::string_view text);

  bool any() const { return !nodes_.empty(); }  // keeps events back
  const std::vector<FilterTerm>& terms() const { return terms_; }
  const std::vector<FilterNode>& nodes() const { return nodes_; }
  std::uint32_t root() const { return static_cast<std::uint32_t>(nodes_.size()) - 1; }  // of one that keeps some back

 private:
  friend class FilterReader;
  std::vector<FilterTerm> terms_;
  std::vector<FilterNode> nodes_;  // parts before what they are parts of
};

// The first name of each field, as it is offered: "kind", "contender", "mutex" …
const std::vector<std::string>& filter_fields();

// Where a reader is who has typed so much: at the begin of which term, and whether a value of a field comes.
struct FilterPlace {
  std::size_t begin = 0;  // in bytes; behind a "-" and brackets
  FilterField field = FilterField::kWord;
};
FilterPlace filter_place(std::string_view typed);

// A value as it stands in a filter: in quotes where it needs them.
std::string filter_value(std::string_view value);

}  // namespace leasescope
