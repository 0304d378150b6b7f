// One kind of fault: its keys, the worlds it works in, what it may break, what it does. One file a kind, and its
// name in kinds.h and kinds.cpp.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/legend.h"
#include "simulator/fault/draw.h"
#include "simulator/fault/port.h"
#include "simulator/model/store_terms.h"

namespace leasescope {

// The swarm draws faults of every kind in all_fault_kinds; a new kind takes part by what it declares:
//   * a time key that must be drawn says how: {"by", FaultKeyType::kTime, {}, true, 0, 0, Draw::time(1ms, 2s)};
//     also Draw::leases(0.01, 2) (log-uniform as time is), .forth_and_back() for both signs;
//   * a number key: Draw::number(1, 5) (uniform) or Draw::magnitude(100, 500'000) (log-uniform); without, when it is
//     required, uniform over what the key allows;
//   * words and contenders are drawn uniformly without saying anything;
//   * what lasts has `lasting`, 0.01 to 3 leases unless it says otherwise;
//   * `may_break` excuses a double grant or a lost fence, `may_overlap` an overlap of beliefs, `may_overtake` one that
//     followed a late release: a swarm run in which one shows without such a fault before it has failed;
//   * `undone_by` names the kind that takes it back ("stop": "start"); that one is not drawn for itself.
enum class FaultKeyType : std::uint8_t { kTime, kWord, kNumber, kContender };

struct FaultKey {
  std::string_view name;
  FaultKeyType type = FaultKeyType::kTime;
  std::vector<std::string_view> words;  // kWord: what it may say; the first is the default
  bool required = false;
  std::int64_t least = 0;  // kNumber: from least to most, inclusive; kTime: below 0 when it may be negative
  std::int64_t most = 0;
  Draw draw{};
  std::string_view virtual_word{};  // kWord: no live store can do what this one says
};

// Plain data, in the order of the kind's keys: a time in ns, the index of a word, a number, a contender's place.
using FaultValues = std::array<std::int64_t, 3>;

enum class FaultTarget : std::uint8_t { kContender, kStore, kReplica };

// One firing, as the kind's functions see it.
struct FaultCall {
  NodeIndex node = 0;   // whom it hit; meaningless when the store is the target
  NodeIndex fleet = 0;  // how many contenders there are
  Duration duration{};
  FaultValues values{};
  std::uint32_t tick = 0;  // how often it has acted, this time included
  std::uint64_t key = 0;   // of its draws: by the seed and the row

  // Its own draws: nobody else's are shifted, whoever is hit and whatever is taken out of the plan.
  RandomStream draws(std::string_view purpose, std::uint64_t of) const {
    return RandomStream(key + 0x9e3779b97f4a7c15 * of, "fault", purpose);
  }
};

struct FaultKind {
  std::string_view name;   // "pause"
  std::string_view about;  // one line
  // Sentences of the history's legend, with {who} and {for}; empty: the name says it.
  std::string_view began{};
  std::string_view ended{};
  Disturbs disturbs = Disturbs::kNothing;
  BandKind band = BandKind::kPartition;
  std::vector<FaultKey> keys;
  FaultTarget target = FaultTarget::kContender;
  bool lasts = false;           // takes a `duration`; what does not ends as it begins
  bool during_compute = false;  // takes `during = "compute"`
  bool live = true;             // can be produced on a live store
  std::string_view may_break;   // "", "grant", "fence" (which includes a grant)
  // Stores in which it breaks nothing after all; null: none.
  bool (*spares)(const RedisTerms& redis, const SqlTerms& sql) = nullptr;
  bool may_overlap = false;  // whom it hits may believe longer than its lease lasts, as in a pause
  // What is sent later may arrive before. Up to 4.x a release names its owner and no term: when it comes after that
  // owner has stopped, started anew and been granted again, it ends the new term under the owner's eyes.
  bool may_overtake = false;
  Draw lasting = Draw::leases(0.01, 3);  // for `duration`
  std::string_view undone_by;            // the kind that ends what this one began, where it does not last
  bool asked = false;       // a session's doing: a store that is down cannot be asked, and it has not fired
  bool of_network = false;  // acts on the way between a contender and the store
  // Live, acts on single messages of a store: whoever is in between must be able to read what is said.
  bool reads_messages = false;
  bool needs_messages = false;  // of those: does nothing where a store sends none
  // Loses messages without reading them, which is noted in the history where they can be read.
  bool loses_messages = false;
  bool of_resource = false;              // takes target = "resource": whoever writes to it
  std::vector<std::string_view> models;  // of stores that can have it; empty: every one
  bool needs_replica = false;            // of those, the ones that have one
  // Which of those that its target names; null: every one. A row that hits nobody has not fired.
  bool (*hits)(const FaultCall& call) = nullptr;
  void (*begin)(FaultPort& world, const FaultCall& call) = nullptr;
  void (*end)(FaultPort& world, const FaultCall& call) = nullptr;
  // What lasts may also act now and then: every `period`, not at the beginning and not at the end.
  Duration (*period)(const FaultCall& call) = nullptr;
  void (*act)(FaultPort& world, const FaultCall& call) = nullptr;
};

// Every kind there is; the index of one is what `fault_began` carries as its detail.
const std::vector<FaultKind>& all_fault_kinds();
// Null when there is none of that name.
const FaultKind* find_fault_kind(std::string_view name);
int index_of(const FaultKind& kind);
// Their names in that order.
std::vector<std::string> fault_kind_names();
// What a history says of them, in that order.
std::vector<FaultLegend> fault_legend();

}  // namespace leasescope
