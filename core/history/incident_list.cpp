#include "core/history/incident_list.h"

#include <stdexcept>
#include <utility>

namespace leasescope {
namespace {

std::size_t bytes_of(const Incident& incident) {
  return sizeof incident + incident.contenders.capacity() * sizeof(Name) + incident.tokens.capacity() * sizeof(Token) +
         incident.cause.capacity();
}

bool is_open(const Incident& incident) { return incident.open; }

}  // namespace

const Incident& IncidentList::at(std::size_t index) const {
  if (!holds(index)) throw std::out_of_range("there is no such incident, or it is forgotten");
  return (*this)[index];
}

const IncidentList::Piece* IncidentList::find(std::size_t piece) const {
  if (piece >= first_) return piece - first_ < pieces_.size() ? pieces_[piece - first_].get() : nullptr;
  const auto found = earlier_.find(piece);
  return found == earlier_.end() ? nullptr : found->second.get();
}

std::size_t IncidentList::held_from(std::size_t index) const {
  const std::size_t piece = index / kPiece;
  if (piece >= first_) return std::min(index, size_);
  const auto next = earlier_.lower_bound(piece);
  return std::max(index, (next == earlier_.end() ? first_ : next->first) * kPiece);
}

// A piece that another list shares is copied before it is changed.
IncidentList::Piece& IncidentList::own(std::size_t piece) {
  std::shared_ptr<Piece>& mine = held(piece);
  if (mine.use_count() > 1) {
    auto copy = std::make_shared<Piece>();
    copy->reserve(kPiece);
    copy->assign(mine->begin(), mine->end());
    mine = std::move(copy);
  }
  return *mine;
}

void IncidentList::push_back(Incident incident) {
  if (size_ % kPiece == 0) {
    pieces_.push_back(std::make_shared<Piece>());
    pieces_.back()->reserve(kPiece);
  }
  own(size_ / kPiece).push_back(std::move(incident));
  ++size_;
}

Incident& IncidentList::edit(std::size_t index) { return own(index / kPiece)[index % kPiece]; }

bool IncidentList::shares_piece(std::size_t index, const IncidentList& other) const {
  return other.find(index / kPiece) == find(index / kPiece);
}

// What must stay of the pieces before the bound are a few: what nobody has taken yet is not among them.
void IncidentList::forget(std::size_t bound, const IncidentList& taken) {
  const std::size_t end = std::min({bound, taken.size_, size_}) / kPiece;
  const auto may_go = [&](std::size_t piece, const Piece& of) {
    return taken.find(piece) == &of && std::none_of(of.begin(), of.end(), is_open);
  };
  for (auto each = earlier_.begin(); each != earlier_.end() && each->first < end;)
    each = may_go(each->first, *each->second) ? earlier_.erase(each) : std::next(each);
  if (end <= first_) return;
  for (std::size_t piece = first_; piece < end; ++piece)
    if (std::shared_ptr<Piece>& of = pieces_[piece - first_]; !may_go(piece, *of)) earlier_[piece] = std::move(of);
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(end - first_));
  first_ = end;
}

std::size_t IncidentList::bytes_beside(const IncidentList& other) const {
  std::size_t bytes = pieces_.capacity() * sizeof pieces_.front();
  const auto add = [&](std::size_t piece, const Piece& of) {
    if (other.find(piece) == &of) return;
    for (const Incident& incident : of) bytes += bytes_of(incident);
  };
  for (const auto& [piece, of] : earlier_) add(piece, *of);
  for (std::size_t i = 0; i < pieces_.size(); ++i) add(first_ + i, *pieces_[i]);
  return bytes;
}

}  // namespace leasescope
