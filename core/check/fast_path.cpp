#include "core/check/fast_path.h"

#include <algorithm>
#include <tuple>

namespace leasescope::check {
namespace {

using Row = std::vector<const Op*>;

// What one client did from the lock that it took until it was free again: [begin, end) of the row.
struct Section {
  std::size_t begin = 0;
  std::size_t end = 0;
  Moment held_from;   // at the latest
  Moment held_until;  // at the earliest
};

// By client, each client's in the order of time. False where two calls of one client overlap: either may be first.
bool by_client(const std::vector<Op>& ops, Row& row) {
  row.reserve(ops.size());
  for (const Op& op : ops) row.push_back(&op);
  std::sort(row.begin(), row.end(), [](const Op* a, const Op* b) {
    return std::tie(a->call->client.handle, a->called) < std::tie(b->call->client.handle, b->called);
  });
  for (std::size_t i = 1; i < row.size(); ++i)
    if (row[i]->call->client == row[i - 1]->call->client && !(row[i - 1]->returned < row[i]->called)) return false;
  return true;
}

// False where a client does something with a lock that it cannot hold, whatever the others did.
bool sections_of(const Row& row, std::vector<Section>& sections) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Call& call = *row[i]->call;
    if (i == 0 || call.client != row[i - 1]->call->client) count = 0;
    if (count == 0) {
      if (!takes(call.f)) return false;
      sections.push_back({i, i, row[i]->returned, kNever});
    }
    sections.back().end = i + 1;
    if (takes(call.f))
      ++count;
    else if (frees(call.f))
      count = call.f == Operation::kExpire ? 0 : count - 1;
    if (count == 0) sections.back().held_until = row[i]->called;
  }
  return true;
}

bool allowed(const Model& model, const Row& row, const std::vector<Section>& sections) {
  State state;
  Moment latest_call{INT64_MIN, INT64_MIN};
  for (const Section& section : sections) {
    for (std::size_t i = section.begin; i < section.end; ++i) {
      latest_call = std::max(latest_call, row[i]->called);
      if (row[i]->returned < latest_call || !step(model, state, *row[i]->call)) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<bool> fast_path(const Model& model, const std::vector<Op>& ops) {
  const bool one_owner = model.kind == ModelKind::kOwnerAware || model.kind == ModelKind::kReentrant ||
                         model.kind == ModelKind::kFenced || model.kind == ModelKind::kReentrantFenced;
  const bool known = std::all_of(ops.begin(), ops.end(), [](const Op& op) { return op.must; });
  expect_sound(ops);
  Row row;
  if (!one_owner || !known || !by_client(ops, row)) return std::nullopt;
  std::vector<Section> sections;
  if (!sections_of(row, sections)) return false;
  std::sort(sections.begin(), sections.end(), [](const Section& a, const Section& b) {
    return std::tie(a.held_from, a.held_until) < std::tie(b.held_from, b.held_until);
  });
  return allowed(model, row, sections);
}

}  // namespace leasescope::check
