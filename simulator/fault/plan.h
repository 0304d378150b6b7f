// The fault plan of a run: which row fires when, on whom. Roles are resolved when a row fires. A value; used by both
// worlds.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "simulator/fault/kind.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {

inline constexpr NodeIndex kNobody = UINT32_MAX;

// What the plan needs to know to resolve a role.
class Roles {
 public:
  virtual ~Roles() = default;
  virtual NodeIndex owner() const = 0;              // by the store's truth (of the first mutex), or kNobody
  virtual bool contends(NodeIndex node) const = 0;  // for that mutex: started, neither stopped nor crashed
  virtual bool store_runs() const = 0;              // it takes connections
};

// A row begins on one node; the world calls kind->begin and, after `duration` where the kind lasts, kind->end.
struct Firing {
  int row = 0;
  const FaultKind* kind = nullptr;
  NodeIndex node = kNobody;  // kNobody: the store
  Duration duration{};
  FaultValues values{};
  std::uint64_t key = 0;
  std::uint8_t store = 0;  // which of several, where it hits one

  bool operator==(const Firing&) const = default;
  FaultCall call(NodeIndex fleet, std::uint32_t tick = 0) const { return {node, fleet, duration, values, tick, key}; }
};

// Which of several stores a target means, from 0: "store 3" is 2, and "store" the first.
std::uint8_t store_place(std::string_view target);

class FaultPlan {
 public:
  FaultPlan() : FaultPlan(Scenario()) {}
  explicit FaultPlan(const Scenario& scenario);

  // This plan up to now, `changed` from `at` on: what has passed is the same in both, what has not comes from `changed`
  // and lies at `at` or later. The error names the row that is otherwise.
  tl::expected<FaultPlan, std::string> changed_course(const FaultPlan& changed, TrueTime at) const;

  // The moment of the next row that waits for its time; TrueTime::max() when none does.
  TrueTime next() const;
  // Rows whose time has come. Those whose role nobody plays yet wait for it.
  std::vector<Firing> due(TrueTime now, const Roles& roles);
  // The store granted the (first) mutex to `node`: rows waiting for an owner or for who acquires next.
  std::vector<Firing> granted(NodeIndex node);
  // `node` begins to compute: rows with during = "compute" armed on it.
  std::vector<Firing> computing(NodeIndex node);
  bool waits_for_compute() const { return !armed_.empty(); }
  bool waits_for_grant() const { return !waiting_.empty(); }

  // A step of that row was handed to one of those it hit, who took or refused it. A row that all refused has not fired.
  void handed(std::uint32_t row, bool taken) { (taken ? taken_ : refused_).push_back(row); }

  // Rows that never found their target, that were refused, or that asked something of a store that was down, in words.
  std::vector<std::string> unfired() const;
  std::size_t rows() const { return table_->rows.size(); }

 private:
  enum class Role : std::uint8_t { kNamed, kOwner, kNext, kWaiters, kAll, kStore };

  struct Row {
    TrueTime at{};
    Firing firing;  // its kind is null where the row is switched off
    Role role = Role::kOwner;
    bool during_compute = false;
    std::string target;  // as the scenario names it

    bool operator==(const Row&) const = default;
    std::string words() const;  // "pause of owner at 12s"
  };
  // What does not change while the plan is carried out; copies of a world share it.
  struct Table {
    std::vector<Row> rows;
    std::vector<std::uint32_t> by_time;  // rows by their time
  };
  struct Armed {
    std::uint32_t row = 0;
    NodeIndex node = kNobody;
  };

  // Fires the row on the node, or arms it for the node's next compute.
  void fire(std::uint32_t row, NodeIndex node, std::vector<Firing>& out);
  void fire_now(std::uint32_t row, NodeIndex node, std::vector<Firing>& out);
  bool hits(const Firing& firing) const { return !firing.kind->hits || firing.kind->hits(firing.call(nodes_)); }

  void fire_on_many(std::uint32_t row, const Roles& roles, std::vector<Firing>& out);

  std::shared_ptr<const Table> table_;
  std::size_t passed_ = 0;              // of those by time
  std::vector<std::uint32_t> waiting_;  // for a grant
  std::vector<Armed> armed_;            // for a compute
  std::vector<std::uint32_t> missed_;   // hit nobody when their time came
  std::vector<std::uint32_t> refused_;  // by one whom they hit
  std::vector<std::uint32_t> taken_;    // likewise
  std::uint32_t nodes_ = 0;
};

}  // namespace leasescope
