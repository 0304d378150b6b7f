// Which events pass a filter. It knows the names and kinds of one history by heart, so that an event costs no text; it
// is a value, and refers to nothing of the history: it may be taken to another thread and back.
#pragma once
#include <functional>
#include <unordered_map>

#include "core/history/event_filter.h"
#include "core/history/history.h"

namespace leasescope {

class EventMatcher {
 public:
  // Texts that are to be the same are the same afterwards.
  using Fold = std::function<std::string(std::string_view)>;
  // The letter of whoever has this name, empty of what is no contender.
  using Letter = std::function<std::string(Name)>;

  EventMatcher() = default;  // lets every event pass
  // By default large letters of ASCII become small.
  explicit EventMatcher(EventFilter filter, Fold fold = {});

  // Learns the names that have come since, and the words for faults. Before matches() of events that use them.
  void learn(const NameTable& names, const Legend& legend, const Letter& letter = {});
  // All names are learnt anew: somebody has got a letter.
  void forget_names() { names_.clear(); }
  // Whether a term may mean the contender of this letter.
  bool means(std::string_view letter) const;

  // Remembers what it found of each kind of event.
  bool matches(const Event& event);
  const EventFilter& filter() const { return filter_; }

 private:
  using Bits = std::uint64_t;  // one a term
  static_assert(EventFilter::kMostTerms == 64);

  bool holds(std::uint32_t node, const Event& event, Bits of_kind) const;
  bool passes(std::uint32_t term, const Event& event, Bits of_kind) const;
  Bits of_kind(const Event& event);
  Bits of_name(std::string_view name, std::string_view letter) const;
  Bits named(std::int64_t handle) const;

  EventFilter filter_;
  Fold fold_;
  std::vector<std::string> texts_;  // of the terms, folded
  std::vector<Bits> names_;         // by handle
  std::unordered_map<std::uint32_t, Bits> kinds_;
  Legend faults_;  // the words for faults, and nothing else
};

}  // namespace leasescope
