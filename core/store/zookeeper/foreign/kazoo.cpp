// kazoo's recipes: nodes "<32 hex digits>__lock__0000000000", whose data is what their user calls himself, or nothing.
#include "core/store/zookeeper/foreign/line_forms.h"

namespace leasescope::zookeeper {
namespace {

constexpr std::string_view kReads = "__rlock__", kWrites = "__lock__";

std::size_t readers_or_one(const NodeLine& line) { return readers_or_first(line, kReads); }
bool readers_lead(const NodeLine& line) { return leads(line, kReads); }

}  // namespace

LineForm kazoo_lock() {
  return {"kazoo", "lock", {kWrites, kReads}, is_hex_uuid, readers_or_one, true, true, false, {}, readers_lead};
}

}  // namespace leasescope::zookeeper
