// Plays many sequences of lease calls at once, each on mutexes of its own, on a private server and on the model of it.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/loop/epoll/epoll_loop.h"
#include "simulator/live/private_server.h"
#include "tests/store/duel.h"
#include "tests/store/lease_sequences.h"

namespace leasescope::tests {

class LeaseDuel {
 public:
  // `remembers`: what the server held, over a restart, where it does not by itself.
  LeaseDuel(const StoreType& type, bool remembers);
  ~LeaseDuel();

  tl::expected<void, std::string> start();
  // All step by step, each sequence one call at a time; the first of their pauses is shared by all, and so on. With
  // `restarts` the server is killed and started again in the first. A verdict a sequence, in order.
  std::vector<DuelVerdict> play(const std::vector<LeaseSequence>& sequences, bool restarts);
  // The fewest of its steps that still differ, as far as leaving out one after the other leads.
  LeaseSequence shrunk(LeaseSequence sequence, bool restarts);

 private:
  class Line;
  struct Lane;
  static constexpr std::size_t kLines = 5;

  bool connect(std::size_t line);
  bool wait_for_lines();
  void send_next(Lane& lane);
  void on_reply(std::size_t lane, const Reply& reply, TrueTime sent, TrueTime received, const std::string& error);
  void go_round();
  void pause(bool restarts);
  void rest(Duration span);

  const StoreType* type_;
  bool remembers_;
  PrivateServer server_;
  EpollLoop loop_;
  ManyNames* names_ = nullptr;
  Name stranger_;  // no client of any sequence
  std::unique_ptr<ManyNames> names_of_batch_;
  std::array<std::unique_ptr<Line>, kLines> lines_;
  std::vector<Lane> lanes_;
  std::size_t open_ = 0;  // calls under way
  Duration brief_ = std::chrono::milliseconds(300);
  std::uint64_t batches_ = 0;
};

}  // namespace leasescope::tests
