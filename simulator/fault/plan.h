// The fault plan of a run: which row fires when, on whom. Roles are resolved when a row fires. A value; used by both
// worlds.
#pragma once
#include <string>
#include <vector>

#include "simulator/fault/kind.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

inline constexpr NodeIndex kNobody = UINT32_MAX;

// What the plan needs to know of the fleet to resolve a role.
class Fleet {
 public:
  virtual ~Fleet() = default;
  virtual NodeIndex owner() const = 0;              // by the store's truth (of the first mutex), or kNobody
  virtual bool contends(NodeIndex node) const = 0;  // for that mutex: started, neither stopped nor crashed
};

// A row begins on one node; the world calls kind->begin and, after `duration` where the kind lasts, kind->end.
struct Firing {
  int row = 0;
  const FaultKind* kind = nullptr;
  NodeIndex node = kNobody;  // kNobody: the store
  Duration duration{};
  FaultValues values{};
  std::uint64_t key = 0;

  FaultCall call(NodeIndex fleet, std::uint32_t tick = 0) const { return {node, fleet, duration, values, tick, key}; }
};

class FaultPlan {
 public:
  FaultPlan() = default;
  explicit FaultPlan(const Scenario& scenario);

  // The moment of the next row that waits for its time; TrueTime::max() when none does.
  TrueTime next() const;
  // Rows whose time has come. Those whose role nobody plays yet wait for it.
  std::vector<Firing> due(TrueTime now, const Fleet& fleet);
  // The store granted the (first) mutex to `node`: rows waiting for an owner or for who acquires next.
  std::vector<Firing> granted(NodeIndex node);
  // `node` begins to compute: rows with during = "compute" armed on it.
  std::vector<Firing> computing(NodeIndex node);
  bool waits_for_compute() const { return !armed_.empty(); }
  bool waits_for_grant() const { return !waiting_.empty(); }

  // Rows that never found their target, in words.
  std::vector<std::string> unfired() const;
  std::size_t rows() const { return rows_.size(); }

 private:
  enum class Role : std::uint8_t { kNamed, kOwner, kNext, kWaiters, kAll, kStore };
  enum class State : std::uint8_t { kPlanned, kWaitingForGrant, kWaitingForCompute, kFired };

  struct Row {
    TrueTime at{};
    Firing firing;
    Role role = Role::kOwner;
    State state = State::kPlanned;
    bool during_compute = false;
    std::string words;  // "pause of owner at 12s"
  };

  // Fires the row on the node, or arms it for the node's next compute.
  void fire(std::uint32_t row, NodeIndex node, std::vector<Firing>& out);
  bool hits(const Firing& firing) const { return !firing.kind->hits || firing.kind->hits(firing.call(nodes_)); }

  void fire_on_many(Row& row, const Fleet& fleet, std::vector<Firing>& out);

  std::vector<Row> rows_;
  std::vector<std::uint32_t> by_time_;  // rows by their time
  std::size_t passed_ = 0;              // of them
  std::vector<std::uint32_t> waiting_;  // for a grant
  std::vector<std::uint32_t> armed_;    // for a compute
  std::uint32_t nodes_ = 0;
};

}  // namespace leasescope
