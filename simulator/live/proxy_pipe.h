// One direction of a connection through the fault proxy: what was read at one end and is to be written at the other.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/loop/one_shot.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/toxics/toxic.h"

namespace leasescope {

// What was asked on a connection and is not answered yet, in its order: whether the answer goes nowhere.
using Asked = std::deque<bool>;

class FaultProxy::Pipe final : public Way {
 public:
  Pipe(FaultProxy& proxy, LinkDirection direction, std::uint64_t connection, Asked& asked, std::function<void()> pump);
  ~Pipe() override;

  // Bytes that have come, and that nothing more will.
  void take_in(std::string bytes);
  void end();
  // Writes what may go on; false when it cannot be written. `to` is the other end.
  bool pump(int to);
  // So much is kept that no more may be read: what the kernel's buffers take makes the sender wait.
  bool full() const { return kept_ > kMostKept; }
  bool empty() const { return in_turn_.empty() && aside_.empty() && !under_way_; }
  // Nothing is under way any more, and nothing will be; how it ends.
  bool over() const;
  bool drained() const { return ended_ && empty(); }
  Farewell how() const { return how_; }
  // With this way the other one ends too.
  bool closes_all() const { return closes_all_; }
  void forget_all();
  // What a stall has held is lost.
  void lose_held();
  void half_close();
  // What is under way is lost, and all that comes.
  void die();
  bool held() const;
  bool stalled() const;
  void leave();  // the descriptors are about to go

  // Way
  LinkDirection direction() const override { return direction_; }
  std::uint64_t connection() const override { return connection_; }
  TrueTime now() const override;
  std::int64_t& memory(const Toxic& of) override { return memory_[of.row.number]; }
  void silence() override { silent_ = true; }
  void end_after(Farewell how) override;
  void let_go(std::uint64_t held_by) override;

  bool wrote = false;  // since this was looked at last
  bool dead = false;   // the other end knows that nothing more comes
  TrueTime wrote_at{};

 private:
  static constexpr std::size_t kMostKept = 1024 * 1024;
  // Of a parcel beside its bytes: who sends single bytes fills no memory either.
  static constexpr std::size_t kEach = sizeof(Parcel) + 32;

  void put(Frame frame);
  void put_request(Parcel parcel);
  bool goes_nowhere(const Frame& frame);
  void keep_order(Parcel& parcel);
  void queue(Parcel parcel);
  bool is_dropped_push(const Frame& frame) const;
  Parcel* next();
  void done(const Parcel& parcel);
  std::size_t most_now(std::size_t size) const;
  void wait_for_gap(std::size_t put);
  void wait_until(TrueTime moment);

  FaultProxy* proxy_;
  LinkDirection direction_;
  std::uint64_t connection_;
  Asked* asked_;
  std::function<void()> pump_;
  std::unique_ptr<FrameReader> reader_;  // null: bytes alone
  std::deque<Parcel> in_turn_;
  std::multimap<TrueTime, Parcel> aside_;
  std::optional<Parcel> under_way_;  // one of those, of which a part may be through
  std::size_t kept_ = 0;
  bool amid_ = false;                    // of a frame of those in turn a part is through
  bool silent_ = false;                  // what comes is lost
  bool muffled_ = false;                 // of an answer that goes nowhere a part has come
  bool doubled_ = false;                 // of a request that goes twice a part has come
  bool answered_once_ = false;           // ... and its second answer goes nowhere
  std::vector<Parcel> second_;           // that part, once more
  bool ended_ = false;                   // nothing more will come
  TrueTime close_at_ = TrueTime::min();  // the other end learns of that then
  Farewell how_ = Farewell::kClose;
  bool closes_all_ = false;
  TrueTime paced_until_ = TrueTime::min();
  TrueTime last_push_ = TrueTime::min();  // due
  std::map<int, std::int64_t> memory_;    // of the toxics, by their number
  OneShot timer_;
  Loop::WatchId writes_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace leasescope
