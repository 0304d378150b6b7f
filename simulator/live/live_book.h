// What the live store held, as far as our own requests and replies prove it: facts with bounds, each told once. A book
// is of one mutex; what proves what is a matter of the family of requests, and each has a kind of book.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "core/history/event.h"
#include "core/store/port.h"

namespace leasescope {

class LiveBook {
 public:
  using Record = std::function<Sequence(const Event&)>;
  using IsOurs = std::function<bool(Name)>;
  struct Facts {
    Name mutex;
    Name store;  // who did not answer
    Duration lease{};
    // Kept in a database's row, not in a key that ends: a release may find its lease over, and on the older wires an
    // acquire renews the caller's own.
    bool row = false;
    std::vector<Name> stores{};  // each of them, where there are several independent ones
  };

  virtual ~LiveBook() = default;

  // A call of ours goes out, and what led to it; then exactly one of the two.
  virtual void sending(Name node, const Request& request, TrueTime now, Sequence cause) = 0;
  // Returns the event the reply leads on from: the grant, the renewal, the release, or 0.
  virtual Sequence replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) = 0;
  // A message says that a release has granted that term to it, at some time before.
  virtual void handed_over(Name /*node*/, Token /*token*/, TrueTime /*received*/) {}
  virtual void abandoned(Name node) = 0;  // its process is gone
  // A release that nobody waits for any more has reached the store after all, between the two moments.
  virtual void late_release(Name /*node*/, bool /*freed*/, TrueTime /*arrived*/, TrueTime /*answered*/) {}
  // What the store held may be gone since then, without a word: it was killed, or somebody has deleted it.
  virtual void may_have_forgotten(TrueTime /*at*/) {}
  // The clock of one of the stores, from 0, is going to be set forward, or back, at some moment from now on until it is
  // told that it has been. The first that is asked for is the first that is done.
  virtual void clock_asked(std::size_t /*store*/, Duration /*by*/, TrueTime /*asked*/) {}
  virtual void clock_set(std::size_t /*store*/, TrueTime /*done*/) {}
  // Time alone can end a lease, or what is known of the store: call at due() or later.
  virtual void tick(TrueTime /*now*/) {}
  virtual TrueTime due() const { return TrueTime::max(); }
  // Who holds as far as is known; empty = nobody.
  virtual Name owner() const = 0;
};

// Of what a live world can run: leases, nodes, registers, sessions, and quorums.
std::unique_ptr<LiveBook> make_book(Family family, const LiveBook::Facts& facts, LiveBook::Record record,
                                    LiveBook::IsOurs is_ours);

}  // namespace leasescope
