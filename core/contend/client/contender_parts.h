// What a contender of the public kind is made of: a contention in the client's loop, and a thread for the callbacks.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/contend/client/client_parts.h"
#include "core/contend/client/executor.h"
#include "core/contend/driver/contention.h"

namespace leasescope::client {

struct Contender::Parts {
  Parts(std::shared_ptr<Client::Parts> of, std::string wanted, const Terms& under, Callbacks calls);
  ~Parts() { stop(); }

  void start();
  // From a callback of its own it only begins to; whoever calls it next, or starts it, waits for the end.
  void stop();
  void begin_to_stop();
  bool in_callback() const { return executor_.is_this_thread(); }
  bool owns() const { return client->loop.now() < until_.load(); }
  Term last_term() const;
  std::string last_trouble() const;
  std::string last_other() const;

  const std::shared_ptr<Client::Parts> client;
  const std::string mutex;
  const std::string id;
  const Terms terms;
  const Callbacks callbacks;
  // From a thread of ours, whenever the store has answered that it is not ours, or has trouble.
  std::function<void()> refused;

 private:
  void call_back(const std::function<void()>& callback);
  bool look_at_store();
  void begin();
  bool is_news(const std::string& trouble);
  void tell_trouble(const std::string& words);
  Contention::Events events();
  void on_acquired(Token token, TrueTime owned_until);
  void on_confirmed(TrueTime owned_until);
  void on_released(DisbeliefReason reason);

  std::mutex stops_;  // held by who waits for the end
  mutable std::mutex guard_;
  std::condition_variable changed_;
  Term term_;  // under the guard, as what follows
  std::string trouble_;
  std::string other_;
  bool runs_ = false;
  bool stop_asked_ = false;
  bool over_ = false;  // nothing is held any more
  std::atomic<TrueTime> until_ = TrueTime::min();
  std::unique_ptr<Contention> contention_;  // in the loop's thread
  Executor executor_;
};

}  // namespace leasescope::client
