// One program's wish for one mutex, on a loop: contends by the system its store carries, and says when the program owns
// it and until when. Everything here happens in the loop's thread.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

#include "core/contend/driver/driver.h"
#include "core/contend/driver/plain_names.h"
#include "core/simba/lease_terms.h"
#include "core/store/url.h"

namespace leasescope {

class Contention final : private DriverHost {
 public:
  // All are called from the loop, never from within a call of this class.
  struct Events {
    // It owns from now on, until then unless the store is heard of again; the answer is acquired_done().
    std::function<void(Token, TrueTime until)> acquired;
    // It owns no more; nothing may be done under the mutex from here on. The answer is work_done(), once nothing is.
    std::function<void(DisbeliefReason)> released;
    // While it owns, each time that moves.
    std::function<void(TrueTime until)> confirmed;
    // The store answered that somebody else owns it; "" where it does not say who.
    std::function<void(const std::string& owner)> others;
    // The store cannot be reached or refuses, in its words; "" when it is well again. Told when it changes.
    std::function<void(const std::string& trouble)> trouble;
    // After stop(): nothing is held, nothing is under way.
    std::function<void()> stopped;
  };

  // Errors: a store of a family that nobody contends by here, an id or a name that a wire cannot carry.
  static tl::expected<void, std::string> check(const StoreUrl& url, const std::string& mutex, const LeaseTerms& terms);
  // So long before the end of an ownership that is renewed in time its end is at least, as long as all is well: who
  // wants to be warned before an end may be warned this early at most.
  static Duration longest_warning(const StoreUrl& url, const LeaseTerms& terms);

  // "5f1c03aa.0:4242@10.0.0.7": no two programs have the same.
  static std::string make_id();

  // Of what check() allows. `timeout`: of each request.
  Contention(Loop& loop, const StoreUrl& url, const std::string& id, const std::string& mutex, const LeaseTerms& terms,
             Duration timeout, Events events);

  void start();
  // Ends with Events::stopped. Owned, it is released as soon as work_done() was said; until then it is renewed.
  void stop();
  void acquired_done() { driver_.callback_done(); }
  void work_done();

  bool owns() const { return driver_.believes() && driver_.clocks().steady < driver_.owned_until(); }
  const std::string& trouble() const { return trouble_; }  // as it was told last

 private:
  // What the program does under the mutex.
  enum class Work : std::uint8_t {
    kRests,
    kGoesOn,
    kEnds,  // it was told to; an ownership that comes meanwhile waits for that
  };

  // DriverHost
  std::unique_ptr<Store> make_store(Driver& driver, StoreListener& listener) override;
  Sequence record(const Event& event) override;
  Sequence replied(Driver& driver, const Reply& reply, TrueTime sent, TrueTime received) override;
  bool told(Driver& driver, bool owns) override;
  bool rests(Driver&) override { return work_ == Work::kRests; }
  void stepped(Driver& driver) override;
  void connection_changed(Driver&) override { tell_trouble(); }

  void tell_acquired();
  TrueTime owned_until() const;
  void tell_trouble();
  // At the loop's next turn, if it is still there.
  template <class What>
  void tell(What what) {
    loop_->post([alive = std::weak_ptr<const bool>(alive_), what = std::move(what)] {
      if (!alive.expired()) what();
    });
  }

  Loop* loop_;
  StoreUrl url_;
  Duration timeout_;
  PlainNames names_;
  Events events_;
  Driver driver_;
  std::string other_;  // who owns it, as the store said last
  std::string trouble_;
  DisbeliefReason reason_ = DisbeliefReason::kStop;
  SteadyTime told_until_{};
  Work work_ = Work::kRests;
  bool acquired_waits_ = false;
  bool stopping_ = false;
  bool told_stopped_ = false;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // what was posted finds nobody once it goes
};

}  // namespace leasescope
