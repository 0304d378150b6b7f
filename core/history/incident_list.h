// The incidents of a history, in the order they were found. A value whose copies share what has not changed since, so
// that a snapshot of a long run does not carry all that is long over.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

#include "core/history/incident.h"

namespace leasescope {

// Copies that are changed at the same time belong to one thread.
class IncidentList {
 public:
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
      ++index_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++index_;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.index_ != b.index_; }

   private:
    const IncidentList* list_ = nullptr;
    std::size_t index_ = 0;
  };

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Incident& operator[](std::size_t index) const { return (*pieces_[index / kPiece])[index % kPiece]; }
  const Incident& at(std::size_t index) const;  // throws std::out_of_range, as a vector does
  const Incident& front() const { return (*this)[0]; }
  const Incident& back() const { return (*this)[size_ - 1]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

  void push_back(Incident incident);
  // To be changed in place; good until the next change or copy.
  Incident& edit(std::size_t index);

  // Incidents lie in pieces, which copies share until they are changed: whether `other` has the piece of `index`, with
  // the same incidents in it, and where that piece ends.
  bool shares_piece(std::size_t index, const IncidentList& other) const;
  std::size_t end_of_piece(std::size_t index) const { return std::min((index / kPiece + 1) * kPiece, size_); }

  // Memory of what this list does not share with `other`.
  std::size_t bytes_beside(const IncidentList& other) const;

 private:
  static constexpr std::size_t kPiece = 32;
  using Piece = std::vector<Incident>;

  Piece& own(std::size_t piece);

  std::vector<std::shared_ptr<Piece>> pieces_;
  std::size_t size_ = 0;
};

}  // namespace leasescope
