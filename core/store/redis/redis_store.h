// Redis as a live store: the keys and messages of Simba 4.x, registers, and one server's part of a quorum lock, on
// lines of our own or a share of common ones; one instance a contender and server.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/store/lease_store.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/redirect.h"
#include "core/store/redis/talk.h"

namespace leasescope::redis {

class RedisStore final : public LeaseStore {
 public:
  // Messages are of leases and of quorum locks. `timeout`: of its calls, about.
  RedisStore(Loop& loop, const StoreUrl& url, Family family, const StoreRoute& route, Duration timeout,
             WireNames& names, StoreListener& listener);

 private:
  // A call on the messages' line whose answer is to come; id 0: made by this store, after the line had been broken.
  struct Asked {
    RequestKind kind;
    std::uint64_t id;
    std::size_t answers;  // still to come: one a channel
  };

  struct Called {
    std::uint64_t id = 0;  // of no call: its answer says nothing
    bool by_name = false;  // of the script
    bool asks = false;     // with ASKING before it
    int times = 0;         // how often it has been sent elsewhere, or later
  };

  struct Prepared {
    Request release;
    Command command;  // by its script's name
    bool says(const Request& request) const;
  };

  void subscribe(const Request& request) override;
  void unsubscribe(const Request& request) override;
  bool speaks_tokenless() const override { return true; }
  void send_lease_call(const Request& request) override;
  void send_cell_call(const Request& request) override { call(request); }
  void send_quorum_call(const Request& request) override { call(request); }
  void line_stands() override;
  void line_broke(bool messages) override;
  void call(const Request& request);
  // By the script's name, or with its text after NOSCRIPT.
  bool call_script(const Request& request, const Called& how);
  Command command_for(const Request& request, const Called& how);
  void prepare_release(const Request& request, const Reply& answer);
  const Keys& keys_of(Name mutex);
  // Of a call that is sent elsewhere, or later: nobody has executed it.
  void redirected(const Request& request, const Called& called, const Redirect& where, const std::string& words);
  void turn();
  void call_again();
  void on_script_answer(const RespValue& answer);
  void take_answer(const Request& request, const Called& called, const RespValue& value);
  void refused(const Request& request, const Called& called, const RespValue& error);
  void on_message(const RespValue& value);
  void on_channel_answer(const RespValue& answer);
  bool ask(RequestKind kind, std::uint64_t id);
  void release_held_back();
  void leave_queue(const Request& request);

  Loop* loop_;
  StoreListener* listener_of_messages_;
  Family family_;
  Name keyed_;  // whose names those are
  std::optional<Keys> keys_;
  bool legacy_;           // contenders up to 3.1 are among the others
  std::string personal_;  // then, or where it waits in a line: the channel of this contender alone
  Name contender_;        // whose it is
  std::unique_ptr<Talk> requests_;
  std::unique_ptr<Talk> messages_;
  std::deque<Called> awaited_;        // lease calls whose answers are still to come, in order
  std::vector<Called> again_;         // that a cluster has sent elsewhere, or that came meanwhile
  std::optional<Endpoint> turns_to_;  // where they go, once all answers are here
  bool turning_ = false;              // the line is on its way there
  OneShot soon_;                      // they go out again
  std::deque<Asked> asked_;           // the same on the messages' line
  OneShot hold_;                      // how long a release waits for the end of the subscription
  bool holds_ = false;                // it does; its answer may still be awaited when it no longer does
  std::vector<Request> held_back_;
  std::optional<Prepared> prepared_;  // of the term that was confirmed last
};

}  // namespace leasescope::redis
