// Where the rows of the chart lie, from the numbers of mutexes, contenders and resources.
#pragma once
#include <vector>

#include "ui/theme/tokens.h"
#include "ui/timeline/paint/chart_data.h"

namespace leasescope {

enum class RowKind : std::uint8_t { kMutex, kContender, kResource, kStore };

struct RowBox {
  RowKind kind = RowKind::kMutex;
  int index = 0;  // of the mutex, contender or resource
  int y = 0;      // from the top of the rows, below ruler and rail
  int height = 0;
  bool alternate = false;  // ground of every second contender
};

enum class Density : std::uint8_t { kComfortable, kRegular, kCompact };

struct ChartLayout {
  int width = 0;
  int head = 0;  // width of the row headers
  int ruler = 0, rail = 0;
  bool small = false;
  Density density = Density::kComfortable;
  RowMeasures row;
  std::vector<RowBox> rows;
  int rows_height = 0;

  int top() const { return ruler + rail; }
  int height() const { return top() + rows_height; }
  int plot_width() const { return width > head ? width - head : 1; }
  const RowBox* contender_row(int index) const;
  const RowBox* mutex_row(int index) const;
  // From a mutex's header to the end of what belongs to it: its contenders, and the resources when it is the only one.
  Band mutex_block(int index) const;
};

// Narrow charts take the smaller row header and the next density, and leave the store's row out.
inline constexpr int kSmallWidth = 850;

ChartLayout layout_chart(const ChartData& data, int width);

}  // namespace leasescope
