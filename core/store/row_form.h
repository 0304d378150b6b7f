// A lock of another maker, or one of ours that is no lease, as a statement of SQL tells of it. One more is a file in
// `foreign` of its store and a line in the list there.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/token.h"
#include "core/observe/sighting.h"

namespace leasescope {

struct RowForm {
  std::string_view maker;  // "PostgreSQL"
  std::string_view system;
  bool likely;          // what looks like it may be something else
  bool while_waited;    // it is told of only while somebody waits: one that is not told of may be held
  const char* present;  // a statement whose one answer is 1 where what is read is there; null: it always is
  // Gives a row for everybody who holds or waits, at most kMostForeignRows, in the order of the names' bytes: the
  // lock's name, who it is, whether that one waits (1), what is left in ms or null, and in which way it is held; where
  // the lock has one, its fencing token. Of a lock that is there and that nobody holds there may be a row that is
  // neither (2), whose "way" says why where that is not plain.
  const char* sql;
  // Whether who holds it in that way lets others hold it, too; null: nobody does, as far as is known. Where several are
  // there they hold beside each other in any case.
  bool (*lets_share)(std::string_view how) = nullptr;
  bool ours = false;     // it is looked for, whichever locks of other makers are
  bool in_line = false;  // the rows of those who wait stand in their order, behind that of whoever holds
};

inline constexpr std::size_t kMostForeignRows = 1'000;  // of an answer: the statements have it as their limit

struct ForeignRow {
  std::string mutex;
  std::string who;
  bool waits = false;
  std::optional<std::int64_t> left_ms;  // none: no clock ends it
  std::string how;
  bool is_nobodys = false;  // nobody holds it by this row
  Token token = kNoToken;
};

}  // namespace leasescope
