#include "core/history/incident_list.h"

#include <stdexcept>

namespace leasescope {
namespace {

std::size_t bytes_of(const Incident& incident) {
  return sizeof incident + incident.contenders.capacity() * sizeof(Name) + incident.tokens.capacity() * sizeof(Token) +
         incident.cause.capacity();
}

}  // namespace

const Incident& IncidentList::at(std::size_t index) const {
  if (index >= size_) throw std::out_of_range("there is no such incident");
  return (*this)[index];
}

// A piece that another list shares is copied before it is changed.
IncidentList::Piece& IncidentList::own(std::size_t piece) {
  std::shared_ptr<Piece>& mine = pieces_[piece];
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
  own(pieces_.size() - 1).push_back(std::move(incident));
  ++size_;
}

Incident& IncidentList::edit(std::size_t index) { return own(index / kPiece)[index % kPiece]; }

bool IncidentList::shares_piece(std::size_t index, const IncidentList& other) const {
  const std::size_t piece = index / kPiece;
  return piece < other.pieces_.size() && other.pieces_[piece] == pieces_[piece];
}

std::size_t IncidentList::bytes_beside(const IncidentList& other) const {
  std::size_t bytes = pieces_.capacity() * sizeof pieces_.front();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (i < other.pieces_.size() && other.pieces_[i] == pieces_[i]) continue;
    for (const Incident& incident : *pieces_[i]) bytes += bytes_of(incident);
  }
  return bytes;
}

}  // namespace leasescope
