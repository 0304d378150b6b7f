// The incidents of a history, in the order they were found, by their numbers from 0. A value whose copies share what
// has not changed since, so that a snapshot of a long run does not carry all that is long over; and who watches for
// weeks lets go of that.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

#include "core/history/incident.h"

namespace leasescope {

// Copies that are changed at the same time belong to one thread.
class IncidentList {
 public:
  // Over those that are held; good until the list forgets.
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Incident;
    using difference_type = std::ptrdiff_t;
    using pointer = const Incident*;
    using reference = const Incident&;

    Iterator() = default;
    Iterator(const IncidentList& list, std::size_t index) : list_(&list), index_(index) {}
    const Incident& operator*() const { return (*list_)[index_]; }
    const Incident* operator->() const { return &(*list_)[index_]; }
    Iterator& operator++() {
      if (++index_ % kPiece == 0) index_ = list_->held_from(index_);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.index_ != b.index_; }

   private:
    const IncidentList* list_ = nullptr;
    std::size_t index_ = 0;
  };

  // All that were found, also those that are forgotten since: the number of the next one.
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Of one that is held.
  const Incident& operator[](std::size_t index) const { return (*held(index / kPiece))[index % kPiece]; }
  const Incident& at(std::size_t index) const;  // throws std::out_of_range, as a vector does
  const Incident& front() const { return *begin(); }
  const Incident& back() const { return (*this)[size_ - 1]; }
  Iterator begin() const { return {*this, held_from(0)}; }
  Iterator end() const { return {*this, size_}; }

  void push_back(Incident incident);
  // To be changed in place, one that is held; good until the next change or copy.
  Incident& edit(std::size_t index);

  // Incidents lie in pieces, which copies share until they are changed: whether `other` has the piece of `index`, with
  // the same incidents in it (or both have forgotten it), and where that piece ends.
  bool shares_piece(std::size_t index, const IncidentList& other) const;
  std::size_t end_of_piece(std::size_t index) const { return std::min((index / kPiece + 1) * kPiece, size_); }

  // Pieces that end before `bound` are let go of, those in which nothing is open and which `taken` has as they are: a
  // copy that whoever is to have them has made. The others keep their numbers.
  void forget(std::size_t bound, const IncidentList& taken);
  // Whether there is one of that number, and it is not forgotten.
  bool holds(std::size_t index) const { return index < size_ && find(index / kPiece) != nullptr; }
  // The number of the first from `index` on that is held; size(): there is none.
  std::size_t held_from(std::size_t index) const;

  // Memory of what this list does not share with `other`.
  std::size_t bytes_beside(const IncidentList& other) const;

 private:
  static constexpr std::size_t kPiece = 32;
  using Piece = std::vector<Incident>;

  // `piece`: its number, from 0.
  const std::shared_ptr<Piece>& held(std::size_t piece) const {
    return piece >= first_ ? pieces_[piece - first_] : earlier_.at(piece);
  }
  std::shared_ptr<Piece>& held(std::size_t piece) {
    return piece >= first_ ? pieces_[piece - first_] : earlier_.at(piece);
  }
  const Piece* find(std::size_t piece) const;  // null: it is forgotten, or there is none yet
  Piece& own(std::size_t piece);

  std::vector<std::shared_ptr<Piece>> pieces_;             // from the number `first_` on
  std::size_t first_ = 0;                                  // of earlier ones most are forgotten
  std::map<std::size_t, std::shared_ptr<Piece>> earlier_;  // ... and these are not, by their numbers
  std::size_t size_ = 0;
};

}  // namespace leasescope
