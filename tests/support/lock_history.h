// A long history of calls as a lock service would leave it: ten clients that wait for each other, long calls, here and
// there an outcome that nobody knows.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/base/random_stream.h"
#include "core/check/check.h"

namespace leasescope::tests {

class LockHistory {
 public:
  LockHistory(check::Model model, std::uint32_t unknown_ppm) : model_(model), unknown_ppm_(unknown_ppm) {
    mutex_ = made_.names.intern("orders");
    for (std::size_t i = 0; i < clients_.size(); ++i) clients_[i].name = made_.names.intern(fmt::format("c{}", i + 1));
  }

  // So many calls. Legal, by the way it is made.
  check::Calls make(std::size_t count) {
    while (made_.calls.size() < count) {
      now_ += 1 + below(40);
      Client& client = clients_[below(static_cast<std::uint32_t>(clients_.size()))];
      if (now_ > client.returned) act(client);
    }
    std::sort(made_.calls.begin(), made_.calls.end(),
              [](const check::Call& a, const check::Call& b) { return a.called < b.called; });
    return made_;
  }

 private:
  struct Client {
    Name name;
    std::int64_t returned = 0;
    std::uint32_t held = 0;  // by the service
    bool reads = false;
    bool lost = false;  // it does not know that it holds
  };

  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(draws_.below(bound)); }

  Operation take(const Client&) {
    if (model_.kind == check::ModelKind::kSemaphore) return Operation::kAcquire;
    if (model_.kind != check::ModelKind::kReadWrite) return Operation::kLock;
    return below(4) > 0 ? Operation::kReadLock : Operation::kWriteLock;
  }
  Operation give(const Client& client) {
    if (client.lost) return Operation::kExpire;
    if (model_.kind == check::ModelKind::kSemaphore) return Operation::kRelease;
    if (model_.kind != check::ModelKind::kReadWrite) return Operation::kUnlock;
    return client.reads ? Operation::kReadUnlock : Operation::kWriteUnlock;
  }

  void act(Client& client) {
    using enum check::ModelKind;
    const bool again = (model_.kind == kReentrant || model_.kind == kReentrantFenced) && client.held == 1;
    check::Call call;
    call.mutex = mutex_;
    call.process = call.client = client.name;
    call.f = client.held == 0 || (again && !client.lost && below(3) == 0) ? take(client) : give(client);
    if (model_.kind == kLease && check::takes(call.f)) call.ttl = 2'000;
    const bool fenced = model_.kind == kFenced || model_.kind == kReentrantFenced;
    if (fenced && check::takes(call.f)) call.fence = client.held == 0 ? fence_ + 1 : fence_;
    call.called.ns = call.returned.ns = now_;
    check::State after = state_;
    const bool unknown = call.f != Operation::kExpire && draws_.chance_ppm(unknown_ppm_);
    const bool effect = !unknown || below(2) == 0;
    if (effect && !check::step(model_, after, call)) return;  // it waits
    call.called.ns = std::max(client.returned + 1, now_ - below(check::takes(call.f) ? 400 : 20));
    call.returned.ns = now_ + below(20);
    client.returned = call.returned.ns;
    if (unknown) {
      call.ending = Ending::kUnknown;
      call.returned = check::kNever;
      if (!check::takes(call.f)) client.lost = true;
    }
    call.called.place = 2 * static_cast<std::int64_t>(made_.calls.size());
    if (!unknown) call.returned.place = call.called.place + 1;
    if (effect) {
      state_ = after;
      fence_ = std::max(fence_, call.fence);
      client.held = check::takes(call.f) ? client.held + 1 : call.f == Operation::kExpire ? 0 : client.held - 1;
      if (check::takes(call.f)) client.lost = unknown;
      client.reads = call.f == Operation::kReadLock;
    }
    if (client.held == 0) client.lost = false;
    if (unknown) call.fence = kNoToken;
    made_.calls.push_back(call);
  }

  const check::Model model_;
  const std::uint32_t unknown_ppm_;
  RandomStream draws_{1, "calls", "service"};
  check::Calls made_;
  check::State state_;
  Token fence_ = 0;
  std::int64_t now_ = 0;
  Name mutex_;
  std::array<Client, 10> clients_;
};

}  // namespace leasescope::tests
