// Watches the mutexes and elections of an etcd: all keys of its prefix are gone through once, and its watch tells of
// each change; what is left of a lease is asked for. Rights to read the prefix are enough (core/observe).
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/observe/observer.h"
#include "core/store/etcd/gateway.h"
#include "core/store/etcd/locks.h"
#include "core/store/etcd/span_watch.h"
#include "core/store/store.h"

namespace leasescope::etcd {

class EtcdObserver final : public Observer {
 public:
  EtcdObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener);

  void begin() override;
  ObserverFigures figures() const override { return {gateway_.asked(), answers_, latency_}; }
  // None of ours is here.
  TrueTime quiet_until(const std::string& /*mutex*/) const override { return TrueTime::min(); }

 private:
  // What was told of a lock, and is to be.
  struct Told {
    Sighting last;
    bool known = false;    // it has been told of once
    bool open = false;     // it is being looked at
    bool waits = false;    // for that
    bool again = false;    // its holder changed meanwhile
    bool changed = false;  // its holder is another than it was told
    TrueTime since{};      // ... by then at the earliest
    // Its holder's lease, and between when that ends unless it is renewed; none: it was not asked for.
    std::int64_t lease = 0;
    std::optional<std::pair<TrueTime, TrueTime>> end;
  };
  using Place = std::map<std::string, Told>::value_type;
  struct Moment {
    TrueTime asked;
    std::int64_t revision;  // at that time or later it was reached
  };

  // ---- the line
  void open();
  void log_in();
  void ask(const Question& question, const Gateway::Heard& heard);
  void start();
  void take_stand();
  void beat();
  void lose(const Refusal& why);
  void go_blind(const std::string& why);
  void tear(const std::string& why);
  void answered(TrueTime asked);
  void reached(TrueTime asked, std::int64_t revision);

  // ---- what there is
  void take_found(const SpanWatch& span, const std::vector<KeyValue>& keys, TrueTime asked);
  void take_changes(const WatchAnswer& answer);
  void take(const KeyChange& change);
  void note_change(Place& of, std::int64_t revision, bool is_new);
  Place& told_of(const std::string& lock);
  bool is_wanted(const std::string& key) const;
  void note_full();

  // ---- one of them
  void go_round();
  void want(Place& of, bool at_once);
  void go_on();
  void look(Place& of);
  void read_value(Place& of, const std::string& key);
  void read_lease(Place& of, std::int64_t lease);
  void take_lease(Place& of, std::int64_t lease, TrueTime asked, const Answer<LeaseAnswer>& answer);
  void end_look(Place& of);
  void tell(Place& of, TrueTime asked);
  Sighting sighting_of(const Place& of, TrueTime asked) const;
  void tell_if_all();
  TrueTime before(std::int64_t revision) const;

  Loop* loop_;
  const StoreUrl url_;
  const ObserverTerms terms_;
  ObserverListener* listener_;
  const std::vector<Endpoint> servers_;
  std::size_t at_ = 0;  // of them
  Gateway gateway_;
  std::vector<std::unique_ptr<SpanWatch>> spans_;
  Locks locks_;
  std::map<std::string, Told> told_;
  std::deque<Place*> due_;
  int open_looks_ = 0;
  std::size_t unknown_ = 0;
  std::deque<Moment> moments_;  // the last ones
  TrueTime quiet_{};            // what changed before then was told
  TrueTime begun_{};            // the keys were gone through since then
  TrueTime blind_since_{};
  bool blind_ = true, told_all_ = false, told_full_ = false;
  std::uint64_t answers_ = 0;
  Duration latency_{};
  BackOff back_off_;
  OneShot again_, beat_, round_, pace_;
};

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener);

}  // namespace leasescope::etcd
