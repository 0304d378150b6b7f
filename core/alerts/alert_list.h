// The alerts of a history, in the order in which they were found, by their places from 0: an alert stays at its place,
// and ends there. Who watches for weeks lets go of those that are long over.
#pragma once
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "core/base/name.h"
#include "core/time/clock.h"

namespace leasescope {

struct Alert {
  std::size_t rule = 0;
  Name subject;  // the mutex, or, where the rule's kind is about stores, the store
  TrueTime from{};
  TrueTime to = TrueTime::max();  // max(): it lasts
  std::string words;
  bool lasts() const { return to == TrueTime::max(); }
};

class AlertList {
  using Held = std::map<std::size_t, Alert>;

 public:
  // Over those that are held; good until the list lets go of one.
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Alert;
    using difference_type = std::ptrdiff_t;
    using pointer = const Alert*;
    using reference = const Alert&;

    Iterator() = default;
    explicit Iterator(Held::const_iterator at) : at_(at) {}
    reference operator*() const { return at_->second; }
    pointer operator->() const { return &at_->second; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.at_ != b.at_; }

   private:
    Held::const_iterator at_;
  };

  // All that were found, also those that were let go of since: the place of the next one.
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t held() const { return held_.size(); }
  bool holds(std::size_t place) const { return held_.count(place) > 0; }
  // Of one that is held, which stays where it is; throws std::out_of_range of another.
  const Alert& operator[](std::size_t place) const { return held_.at(place); }
  Alert& operator[](std::size_t place) { return held_.at(place); }
  Iterator begin() const { return Iterator(held_.begin()); }
  Iterator end() const { return Iterator(held_.end()); }

  void push_back(Alert alert) { held_.emplace_hint(held_.end(), size_++, std::move(alert)); }
  // Of those that are over so many stay, the last ones that began.
  void forget_over(std::size_t most) {
    std::size_t over = 0;
    for (const auto& [place, alert] : held_) over += !alert.lasts();
    for (auto each = held_.begin(); over > most;) {
      if (each->second.lasts()) {
        ++each;
        continue;
      }
      each = held_.erase(each);
      --over;
    }
  }

 private:
  Held held_;
  std::size_t size_ = 0;
};

}  // namespace leasescope
