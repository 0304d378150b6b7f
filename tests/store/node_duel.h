// Plays many sequences of calls of nodes at once, each in folders of its own, on a private ZooKeeper and on the model
// of it. Every client has a connection and sessions of its own.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/loop/epoll/epoll_loop.h"
#include "simulator/live/private_server.h"
#include "tests/store/duel.h"
#include "tests/store/node_sequences.h"

namespace leasescope::tests {

class NodeDuel {
 public:
  explicit NodeDuel(const StoreType& type);
  ~NodeDuel();

  tl::expected<void, std::string> start();
  // As LeaseDuel's.
  std::vector<DuelVerdict> play(const std::vector<NodeSequence>& sequences, bool restarts);
  NodeSequence shrunk(NodeSequence sequence, bool restarts);

 private:
  class Client;
  struct Lane;

  void go_round();
  void start_more();
  void go_on(Lane& lane);
  void ask(Lane& lane, std::size_t client, const Request& request, const std::string& words);
  void on_reply(Lane& lane, std::size_t client, const Reply& reply, TrueTime sent, TrueTime received,
                const std::string& error);
  void compare(Lane& lane, std::size_t client, const Reply& reply, const Reply& expected, const std::string& said);
  void pause(bool restarts);
  void restart();
  void on_lost(Lane& lane, Client& client);
  void catch_up(Lane& lane, TrueTime now);
  void rest(Duration span);

  const StoreType* type_;
  PrivateServer server_;
  EpollLoop loop_;
  ManyNames names_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::size_t open_ = 0;      // lanes on their way
  std::size_t next_ = 0;      // lane to be started
  bool coming_back_ = false;  // every call is a reconnect, of as many clients of a lane as there are
  std::uint64_t batches_ = 0;
};

}  // namespace leasescope::tests
