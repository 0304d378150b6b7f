// Where the rows of the chart lie, from the numbers of mutexes, contenders and resources.
#pragma once
#include <vector>

#include "ui/look/tokens.h"
#include "ui/timeline/paint/row_pick.h"

namespace leasescope {

// Own: one that a lane has for itself.
enum class RowKind : std::uint8_t { kMutex, kContender, kFold, kResource, kStore, kOwn };

// Where a lane's own rows stand: between a mutex's header and its contenders, below these, below all resources.
enum class RowSpot : std::uint8_t { kUnderHeader, kAfterContenders, kAtEnd };

struct RowBox {
  RowKind kind = RowKind::kMutex;
  int index = 0;  // of the mutex, contender or resource; of a fold, its mutex; of a lane's own, what the lane says
  int count = 0;  // of a fold: the contenders in it that are idle, or too many
  int y = 0;      // from the top of the rows, below ruler and rail
  int height = 0;
  bool alternate = false;                // ground of every second contender
  bool strong = false;                   // the line below it
  RowSpot spot = RowSpot::kUnderHeader;  // of a lane's own
  LaneKind lane = LaneKind::kNone;       // whose own it is
  LeftOut left_out{};                    // of a fold: whom the reader left out
  bool pinned = false;                   // a contender's, by the reader
  bool kept = false;                     // ... and it stays where it is when the others are scrolled
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
  std::vector<int> place_of;  // by contender: its place in rows, -1 = folded
  bool cut = false;           // not even all that are not idle have a row
  LeftOut left_out;           // by the reader, of all rows
  int kept_height = 0;        // of the rows on top that are not scrolled
  bool one_mutex = true;      // what belongs to all belongs to it
  int rows_height = 0;

  int top() const { return ruler + rail; }
  int height() const { return top() + rows_height; }
  int plot_width() const { return width > head ? width - head : 1; }
  const RowBox* contender_row(int index) const;
  const RowBox* mutex_row(int index) const;
  // The topmost mutex that has a header; 0 where none has.
  int first_mutex() const;
  // That a lane has for itself.
  const RowBox* own_row(LaneKind lane, int index) const;
  // The header that stays on top when the rows are scrolled so far: of the mutex whose rows are there.
  const RowBox* pinned_row(int scroll) const;
  // From a mutex's header to the end of what belongs to it: its contenders, and the resources when it is the only one.
  Band mutex_block(int index) const;
};

// Narrow charts take the smaller row header and the next density, and leave the store's row out.
inline constexpr int kSmallWidth = 850;

// Of a mutex's header: higher where several may hold at once.
int header_height(const MutexRow& mutex);
// Places of a mutex for several, as lines of its header: flat ones without labels where there are many, one band in all
// where there are more than have room.
LineMeasures slot_lines(const MutexRow& mutex);

// `room`: of the rows, in pixels; pinned ones that would take more than half of it are scrolled as the others are.
// `least`: rows are no larger than that, however few there are.
inline constexpr int kNoLimit = 1 << 30;
ChartLayout layout_chart(const ChartData& data, int width, const RowChoice& choice = {}, int room = kNoLimit,
                         Density least = Density::kComfortable);

}  // namespace leasescope
