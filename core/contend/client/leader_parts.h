// What a leader scheduler is made of: a contender, and a thread of work while it leads.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/contend/client/contender_parts.h"

namespace leasescope::client {

struct LeaderScheduler::Parts {
  Parts(std::shared_ptr<Client::Parts> client, const std::string& mutex, const Terms& terms, Schedule when,
        LeaderWork what);

  void tell(const std::string& trouble);
  // From its work it only begins to.
  void stop();
  bool in_callback() const { return is_at_work() || contender.in_callback(); }

  const Schedule schedule;
  const LeaderWork work;
  std::mutex guard;
  std::function<void(const std::string&)> trouble;  // under the guard
  std::jthread worker;                              // in the thread of the callbacks
  std::atomic<std::thread::id> at_work{};           // the worker's
  Contender::Parts contender;

 private:
  bool is_at_work() const { return at_work.load() == std::this_thread::get_id(); }
  void work_while_it_leads(const Term& term, const std::stop_token& stop);
  void work_once(const Term& term, const std::stop_token& stop);
};

}  // namespace leasescope::client
