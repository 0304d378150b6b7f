// A scenario as a value: what the TOML form says, checked. Every key: simulator/scenario/README.md.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/contend/systems.h"
#include "core/contend/worker.h"
#include "core/simba/generation.h"
#include "core/simba/lease_terms.h"
#include "core/store/port.h"
#include "simulator/fault/kind.h"
#include "simulator/model/models.h"
#include "simulator/model/transfer_form.h"
#include "simulator/scenario/distribution.h"
#include "simulator/scenario/expectation.h"
#include "simulator/scenario/time_expression.h"

namespace leasescope {

struct MutexTable {
  std::string name = "orders";
  std::string system = std::string(SimbaTerms::kSystem);  // by which its contenders contend
  bool named = false;  // the name was given on purpose (--set mutex.name=…): a given store is then shared with others
  int count = 1;
  LeaseTerms terms;
  Duration initial_delay{};
  WakeUp wake_up = WakeUp::kBroadcast;

  bool operator==(const MutexTable&) const = default;
};

struct ClockTable {
  Duration offset{};
  std::int32_t drift_ppm = 0;
  std::int32_t steady_ppm = 0;

  bool operator==(const ClockTable&) const = default;
};

struct StoreTable {
  std::string model = "redis";
  Distribution latency = Distribution::log_normal(std::chrono::microseconds(500), std::chrono::milliseconds(3));
  std::optional<Distribution> tells_after;  // none: in the moment of the change
  std::uint32_t loss_ppm = 0;
  Duration timeout = std::chrono::seconds(1);
  ClockTable clock;
  ModelTerms terms;

  RedisTerms& redis() { return std::get<RedisTerms>(terms); }
  const RedisTerms& redis() const { return std::get<RedisTerms>(terms); }
  SqlTerms& sql() { return std::get<SqlTerms>(terms); }
  const SqlTerms& sql() const { return std::get<SqlTerms>(terms); }

  bool operator==(const StoreTable&) const = default;
};

// Whether such a store can have such a fault: it has the model for it, and the replica.
bool can_have(const StoreTable& store, const FaultKind& kind);
// What it may break there: "", "grant", "fence".
std::string_view may_break(const StoreTable& store, const FaultKind& kind);

struct ContenderTable {
  std::string name = "c";
  std::vector<std::string> names;  // of the first of them, in their order; the others go by `name`
  int count = 1;
  Behaviour behaviour = Behaviour::kLeasescope;
  ClockTable clock;
  TimeExpression start;
  Duration callback{};
  std::optional<Distribution> latency;  // none: the store's
  SystemPlans plan;

  std::string called(int place) const;  // "billing", "c3", or the name itself where the count is one; from 0
  std::string title() const;            // of them together: the name, or the first names
  bool operator==(const ContenderTable&) const = default;
};

struct ResourceTable {
  std::string name = "ledger";
  bool bank = false;  // what is done there is a transfer, step by step
  TransferForm transfer = TransferForm::kNaive;
  WorkTerms work;
  bool fencing = true;
  bool accepts_tokenless = false;  // with fencing: what happens to a write without a token
  Distribution latency = Distribution::log_normal(std::chrono::microseconds(500), std::chrono::milliseconds(3));

  TransferForm form() const { return bank ? transfer : TransferForm::kNone; }
  WorkTerms work_terms() const {
    WorkTerms terms = work;
    terms.pipeline = pipeline_of(form());
    return terms;
  }
  bool operator==(const ResourceTable&) const = default;
};

struct FaultTable {
  TimeExpression at;
  std::string kind;
  std::string target;  // owner, next, waiters, all, store or a contender's name
  TimeExpression duration;
  bool during_compute = false;
  std::map<std::string, TimeExpression> times;  // the kind's own keys
  std::map<std::string, std::string> words;     // or a contender's name
  std::map<std::string, std::int64_t> numbers;
  // On a live store: its kind can be produced there, and what its words say.
  bool live() const;
  bool enabled = true;  // else the row is passed over
  int line = 0;         // where it stands in the file, 0 = nowhere

  bool operator==(const FaultTable&) const = default;
};

// What a file that `swarm` or `shrink` wrote came to when it was written; a replay is compared with it.
struct ReplayTable {
  std::string version;            // of the program that wrote it
  std::int64_t trace_format = 0;  // of its hash
  std::string hash;
  std::string failure;  // what it shows, in words

  bool operator==(const ReplayTable&) const = default;
};

struct Scenario {
  std::string name;  // of the file, without its ending
  int schema = 1;    // of the form it is written in
  std::string title;
  std::string about;
  std::string virtual_only;  // why; empty: a live store may do the same
  bool needs_messages =
      false;  // what follows hangs on being told of a grant or a release, as not every live store does
  std::uint64_t seed = 1;
  TimeExpression duration = TimeExpression(std::chrono::seconds(60));
  MutexTable mutex;
  SystemTerms system;  // of which the mutex's is what counts
  StoreTable store;
  std::vector<ContenderTable> contenders;
  std::vector<ResourceTable> resources;
  std::vector<FaultTable> faults;
  Expectations expected;
  Expectations expected_unfenced;  // overlays `expected` when fencing is off
  // Of a swarm: from then on no fault begins, and before the end everybody must get on again.
  std::optional<TimeExpression> heal;
  std::optional<ReplayTable> replay;
  // Keys that were set otherwise than in the file, of those that its expectations do not speak of: what it says of
  // others is nothing to judge this one by.
  std::vector<std::string> edits;

  bool operator==(const Scenario&) const = default;

  const LeaseTerms& terms() const { return mutex.terms; }
  Duration length() const { return duration.under(mutex.terms); }
  // Names of all contenders, in fleet order: those they are given, else "c1", "c2", … or the name itself where the
  // count is one.
  std::vector<std::string> contender_names() const;
  int contender_count() const;
  // Names of the mutexes: the name, or "name-1" … when there are several; contender i goes to mutex i modulo count.
  std::vector<std::string> mutex_names() const;
  // What its system allows, and needs.
  std::uint32_t capacity() const;  // so many may hold one mutex at once
  std::uint8_t servers() const;
  std::uint32_t entries() const;  // so often one contender enters a mutex that it holds, at most
  Family family() const;
  // Whether after such a fault a mutex may have more holders than it allows.
  bool may_grant_twice(const FaultKind& kind) const;
  // Whether after such a fault calls may be answered as no model allows.
  bool may_mislead(const FaultKind& kind) const;
  std::string advice() const;  // what whoever chose its terms should know; empty: nothing
  bool fencing() const { return !resources.empty() && resources.front().fencing; }
  // What of it no live store can do: "the fault row_stall cannot be produced"; none when one can run it.
  std::optional<std::string> not_live() const;
};

}  // namespace leasescope
