// Curator's recipes: nodes "_c_<uuid>-lock-0000000000", whose data is the address of their host.
#include "core/store/zookeeper/foreign/line_forms.h"

namespace leasescope::zookeeper {
namespace {

constexpr std::string_view kReads = "-__READ__", kWrites = "-__WRIT__";
constexpr std::string_view kWaits = "-lock-";  // as in a mutex: whoever wants of a semaphore takes one first

std::size_t readers_or_one(const NodeLine& line) { return readers_or_first(line, kReads); }

bool readers_lead(const NodeLine& line) { return leads(line, kReads); }

// How many may hold is not written there. One at most is there that does not hold yet: the first of its queue.
std::size_t all_of_them(const NodeLine& line) { return line.size(); }
bool always(const NodeLine& /*line*/) { return true; }

}  // namespace

LineForm curator_mutex() { return {"Curator", "mutex", {kWaits}, is_protection, first_alone, true, true, false}; }
LineForm curator_latch() {
  return {"Curator", "leader latch", {"-latch-"}, is_protection, first_alone, true, true, true};
}
LineForm curator_semaphore() {
  return {"Curator", "semaphore", {"-lease-"}, is_protection, all_of_them, true,
          false,     false,       "leases",    always,        "locks",     kWaits};
}
LineForm curator_read_write() {
  return {"Curator", "read-write lock", {kReads, kWrites}, is_protection, readers_or_one, true, true, false,
          {},        readers_lead};
}

}  // namespace leasescope::zookeeper
