#include "core/store/postgres/cell_call.h"

#include <libpq-fe.h>

#include <fmt/format.h>

#include "core/store/cell_wire.h"
#include "core/store/number_text.h"

namespace leasescope::postgres {
namespace {

template <class Number>
bool read(const PGresult* result, int column, Number& out) {
  return read_number(PQgetvalue(result, 0, column), out);
}

}  // namespace

std::vector<std::string> cell_parameters(const Request& request, const WireNames& names, const Loop& loop) {
  const CellCall& cell = request.cell;
  const bool sets = request.kind == RequestKind::kCompareAndSet, frees = cell.mode == CellMode::kFree;
  return {names.text(request.mutex),
          fmt::format("{}", cell.cell),
          cell.dated ? "true" : "false",
          sets ? "true" : "false",
          fmt::format("{}", cell.version),
          frees ? std::string() : names.text(request.contender),
          fmt::format("{}", static_cast<int>(cell.mode)),
          fmt::format("{}", static_cast<int>(cell.by)),
          fmt::format("{}", cell.token),
          fmt::format("{}", stamp_on_wire(cell, loop).count())};
}

bool read_cell(const PGresult* result, const Request& request, WireNames& names, const Loop& loop, Reply& reply) {
  if (PQntuples(result) != 1 || PQnfields(result) != 7) return false;
  std::int64_t mode = 0, stamp = 0;
  const bool fits = read(result, 1, reply.number) && read(result, 3, mode) && read(result, 4, reply.token) &&
                    read(result, 5, stamp) && mode >= 0 && mode <= static_cast<std::int64_t>(CellMode::kShared);
  if (!fits) return false;
  const std::string_view owner = PQgetvalue(result, 0, 2);
  reply.done = *PQgetvalue(result, 0, 0) == 't';
  reply.owner = owner.empty() ? Name{} : names.intern(owner);
  const bool over = *PQgetvalue(result, 0, 6) == 't';
  reply.answer = static_cast<std::uint8_t>(mode) | (over ? kLeaseOver : std::uint8_t{0});
  reply.remaining = stamp_from_wire(request.cell, CellTime(stamp), loop);
  return true;
}

}  // namespace leasescope::postgres
