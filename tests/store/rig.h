// A private server and clients of it that speak the store port, for the tests of the live stores.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/contend/driver/plain_names.h"
#include "core/loop/qt/qt_loop.h"
#include "core/store/types/types.h"
#include "simulator/live/fault_proxy.h"
#include "simulator/live/private_server.h"
#include "tests/support/event_wait.h"

namespace leasescope::tests {

using std::chrono::milliseconds;

inline std::unique_ptr<Store> make_store(QtLoop& loop, const StoreUrl& url, const StoreRoute& route, WireNames& names,
                                         StoreListener& listener, std::optional<Family> family = {}) {
  return url.type->make(loop, url, family.value_or(url.type->first_family()), route, milliseconds(1000), names,
                        listener);
}

inline auto probe(const StoreUrl& url, const std::vector<std::string>& mutexes = {},
                  std::optional<Family> family = {}) {
  return url.type->probe(url, family.value_or(url.type->first_family()), mutexes, {});
}

struct Told {
  Reply reply;
  TrueTime sent;
  TrueTime received;
  std::string error;
};

// One contender's adapter, by hand.
class Client final : public StoreListener {
 public:
  Client(QtLoop& loop, PlainNames& names, const StoreUrl& url, const std::string& id,
         std::optional<StoreRoute> route = {})
      : id_(names.intern(id)), names_(&names) {
    store_ = make_store(loop, url, route.value_or(StoreRoute{url.endpoint, url.endpoint}), names, *this);
    store_->connect();
  }

  bool connected() const { return store_->connected(); }
  bool connects(milliseconds within = milliseconds(5000)) {
    return wait_until([this] { return store_->connected(); }, within);
  }

  std::uint64_t send(RequestKind kind, const std::string& mutex, milliseconds lease = milliseconds(5000),
                     milliseconds timeout = milliseconds(2000)) {
    Request request;
    request.id = ++requests_;
    request.kind = kind;
    request.mutex = names_->intern(mutex);
    request.contender = id_;
    request.lease.ttl = lease / 2;
    request.lease.length = lease;
    request.timeout = timeout;
    request.lease.wire = wire;
    request.lease.wake_up = wake_up;
    request.lease.term = term;
    store_->send(request);
    return request.id;
  }
  Told ending_of(std::uint64_t id, milliseconds within = milliseconds(5000)) {
    const auto find = [&]() -> const Told* {
      for (const Told& each : told)
        if (each.reply.request == id) return &each;
      return nullptr;
    };
    wait_until([&] { return find() != nullptr; }, within);
    const Told* const found = find();
    return found != nullptr ? *found : Told{{}, {}, {}, "never told"};
  }
  Told ask(RequestKind kind, const std::string& mutex, milliseconds lease = milliseconds(5000)) {
    return ending_of(send(kind, mutex, lease));
  }

  std::string owner_in(const Told& each) const { return names_->text(each.reply.owner); }
  bool hears(StoreEventKind kind, const std::string& owner, milliseconds within = milliseconds(2000)) {
    return wait_until(
        [&] {
          for (const StoreEvent& event : events)
            if (event.kind == kind && names_->text(event.owner) == owner) return true;
          return false;
        },
        within);
  }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
    told.push_back({reply, sent, received, error});
    if (reply.done && reply.kind != RequestKind::kRelease) term = reply.token;
  }
  void on_store_event(const StoreEvent& event, TrueTime) override { events.push_back(event); }
  void on_connected() override { ++times_connected; }
  void on_disconnected(const std::string& reason) override { reasons.push_back(reason); }

  std::vector<Told> told;
  std::vector<StoreEvent> events;
  std::vector<std::string> reasons;
  int times_connected = 0;
  Wire wire = Wire::kTerm;
  WakeUp wake_up = WakeUp::kBroadcast;
  Token term = kNoToken;  // which the next guard or release means: the last one it was told

 private:
  Name id_;
  PlainNames* names_;
  std::unique_ptr<Store> store_;
  std::uint64_t requests_ = 0;
};

}  // namespace leasescope::tests
