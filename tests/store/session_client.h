// One contender's adapter to a live store of fenced locks, by hand.
#pragma once
#include <map>

#include "tests/store/rig.h"

namespace leasescope::tests {

class SessionClient final : public StoreListener {
 public:
  SessionClient(QtLoop& loop, PlainNames& names, const StoreUrl& url, const std::string& id, const std::string& mutex)
      : SessionClient(loop, names, url, id, mutex, StoreRoute{url.endpoint, url.endpoint}) {}
  SessionClient(QtLoop& loop, PlainNames& names, const StoreUrl& url, const std::string& id, const std::string& mutex,
                const StoreRoute& route)
      : id_(names.intern(id)), mutex_(names.intern(mutex)) {
    store_ = make_store(loop, url, route, names, *this, Family::kSession);
    store_->connect();
  }

  bool connects() {
    return wait_until([this] { return store_->connected(); }, milliseconds(10000));
  }
  Request request(RequestKind kind, std::uint64_t uid = 0, Duration wait = Duration::zero()) {
    Request out;
    out.id = ++requests_;
    out.kind = kind;
    out.mutex = mutex_;
    out.contender = id_;
    out.timeout = timeout;
    out.session = {session, uid, wait, thread};
    return out;
  }
  std::uint64_t send(const Request& request) {
    store_->send(request);
    return request.id;
  }
  std::uint64_t send(RequestKind kind, std::uint64_t uid = 0, Duration wait = Duration::zero()) {
    return send(request(kind, uid, wait));
  }
  const Told* find(std::uint64_t id) const {
    const auto found = told.find(id);
    return found == told.end() ? nullptr : &found->second;
  }
  Told ending_of(std::uint64_t id, milliseconds within = milliseconds(6000)) {
    wait_until([&] { return find(id) != nullptr; }, within);
    const Told* const found = find(id);
    return found != nullptr ? *found : Told{{}, {}, {}, "never told"};
  }
  Told ask(RequestKind kind, std::uint64_t uid = 0, Duration wait = Duration::zero()) {
    return ending_of(send(kind, uid, wait));
  }
  Told open(Duration ttl = milliseconds(5000)) {
    Told out = ask(RequestKind::kOpenSession, 0, ttl);
    session = out.reply.number;
    return out;
  }
  Told lock(std::uint64_t uid) { return ask(RequestKind::kLock, uid, Duration::max()); }
  Told try_lock(std::uint64_t uid, Duration wait = Duration::zero()) { return ask(RequestKind::kLock, uid, wait); }
  Told unlock(std::uint64_t uid) { return ask(RequestKind::kUnlock, uid); }
  // A lock that the server has told to wait.
  std::uint64_t waits(std::uint64_t uid, Duration wait = Duration::max()) {
    const std::uint64_t id = send(RequestKind::kLock, uid, wait);
    ask(RequestKind::kQuery);
    return id;
  }

  Name id() const { return id_; }
  Name mutex() const { return mutex_; }
  Store& store() { return *store_; }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
    told[reply.request] = {reply, sent, received, error};
  }
  void on_store_event(const StoreEvent&, TrueTime) override {}
  void on_connected() override {}
  void on_disconnected(const std::string&) override {}

  std::map<std::uint64_t, Told> told;  // by request
  std::uint64_t session = 0;
  std::uint32_t thread = 1;
  Duration timeout = milliseconds(8000);

 private:
  Name id_;
  Name mutex_;
  std::unique_ptr<Store> store_;
  std::uint64_t requests_ = 0;
};

inline SessionAnswer answer_in(const Told& each) { return static_cast<SessionAnswer>(each.reply.answer); }

}  // namespace leasescope::tests
