// Redis as a live store: the 4.x wire form of Simba through hiredis, one instance a contender.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "core/store/calls.h"
#include "core/store/redis/redis_line.h"
#include "core/store/store.h"

namespace leasescope::redis {

class RedisStore : public Store {
 public:
  RedisStore(Loop& loop, const StoreRoute& route, const Login& login, WireNames& names, StoreListener& listener);

  void connect() override;
  bool connected() const override { return requests_.up() && messages_.up(); }
  void send(const Request& request) override;

 private:
  struct Answers;  // what hiredis calls

  void line_up();
  void line_down(bool messages, const std::string& reason);
  void subscribe(const Request& request);
  void unsubscribe(const Request& request);
  void send_lease_call(const Request& request);
  // By the script's name, or with its text after NOSCRIPT.
  bool call_script(const Request& request, bool by_name);
  void on_script_answer(const redisReply* reply);
  void on_message(const redisReply* reply);
  void release_held_back();

  Loop* loop_;
  WireNames* names_;
  StoreListener* listener_;
  Calls calls_;
  RedisLine requests_;
  RedisLine messages_;
  std::deque<std::uint64_t> awaited_;  // lease calls whose answers are still to come, in order
  OneShot hold_;                       // how long a release waits for the end of the subscription
  std::vector<Request> held_back_;
  std::string channel_;  // subscribed to, also after a reconnect; empty = none
  Name mutex_;           // ... of it
  std::uint64_t subscribing_ = 0;
  std::uint64_t unsubscribing_ = 0;
  bool told_connected_ = false;
};

}  // namespace leasescope::redis
