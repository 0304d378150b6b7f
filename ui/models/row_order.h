// What tables of very many rows are sorted by, told without a QVariant for each look at a cell.
#pragma once
#include <optional>

namespace leasescope {

class RowOrder {
 public:
  virtual ~RowOrder() = default;
  // Whether one row comes before another in the order of a column; none: ask the cells.
  virtual std::optional<bool> before(int row, int other, int column) const = 0;
};

}  // namespace leasescope
