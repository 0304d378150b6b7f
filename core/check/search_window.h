// Which calls are open at a place in the row of calls and returns.
#pragma once
#include <algorithm>
#include <tuple>
#include <vector>

#include "core/check/search.h"
#include "core/check/search_memo.h"

namespace leasescope::check {

// The ops that have been called and have not returned, at a place in the row of calls and returns. It goes forth and
// back; a place left behind is found again as it was.
class Window {
 public:
  struct Mark {
    Moment at;
    Index op;
    bool returns;
  };

  explicit Window(const std::vector<Op>& ops) : next_(ops.size() + 1), before_(ops.size() + 1), end_(ops.size()) {
    for (Index i = 0; i < ops.size(); ++i) {
      marks_.push_back({ops[i].called, i, false});
      if (ops[i].returned != kNever) marks_.push_back({ops[i].returned, i, true});
    }
    std::sort(marks_.begin(), marks_.end(), [](const Mark& a, const Mark& b) {
      return std::tie(a.at, a.returns, a.op) < std::tie(b.at, b.returns, b.op);
    });
    next_[end_] = before_[end_] = end_;
  }

  std::size_t size() const { return marks_.size(); }
  const Mark& mark(std::size_t place) const { return marks_[place]; }
  // What is open just before the mark at that place counts.
  void go_to(std::size_t place) {
    for (; at_ < place; ++at_) marks_[at_].returns ? take_out(marks_[at_].op) : put_in(marks_[at_].op);
    for (; at_ > place; --at_) marks_[at_ - 1].returns ? put_back(marks_[at_ - 1].op) : take_out(marks_[at_ - 1].op);
  }
  template <class Visit>
  void each(Visit visit) const {
    for (Index op = next_[end_]; op != end_; op = next_[op]) visit(op);
  }

 private:
  void put_in(Index op) {
    next_[op] = end_;
    before_[op] = before_[end_];
    put_back(op);
  }
  void put_back(Index op) { next_[before_[op]] = before_[next_[op]] = op; }
  void take_out(Index op) {
    next_[before_[op]] = next_[op];
    before_[next_[op]] = before_[op];
  }

  std::vector<Mark> marks_;
  Indices next_, before_;  // a ring through `end_`; who is out still knows between whom it was
  Index end_;
  std::size_t at_ = 0;
};

}  // namespace leasescope::check
