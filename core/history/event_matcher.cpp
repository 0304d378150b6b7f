#include "core/history/event_matcher.h"

#include <algorithm>

#include "core/history/kind_words.h"

namespace leasescope {
namespace {

std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// Words are joined by a space or by "_", as in the file.
std::string spaced(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// `*` stands for anything. What follows the last `*` is tried again one further on, for as long as it does not fit.
bool fits(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool is(const FilterTerm& term, std::string_view wanted, std::string_view text) {
  return term.pattern ? fits(wanted, text) : wanted == text;
}

bool begins_with_words(std::string_view text, std::string_view words) {
  return text.size() > words.size() && text.substr(0, words.size()) == words && text[words.size()] == ' ';
}

bool of_name_field(FilterField field) {
  return field == FilterField::kContender || field == FilterField::kMutex || field == FilterField::kStore ||
         field == FilterField::kResource;
}

// The number that a term of numbers asks for; whether there is one.
struct Asked {
  std::int64_t value = 0;
  bool there = true;
};
Asked asked_of(FilterField field, const Event& event) {
  if (field == FilterField::kTime) return {event.at().time_since_epoch().count()};
  if (field == FilterField::kCause) return {event.cause, event.cause != 0};
  return {static_cast<std::int64_t>(std::min<Token>(event.token, INT64_MAX)), event.token != kNoToken};
}

bool among(const FilterTerm& term, const Event& event) {
  const Asked asked = asked_of(term.field, event);
  if (term.none || !asked.there) return term.none && !asked.there;
  return asked.value >= term.from && asked.value <= term.to;
}

bool is_vote(EventKind kind) { return kind == EventKind::kVoteGranted || kind == EventKind::kVoteEnded; }
bool is_write(EventKind kind) {
  return kind == EventKind::kWriteAccepted || kind == EventKind::kWriteRejected ||
         kind == EventKind::kWriteStaleAccepted;
}

}  // namespace

EventMatcher::EventMatcher(EventFilter filter, Fold fold)
    : filter_(std::move(filter)), fold_(fold ? std::move(fold) : Fold(small)) {
  for (const FilterTerm& term : filter_.terms()) {
    const bool words = term.field == FilterField::kKind || term.field == FilterField::kOutcome;
    texts_.push_back(words ? spaced(fold_(term.text)) : fold_(term.text));
  }
}

void EventMatcher::learn(const NameTable& names, const Legend& legend, const Letter& letter) {
  if (!filter_.any()) return;
  if (faults_.faults.size() != legend.faults.size()) {
    faults_.faults = legend.faults;
    kinds_.clear();
  }
  if (names_.size() > names.size()) names_.clear();
  for (auto handle = static_cast<std::uint32_t>(names_.size()); handle < names.size(); ++handle)
    names_.push_back(of_name(fold_(names.text(Name{handle})), letter ? fold_(letter(Name{handle})) : std::string()));
}

bool EventMatcher::means(std::string_view letter) const {
  if (!filter_.any()) return false;
  const std::string folded = fold_(letter);
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const FilterTerm& term = filter_.terms()[i];
    const bool who = term.field == FilterField::kContender || term.field == FilterField::kWord;
    if (who && !term.pattern && texts_[i] == folded) return true;
  }
  return false;
}

EventMatcher::Bits EventMatcher::of_name(std::string_view name, std::string_view letter) const {
  Bits bits = 0;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const FilterTerm& term = filter_.terms()[i];
    bool found = false;
    // A letter is meant whole, or every word with an "a" in it would be one.
    const bool lettered = !term.pattern && !letter.empty() && texts_[i] == letter;
    if (of_name_field(term.field)) found = is(term, texts_[i], name);
    if (term.field == FilterField::kContender) found = found || lettered;
    if (term.field == FilterField::kWord)
      found = lettered || (term.pattern ? fits(texts_[i], name) : name.find(texts_[i]) != std::string_view::npos);
    if (found) bits |= Bits{1} << i;
  }
  return bits;
}

EventMatcher::Bits EventMatcher::of_kind(const Event& event) {
  const std::uint32_t key = outcome_key(event);
  if (const auto known = kinds_.find(key); known != kinds_.end()) return known->second;
  const std::string shown = fold_(kind_words(faults_, event)), kind = spaced(shown);
  const std::string outcome = spaced(fold_(outcome_words(event)));
  Bits bits = 0;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const FilterTerm& term = filter_.terms()[i];
    bool found = false;
    if (term.field == FilterField::kKind)
      found = is(term, texts_[i], kind) || (!term.pattern && begins_with_words(kind, texts_[i]));
    if (term.field == FilterField::kOutcome) found = is(term, texts_[i], outcome);
    if (term.field == FilterField::kWord)
      found = term.pattern ? fits(texts_[i], shown) : shown.find(texts_[i]) != std::string::npos;
    if (found) bits |= Bits{1} << i;
  }
  return kinds_[key] = bits;
}

EventMatcher::Bits EventMatcher::named(std::int64_t handle) const {
  return handle >= 0 && static_cast<std::uint64_t>(handle) < names_.size() ? names_[static_cast<std::size_t>(handle)]
                                                                           : 0;
}

bool EventMatcher::passes(std::uint32_t place, const Event& event, Bits of_kind) const {
  const FilterTerm& term = filter_.terms()[place];
  const auto in = [place](Bits bits) { return (bits >> place & 1) != 0; };
  switch (term.field) {
    case FilterField::kWord:
      return in(of_kind | named(event.node.handle)) ||
             (event.token != kNoToken && term.from <= term.to && among(term, event));
    case FilterField::kKind:
    case FilterField::kOutcome:
      return in(of_kind);
    case FilterField::kContender:
      return in(named(event.node.handle));
    case FilterField::kMutex:
      return in(named(event.mutex.handle));
    case FilterField::kStore:
      return in(named(event.node.handle)) || (is_vote(event.kind) && in(named(event.b)));
    case FilterField::kResource:
      return is_write(event.kind) && in(named(event.a));
    case FilterField::kToken:
    case FilterField::kTime:
    case FilterField::kCause:
      return among(term, event);
  }
  return false;
}

bool EventMatcher::holds(std::uint32_t place, const Event& event, Bits of_kind) const {
  const FilterNode& node = filter_.nodes()[place];
  switch (node.is) {
    case FilterNode::Is::kTerm:
      return passes(node.a, event, of_kind);
    case FilterNode::Is::kNot:
      return !holds(node.a, event, of_kind);
    case FilterNode::Is::kAnd:
      return holds(node.a, event, of_kind) && holds(node.b, event, of_kind);
    case FilterNode::Is::kOr:
      return holds(node.a, event, of_kind) || holds(node.b, event, of_kind);
  }
  return false;
}

bool EventMatcher::matches(const Event& event) {
  return !filter_.any() || holds(filter_.root(), event, of_kind(event));
}

}  // namespace leasescope
