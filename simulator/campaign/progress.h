// Whether everybody gets on again once the faults have ended, and within what time; and if not, who is stuck and what
// he waits for.
#pragma once
#include <string>
#include <vector>

#include "core/history/standing.h"
#include "simulator/engine/world.h"

namespace leasescope {

class Progress {
 public:
  Progress(const Scenario& scenario, const World& world);

  // `standing` is as after the event, which `change` says what it changed.
  void append(const Event& event, const Change& change, const Standing& standing);

  // Nothing has disturbed since; max() while a fault lasts.
  TrueTime quiet_since() const { return lasting_ > 0 ? TrueTime::max() : last_fault_; }
  // Within so long of quiet everybody must have got on: every contender that is up has had an answer from the store,
  // and of every mutex somebody was granted or renewed the lease and believes it.
  Duration budget() const;
  bool complete() const;
  // Who is stuck, in which state, what he waits for.
  std::string missing() const;
  // Everybody's state.
  std::string state() const;

  // From here on whoever holds must keep it until a fault begins; what is lost is kept in words. Not where a fault may
  // still be felt: by what it had delayed, or because two now go by one id.
  void guard() { guards_ = clean(); }
  const std::string& lost() const { return lost_; }

 private:
  struct Member {
    Name name;
    std::uint32_t mutex = 0;
    TrueTime heard{};  // of the store, at an attempt
    Event last;        // attempt or plan to wake
  };
  struct Lease {
    Name mutex;
    TrueTime confirmed{};  // granted or renewed
  };

  const Member* member(Name name) const;
  void on_member(const Event& event, Member& who);
  void on_fault(const Event& event);
  void on_lost(const Event& event, std::string_view what);
  bool up(NodeIndex index) const;
  bool believes(NodeIndex index) const;
  Name holder(const Lease& lease) const;  // empty: nobody
  bool moves(const Lease& lease, TrueTime since) const;
  bool clean() const;
  bool anybody_up(std::uint32_t mutex) const;
  std::string words(NodeIndex index) const;
  std::string words(const Lease& lease) const;

  const World* world_;
  const Standing* standing_ = nullptr;  // none: no event yet
  LeaseTerms terms_;
  Duration round_trip_{};
  Duration timeout_{};
  Duration callback_{};
  std::uint32_t loss_ppm_ = 0;
  std::vector<NodeIndex> members_by_name_;
  std::vector<std::uint32_t> leases_by_name_;
  std::vector<Member> members_;
  std::vector<Lease> leases_;
  TrueTime last_fault_{};
  TrueTime last_echo_{};          // what a fault delayed by its times may arrive until then
  std::vector<Duration> echoes_;  // by row of the plan
  Duration lasting_echoes_{};
  int lasting_ = 0;
  // How far the store's clock has been set, at its highest, and how far it fell from there: a lease granted before
  // lasts so much longer.
  Duration store_ahead_{};
  Duration store_peak_{};
  Duration store_fall_{};
  bool guards_ = false;
  std::string lost_;
};

}  // namespace leasescope
