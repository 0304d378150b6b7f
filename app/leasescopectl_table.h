// Cells in columns, for people.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "app/watch/styled_text.h"

namespace leasescope::ctl {

class Table {
 public:
  void add(std::vector<std::string> cells) {
    widths_.resize(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) widths_[i] = std::max(widths_[i], width(cells[i]));
    rows_.push_back(std::move(cells));
  }
  std::string text() const {
    std::string out;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i)
        line += row[i] + (i + 1 < row.size() ? std::string(widths_[i] - width(row[i]) + 2, ' ') : "");
      out += line + "\n";
    }
    return out;
  }

 private:
  // Cells of a terminal: of some letters two.
  static std::size_t width(const std::string& text) { return width_of(text); }
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

}  // namespace leasescope::ctl
