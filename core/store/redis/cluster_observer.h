// Watches the mutexes of a Redis; where it is a node of a cluster, those of all its masters, each by an observer of its
// own, as one store.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/observe/observer.h"
#include "core/store/redis/cluster_map.h"
#include "core/store/url.h"

namespace leasescope::redis {

// At first whoever the URL names is watched as a server that stands alone. Where it tells of a cluster, its masters
// take that one's place, and each of them says at each round what there is now: a replica that took over, a slot that
// has moved. One that does not answer is a part of the store that is not observed.
class ClusterObserver final : public Observer {
 public:
  ClusterObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener);
  ~ClusterObserver() override;

  void begin() override;
  ObserverFigures figures() const override;
  std::string server() const override;
  TrueTime quiet_until(const std::string& mutex) const override;

 private:
  class Member;

  void scout();
  void scout_again();
  void add(const ClusterMaster& master, const std::vector<std::string>& mutexes);
  void told(ClusterMap map);
  void apply();
  void keep(const std::vector<ClusterMaster>& masters);
  void make_homeless(const std::vector<std::string>& mutexes);
  void leave(const Member& member);
  void tell_departed();
  void ask_again();
  void went_blind(Member& member, TrueTime since, const std::string& why);
  void sighted(Member& member);
  void tell_if_all();
  bool is_blind_beside(const Member& member) const;
  std::optional<std::vector<std::string>> wanted_of(const ClusterMaster& master) const;
  const Member* keeper_of(std::string_view mutex) const;

  Loop* loop_;
  const StoreUrl url_;
  const ObserverTerms terms_;
  ObserverListener* listener_;
  std::vector<std::unique_ptr<Member>> members_;
  std::optional<ClusterMap> told_;       // not applied yet
  std::uint64_t epoch_ = 0;              // of the last one that was
  std::vector<Endpoint> known_;          // the masters, as they were told last
  std::vector<std::string> homeless_;    // mutexes that were seen, whose keeper is not watched yet
  std::vector<ClusterMaster> departed_;  // that did not answer, and are watched no more
  bool blind_ = true;                    // as it was told
  bool told_all_ = false;
  ObserverFigures left_;  // of those that are watched no more
  OneShot apply_, ask_, scout_;
};

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener);

}  // namespace leasescope::redis
