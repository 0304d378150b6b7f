// Small random histories of calls for the checkers: some that a lock made, and some with a thing wrong in them.
#pragma once
#include <algorithm>
#include <vector>

#include "core/base/random_stream.h"
#include "core/check/check.h"

namespace leasescope::tests {

class CallHistories {
 public:
  CallHistories(check::ModelKind kind, std::uint64_t seed)
      : draws_(seed, check::text(kind), "calls"), model_{kind, 1 + below(2), kind == check::ModelKind::kLease ? 1 : 0} {
    mutex_ = made_.names.intern("orders");
    for (const char* name : {"a", "b", "c"}) clients_.push_back(made_.names.intern(name));
  }

  const check::Model& model() const { return model_; }

  // At most `most` calls; each client's may overlap.
  check::Calls next(std::uint32_t most) {
    check::Calls out = made_;
    check::State state;
    std::int64_t now = 0;
    const std::uint32_t wanted = 1 + below(most);
    for (int tries = 0; tries < 60 && out.calls.size() < wanted; ++tries) {
      now += below(3);
      check::Call call = one(now);
      if (!check::step(model_, state, call)) continue;
      widen(call, now);
      out.calls.push_back(call);
    }
    if (below(2) == 0 && !out.calls.empty()) spoil(out.calls);
    std::int64_t place = 0;
    for (check::Call& call : out.calls) {
      call.called.place = below(2) == 0 ? 0 : ++place;
      call.returned.place = below(2) == 0 ? INT64_MAX : ++place;
      if (call.returned < call.called) call.returned = call.called;
      if (call.ending == Ending::kUnknown) call.returned = check::kNever;
    }
    return out;
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(draws_.below(bound)); }

  Operation operation() {
    using enum check::ModelKind;
    constexpr Operation kOwned[] = {Operation::kLock,    Operation::kLock,   Operation::kUnlock, Operation::kUnlock,
                                    Operation::kTryLock, Operation::kExpire, Operation::kRenew};
    constexpr Operation kShared[] = {Operation::kReadLock,    Operation::kReadUnlock, Operation::kWriteLock,
                                     Operation::kWriteUnlock, Operation::kReadLock,   Operation::kExpire};
    constexpr Operation kPermits[] = {Operation::kAcquire, Operation::kAcquire, Operation::kRelease,
                                      Operation::kRelease, Operation::kExpire};
    if (model_.kind == kReadWrite) return kShared[below(6)];
    if (model_.kind == kSemaphore) return kPermits[below(5)];
    return kOwned[below(7)];
  }

  check::Call one(std::int64_t now) {
    check::Call call;
    call.mutex = mutex_;
    call.process = call.client = clients_[below(3)];
    call.f = operation();
    const bool fenced = model_.kind == check::ModelKind::kFenced || model_.kind == check::ModelKind::kReentrantFenced;
    if (fenced && check::takes(call.f) && below(4) > 0) call.fence = 1 + below(8);
    if (model_.kind == check::ModelKind::kSemaphore) call.permits = 1 + below(2);
    if (model_.kind == check::ModelKind::kLease && (check::takes(call.f) || call.f == Operation::kRenew)) {
      if (below(2) == 0)
        call.ttl = 1 + below(5);
      else
        call.deadline = now + below(6);
    }
    call.called.ns = call.returned.ns = now;
    return call;
  }

  void widen(check::Call& call, std::int64_t now) {
    call.called.ns = std::max<std::int64_t>(0, now - below(4));
    call.returned.ns = now + below(4);
    if (below(5) == 0) call.ending = Ending::kUnknown;
  }

  void spoil(std::vector<check::Call>& calls) {
    const std::size_t place = below(static_cast<std::uint32_t>(calls.size()));
    check::Call& call = calls[place];
    switch (below(4)) {
      case 0:
        call.client = clients_[below(3)];
        break;
      case 1:
        if (call.fence != 0) call.fence = 1 + below(8);
        call.called.ns = call.returned.ns = below(10);
        break;
      case 2:
        calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(place));
        break;
      default:
        calls.push_back(one(below(10)));
    }
  }

  RandomStream draws_;
  check::Model model_;
  check::Calls made_;
  Name mutex_;
  std::vector<Name> clients_;
};

}  // namespace leasescope::tests
