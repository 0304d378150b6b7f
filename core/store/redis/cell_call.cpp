#include "core/store/redis/cell_call.h"

#include <fmt/format.h>

#include "core/store/cell_wire.h"
#include "core/store/number_text.h"
#include "core/store/redis/keys.h"

namespace leasescope::redis {
namespace {

using Kind = RespValue::Kind;

// A number, however it is told.
template <class Number>
bool read(const RespValue& value, Number& out) {
  if (value.kind == Kind::kInteger) {
    out = static_cast<Number>(value.integer);
    return true;
  }
  return read_number(value.text, out) && value.kind == Kind::kText;
}

}  // namespace

std::vector<std::string> cell_words(const Request& request, const WireNames& names, const Loop& loop) {
  const CellCall& cell = request.cell;
  std::vector<std::string> out{"1", Keys(names.text(request.mutex)).cell(cell.cell), cell.dated ? "1" : "0"};
  if (request.kind == RequestKind::kRead) return out;
  const bool frees = cell.mode == CellMode::kFree;
  for (const std::string& each :
       {fmt::format("{}", cell.version), frees ? std::string() : names.text(request.contender),
        fmt::format("{}", static_cast<int>(cell.mode)), fmt::format("{}", static_cast<int>(cell.by)),
        fmt::format("{}", cell.token), fmt::format("{}", stamp_on_wire(cell, loop).count())})
    out.push_back(each);
  return out;
}

tl::expected<void, std::string> read_cell(const RespValue& value, const Request& request, WireNames& names,
                                          const Loop& loop, Reply& reply) {
  std::int64_t done = 0, mode = 0, stamp = 0, over = 0;
  const std::vector<RespValue>& items = value.items;
  const bool fits = items.size() == 8 && items[2].kind == Kind::kText && read(items[0], done) &&
                    read(items[1], reply.number) && read(items[3], mode) && read(items[4], reply.token) &&
                    read(items[5], stamp) && read(items[6], over) && mode >= 0 &&
                    mode <= static_cast<std::int64_t>(CellMode::kShared);
  if (!fits) return tl::unexpected<std::string>("its register is not one of ours");
  reply.done = done == 1;
  reply.owner = items[2].text.empty() ? Name{} : names.intern(items[2].text);
  reply.answer = static_cast<std::uint8_t>(mode) | (over == 1 ? kLeaseOver : std::uint8_t{0});
  reply.remaining = stamp_from_wire(request.cell, CellTime(stamp), loop);
  return {};
}

}  // namespace leasescope::redis
