#include <condition_variable>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "core/contend/client/leader_parts.h"
#include "core/contend/client/next_beginning.h"

namespace leasescope::client {

using std::chrono::steady_clock;

LeaderScheduler::Parts::Parts(std::shared_ptr<Client::Parts> client, const std::string& mutex, const Terms& terms,
                              Schedule when, LeaderWork what)
    : schedule(when),
      work(std::move(what)),
      contender(std::move(client), mutex, terms,
                {[this](const Term& term) {
                   worker =
                       std::jthread([this, term](const std::stop_token& stop) { work_while_it_leads(term, stop); });
                 },
                 [this](const Term&, End) {
                   worker.request_stop();
                   if (worker.joinable()) worker.join();
                 },
                 [this](const std::string& words) { tell(words); }}) {}

void LeaderScheduler::Parts::tell(const std::string& words) {
  std::function<void(const std::string&)> callback;
  {
    const std::lock_guard lock(guard);
    callback = trouble;
  }
  if (callback) callback(words);
}

void LeaderScheduler::Parts::work_while_it_leads(const Term& term, const std::stop_token& stop) {
  at_work = std::this_thread::get_id();
  std::mutex mutex;
  std::condition_variable_any over;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested() && contender.owns()) {
    const auto began = steady_clock::now();
    work_once(term, stop);
    const auto next = next_beginning(schedule, began.time_since_epoch(), steady_clock::now().time_since_epoch());
    over.wait_until(lock, stop, steady_clock::time_point(next), [] { return false; });
  }
  at_work = std::thread::id{};
}

void LeaderScheduler::Parts::stop() { is_at_work() ? contender.begin_to_stop() : contender.stop(); }

void LeaderScheduler::Parts::work_once(const Term& term, const std::stop_token& stop) {
  try {
    work(term, stop);
  } catch (const std::exception& error) {
    tell(fmt::format("the work failed: {}", error.what()));
  } catch (...) {
    tell("the work failed");
  }
}

LeaderScheduler::LeaderScheduler(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}
LeaderScheduler::LeaderScheduler(LeaderScheduler&&) noexcept = default;
LeaderScheduler& LeaderScheduler::operator=(LeaderScheduler&&) noexcept = default;
LeaderScheduler::~LeaderScheduler() = default;

void LeaderScheduler::start() { parts_->contender.start(); }
void LeaderScheduler::stop() { parts_->stop(); }
bool LeaderScheduler::leads() const { return parts_->contender.owns(); }
void LeaderScheduler::on_trouble(std::function<void(const std::string&)> callback) {
  const std::lock_guard lock(parts_->guard);
  parts_->trouble = std::move(callback);
}

}  // namespace leasescope::client
