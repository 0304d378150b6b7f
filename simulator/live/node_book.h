// The book of nodes: whose numbered node is the lowest, and how long its session lasts.
#pragma once
#include <map>
#include <vector>

#include "simulator/live/live_book.h"
#include "simulator/live/silence.h"

namespace leasescope {

// One mutex. It knows what our own clients were told:
// * a node is granted the lock between the latest moment at which it cannot have been the lowest yet (it was asked for,
//   its client was shown another before it, or its predecessor's end began) and the list that showed it first;
// * it is given back between the request that deletes it or closes its session and the answer;
// * it has run out no earlier than a session's length after the last request of it that was answered, unless an answer
//   proves it sooner; no later than the first proof: its client is told, or another node is seen to lead;
// * a store that has answered nobody for two thirds of a session, in which each asks twice, is unobserved until it
//   does: who holds then is not said.
// Of clients that are not ours nothing is told, and what is theirs looks like nobody's.
class NodeBook final : public LiveBook {
 public:
  NodeBook(const Facts& facts, Record record) : facts_(facts), record_(std::move(record)) {}

  void sending(Name node, const Request& request, TrueTime now, Sequence cause) override;
  Sequence replied(Name node, const Reply& reply, TrueTime sent, TrueTime received) override;
  void abandoned(Name node) override { clients_[node.handle].calls.clear(); }
  void tick(TrueTime now) override;
  TrueTime due() const override { return silence_.due(longest_silence()); }
  Name owner() const override { return owner_; }

 private:
  struct Call {
    std::uint64_t id = 0;
    RequestKind kind = RequestKind::kConnect;
    std::uint64_t session = 0;
    std::uint32_t node = 0;
    TrueTime sent{};
    Sequence cause = 0;
  };
  struct Client {
    std::vector<Call> calls;    // on their way
    std::uint64_t session = 0;  // 0: none that is known to last
    Duration length{};
    TrueTime touched = TrueTime::min();  // the last request of the session that was answered went out
    std::uint32_t node = 0;              // of its own
    std::uint32_t made = 0;              // of the answer to its last create; in which session, with which czxid
    std::uint64_t made_in = 0;
    Token made_token = kNoToken;
    TrueTime not_before{};  // it was not the lowest then
    TrueTime seen_lowest = TrueTime::max();
    TrueTime leaves = TrueTime::max();  // what gives it back went out, and may have arrived
  };

  Call take(Client& client, const Reply& reply, TrueTime sent);
  Sequence on_connected(Name node, Client& client, const Call& call, const Reply& reply, TrueTime received);
  Sequence on_looked(Name node, Client& client, const Call& call, const Reply& reply, TrueTime received);
  Sequence on_alive(Name node, Client& client, const Call& call, TrueTime received);
  Sequence on_children(Name node, Client& client, const Call& call, const Reply& reply, TrueTime received);
  Sequence leads(Name node, Client& client, const Call& call, Token token, TrueTime received);
  void on_session_ended(Name node, Client& client, const Call& call, TrueTime received);
  bool leads_by(Name node, const Client& client) const { return owner_ == node && session_ == client.session; }
  void answered(TrueTime sent, TrueTime received);
  Duration longest_silence() const { return length_ * 2 / 3; }
  // Of whoever holds, as far as is known.
  Sequence give_back(Name node, Client& client, const Call& call, TrueTime received);
  Sequence run_out(TrueTime proof);
  Sequence record(EventKind kind, Name node, TrueTime lo, TrueTime hi, Token token, std::int64_t a, std::int64_t b,
                  Sequence cause, std::uint8_t detail = 0);

  Facts facts_;
  Record record_;
  std::map<std::uint32_t, Client> clients_;  // by name handle
  Name owner_;
  std::uint64_t session_ = 0;  // of its node, which another session of its client does not renew
  TrueTime lasts_until_{};     // that session, for certain
  Token token_ = kNoToken;
  TrueTime free_from_{};  // the last term ended no earlier
  Duration length_{};     // of the session that was granted last
  Silence silence_;
};

}  // namespace leasescope
