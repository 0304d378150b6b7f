// Watches the latches of a ZooKeeper, /simba/<mutex>, and our fenced locks, /simba/<mutex>:fenced: their folders are
// listed, and the node that leads is read, of a fenced lock those of the first who wait, too. Watches tell of each
// change; rights to read are enough (core/observe).
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/observe/observer.h"
#include "core/store/zookeeper/foreign/foreign_lines.h"
#include "core/store/zookeeper/kept_session.h"

namespace leasescope::zookeeper {

class ZookeeperObserver final : public Observer {
 public:
  ZookeeperObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener);

  void begin() override;
  TrueTime quiet_until(const std::string& mutex) const override;
  ObserverFigures figures() const override {
    return {figures_.commands + foreign_.asked(), figures_.answers, figures_.latency};
  }

 private:
  struct Latch {
    std::string mutex;
    bool fenced = false;   // its line is a fenced lock's
    bool met = false;      // it was told of
    bool known = false;    // it has been seen, or refused
    bool open = false;     // it is being looked at
    bool again = false;    // something changed since it was asked
    bool exists = false;   // its folder, when it was listed last
    bool watched = false;  // the server tells when a child of it comes or goes
    TrueTime asked{};
    std::vector<std::string> line;    // its nodes, in the order in which they lead
    std::vector<std::string> owners;  // of the first of them, as far as they were read
    std::string session;              // of the one that leads
    Token token = kNoToken;
    std::uint64_t changed = 0;  // NodeList::changed, of its folder
  };
  using Place = std::map<std::string, Latch>::value_type;

  void on_stands();
  void on_broke(const std::string& why);
  void go_round();
  void beat();
  void find();
  void on_found(Outcome outcome, const std::vector<std::string>& names, const std::string& error);
  void refuse(const std::string& error);
  Place* meet(const std::string& folder, std::string_view mutex, bool fenced);
  void look(Place& of);
  void on_listed(Place& of, Outcome outcome, const NodeList& list, const std::string& error);
  void on_read(Place& of, Outcome outcome, const NodeFacts& facts, const std::string& error);
  void read_next(Place& of);
  void see(Place& of);
  void hide(Place& of, const std::string& error);
  void list_all();
  void remark(const std::string& about, const std::string& error);
  void answered(TrueTime asked);
  void tell_if_all();

  Loop* loop_;
  const StoreUrl url_;
  const ObserverTerms terms_;
  ObserverListener* listener_;
  KeptSession session_;
  ForeignLines foreign_;
  std::map<std::string, Latch> latches_;  // by their folder
  ObserverFigures figures_;
  TrueTime found_asked_{}, blind_since_{};
  TrueTime heard_{};  // what happened before then the server has told
  bool blind_ = true, found_ = false, told_all_ = false;
  std::string refused_;                           // why what there is may not be listed; empty: it may
  bool all_exist_ = false, all_watched_ = false;  // /simba
  OneShot sweep_, round_, soon_, beat_;
};

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener);

}  // namespace leasescope::zookeeper
