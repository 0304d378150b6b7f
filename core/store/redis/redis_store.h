// Redis as a live store: the keys and messages of Simba 4.x, on lines of our own; one instance a contender.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "core/store/lease_store.h"
#include "core/store/redis/redis_line.h"

namespace leasescope::redis {

class RedisStore final : public LeaseStore {
 public:
  RedisStore(Loop& loop, const StoreUrl& url, const StoreRoute& route, WireNames& names, StoreListener& listener);

 private:
  RedisStore(Loop& loop, const StoreUrl& url, const Login& login, const StoreRoute& route, WireNames& names,
             StoreListener& listener);
  // A call on the messages' line whose answer is to come; id 0: made by this store, after the line had been broken.
  struct Asked {
    RequestKind kind;
    std::uint64_t id;
  };

  struct Called {
    std::uint64_t id;
    bool by_name;  // of the script
  };

  void subscribe(const Request& request) override;
  void unsubscribe(const Request& request) override;
  void send_lease_call(const Request& request) override;
  void line_stands() override;
  void line_broke(bool messages) override;
  void call(const Request& request);
  // By the script's name, or with its text after NOSCRIPT.
  bool call_script(const Request& request, bool by_name);
  void on_script_answer(const RespValue& answer);
  void refused(std::uint64_t id, const RespValue& error);
  void on_message(const RespValue& value);
  void on_channel_answer(const RespValue& answer);
  bool ask(RequestKind kind, std::uint64_t id);
  void release_held_back();

  RedisLine requests_;
  RedisLine messages_;
  std::deque<Called> awaited_;  // lease calls whose answers are still to come, in order
  std::deque<Asked> asked_;     // the same on the messages' line
  OneShot hold_;                // how long a release waits for the end of the subscription
  bool holds_ = false;          // it does; its answer may still be awaited when it no longer does
  std::vector<Request> held_back_;
};

}  // namespace leasescope::redis
