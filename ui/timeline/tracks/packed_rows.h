// Rows of whole numbers, millions of them, each number in as few bytes as those around it allow: a block of rows keeps
// of each field what its first row has, and of each row how far it is from there, in so many bytes as the farthest of
// the block needs. That is none where all are equal, and eight at most: any 64 bits come back as they were put.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ui/timeline/tracks/column.h"

namespace leasescope {

template <std::size_t kFields>
class PackedRows {
 public:
  using Row = std::array<std::int64_t, kFields>;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int64_t at(std::size_t i, std::size_t field) const { return blocks_[i / kRows].read(i % kRows, field); }
  Row operator[](std::size_t i) const {
    Row row{};
    for (std::size_t field = 0; field < kFields; ++field) row[field] = at(i, field);
    return row;
  }

  void push_back(const Row& row) {
    const std::size_t used = size_ % kRows;
    if (used == 0) {
      make_room(blocks_);
      blocks_.emplace_back();
      blocks_.back().first = row;
    }
    Block& block = blocks_.back();
    fit(block, used, row);
    const std::size_t needed = (used + 1) * block.row_bytes();
    if (needed > block.bytes.capacity()) block.bytes.reserve(room_in_block(size_, kRows) * block.row_bytes());
    block.bytes.resize(needed);
    block.write(used, row);
    ++size_;
  }
  void set(std::size_t i, const Row& row) {
    Block& block = blocks_[i / kRows];
    fit(block, std::min(kRows, size_ - i / kRows * kRows), row);
    block.write(i % kRows, row);
  }

  // All that is taken, used or not.
  std::size_t bytes() const {
    std::size_t bytes = blocks_.capacity() * sizeof(Block);
    for (const Block& block : blocks_) bytes += block.bytes.capacity();
    return bytes;
  }

 private:
  static constexpr std::size_t kRows = 1024;  // in a block

  struct Block {
    Row first{};
    // Where in a row each field begins; then how long a row is.
    std::array<std::uint8_t, kFields + 1> begins{};
    std::vector<std::uint8_t> bytes;

    std::size_t row_bytes() const { return begins[kFields]; }
    // From the lowest byte on; the highest tells the sign.
    std::int64_t read(std::size_t row, std::size_t field) const {
      const std::size_t width = static_cast<std::size_t>(begins[field + 1] - begins[field]);
      if (width == 0) return first[field];
      const std::uint8_t* const from = bytes.data() + row * row_bytes() + begins[field];
      std::uint64_t far = 0;
      for (std::size_t k = 0; k < width; ++k) far |= std::uint64_t{from[k]} << (8 * k);
      const std::size_t unused = 64 - 8 * width;
      const std::int64_t sign_kept = static_cast<std::int64_t>(far << unused) >> unused;
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(first[field]) +
                                       static_cast<std::uint64_t>(sign_kept));
    }
    void write(std::size_t row, const Row& values) {
      for (std::size_t field = 0; field < kFields; ++field) {
        std::uint64_t far = far_from_first(field, values[field]);
        for (std::size_t k = begins[field]; k < begins[field + 1]; ++k, far >>= 8)
          bytes[row * row_bytes() + k] = static_cast<std::uint8_t>(far & 0xff);
      }
    }
    std::uint64_t far_from_first(std::size_t field, std::int64_t value) const {
      return static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(first[field]);
    }
    // That a number takes so far from the first.
    std::size_t width_of(std::size_t field, std::int64_t value) const {
      const std::uint64_t far = far_from_first(field, value);
      if (far == 0) return 0;
      const bool below = (far >> 63) != 0;
      return static_cast<std::size_t>(std::bit_width(below ? ~far : far)) / 8 + 1;
    }
  };

  // Makes the `used` rows of a block as wide as one more needs; at most eight times for a field.
  static void fit(Block& block, std::size_t used, const Row& row) {
    Block wider;
    for (std::size_t field = 0; field < kFields; ++field) {
      const std::size_t width = static_cast<std::size_t>(block.begins[field + 1] - block.begins[field]);
      const std::size_t needed = std::max(width, block.width_of(field, row[field]));
      wider.begins[field + 1] = static_cast<std::uint8_t>(wider.begins[field] + needed);
    }
    if (wider.begins == block.begins) return;
    wider.first = block.first;
    wider.bytes.reserve(std::min(kRows, used + 1 + used / 8) * wider.row_bytes());
    wider.bytes.resize(used * wider.row_bytes());
    for (std::size_t i = 0; i < used; ++i) {
      Row moved{};
      for (std::size_t field = 0; field < kFields; ++field) moved[field] = block.read(i, field);
      wider.write(i, moved);
    }
    block = std::move(wider);
  }

  static_assert(kFields * 8 <= 255);

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace leasescope
