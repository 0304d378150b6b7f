#include "core/store/zookeeper/session.h"

#include <sys/socket.h>
#include <unistd.h>
#include <zookeeper/zookeeper.h>

#include <cstring>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace leasescope::zookeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

Outcome outcome_of(int code) {
  switch (code) {
    case ZOK:
      return Outcome::kOk;
    case ZNONODE:
      return Outcome::kNoNode;
    case ZNODEEXISTS:
      return Outcome::kNodeExists;
    case ZCONNECTIONLOSS:
    case ZOPERATIONTIMEOUT:
    case ZCLOSING:
    case ZINVALIDSTATE:
    case ZSESSIONEXPIRED:
    case ZSESSIONMOVED:
      return Outcome::kLineLost;
    default:
      return Outcome::kRefused;
  }
}

std::string error_of(int code) { return code == ZOK ? std::string() : zerror(code); }

// As the library reads it: an address, its port, and the path that everything lies under.
std::string host_of(const Endpoint& address, const StoreUrl& url) {
  const bool v6 = address.host.find(':') != std::string::npos;
  return fmt::format("{}:{}{}", v6 ? "[" + address.host + "]" : address.host, address.port,
                     url.database.empty() ? "" : "/" + url.database);
}

}  // namespace

struct Session::Callbacks {
  // What a call was made with, until it is answered.
  template <class Function>
  struct Asked {
    Session* session;
    Function function;
  };
  template <class Function>
  static Asked<Function>* asked(Session& session, Function function) {
    ++session.asked_;
    return new Asked<Function>{&session, std::move(function)};
  }
  template <class Function>
  static Function taken(const void* kept) {
    const std::unique_ptr<Asked<Function>> of(static_cast<Asked<Function>*>(const_cast<void*>(kept)));
    --of->session->asked_;
    return std::move(of->function);
  }

  static void watched(zhandle_t*, int type, int, const char*, void* session) {
    if (type == ZOO_SESSION_EVENT) static_cast<Session*>(session)->follow();
  }
  static void made(int code, const char* path, const Stat* stat, const void* kept) {
    const bool ok = code == ZOK && path != nullptr && stat != nullptr;
    taken<Made>(kept)(outcome_of(code), ok ? path : "", ok ? stat->czxid : 0, error_of(code));
  }
  static void listed(int code, const String_vector* names, const Stat* stat, const void* kept) {
    NodeList out;
    for (int i = 0; code == ZOK && names != nullptr && i < names->count; ++i) out.names.emplace_back(names->data[i]);
    // Where no child ever was the number is that of the folder's own making.
    if (code == ZOK && stat != nullptr && stat->cversion != 0) out.changed = static_cast<std::uint64_t>(stat->pzxid);
    taken<Listed>(kept)(outcome_of(code), out, error_of(code));
  }
  static void looked(int code, const char* value, int size, const Stat* stat, const void* kept) {
    NodeFacts facts;
    if (code == ZOK && stat != nullptr) {
      facts.owner = stat->ephemeralOwner;
      facts.czxid = stat->czxid;
      if (value != nullptr && size > 0) facts.data.assign(value, static_cast<std::size_t>(size));
    }
    taken<Looked>(kept)(outcome_of(code), facts, error_of(code));
  }
  static void measured(int code, const Stat* stat, const void* kept) {
    const bool ok = code == ZOK && stat != nullptr;
    taken<Measured>(kept)(outcome_of(code), ok ? NodeSize{stat->numChildren, stat->dataLength} : NodeSize{},
                          error_of(code));
  }
  static void done(int code, const void* kept) { taken<Done>(kept)(outcome_of(code), error_of(code)); }
  static void caught_up(int code, const char*, const void* kept) { done(code, kept); }
  // A watch is called for its node once, and for each change of the connection before that.
  static void gone(zhandle_t*, int type, int, const char*, void* kept) {
    if (type == ZOO_SESSION_EVENT) return;
    Session& session = *static_cast<Watch*>(kept)->session;
    const auto watch = session.watches_.extract(kept);
    if (!watch.empty()) watch.mapped()->gone();
  }
};

Session::Session(const StoreUrl& url, const Endpoint& address, Duration span, const Identity& from, OnState on_state)
    : on_state_(std::move(on_state)), with_login_(!url.user.empty()), comes_back_(from.id != 0) {
  zoo_set_debug_level(static_cast<ZooLogLevel>(0));
  clientid_t id{};
  id.client_id = from.id;
  std::memcpy(id.passwd, from.password.data(), sizeof(id.passwd));
  handle_ = zookeeper_init(host_of(address, url).c_str(), Callbacks::watched, static_cast<int>(span / milliseconds(1)),
                           from.id == 0 ? nullptr : &id, this, 0);
  if (handle_ == nullptr) return;
  // It has an address and no name, and would have it looked up again before each wait.
  zoo_set_servers_resolution_delay(handle_, -1);
  if (url.user.empty()) return;
  const std::string login = url.user + ":" + url.password;
  zoo_add_auth(handle_, "digest", login.data(), static_cast<int>(login.size()), nullptr, nullptr);
}

Session::~Session() {
  forget();
  if (handle_ == nullptr) return;
  // On a connection that stands it would close the session. Its descriptor leads nowhere from here on; what has come
  // and was not read is nobody's.
  if (waits().descriptor >= 0) {
    const int nowhere = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ::dup2(nowhere, descriptor_);
    ::close(nowhere);
    zookeeper_process(handle_, ZOOKEEPER_READ);
  }
  zookeeper_close(handle_);
}

Session::Waits Session::waits() {
  Waits out;
  if (handle_ == nullptr) return out;
  int interest = 0;
  timeval at_most{};
  const int code = zookeeper_interest(handle_, &out.descriptor, &interest, &at_most);
  out.read = (interest & ZOOKEEPER_READ) != 0;
  out.write = (interest & ZOOKEEPER_WRITE) != 0;
  out.at_most = seconds(at_most.tv_sec) + microseconds(at_most.tv_usec);
  failed_ = code != ZOK;
  if (failed_) out = Waits();
  descriptor_ = out.descriptor;
  return out;
}

void Session::process(bool can_read, bool can_write) {
  if (handle_ == nullptr || failed_) return tell(State::kLost);
  if (!may_read(can_read)) {
    trouble_ = "the server said what no ZooKeeper says";
    return tell(State::kLost);
  }
  const int code = zookeeper_process(handle_, (can_read ? ZOOKEEPER_READ : 0) | (can_write ? ZOOKEEPER_WRITE : 0));
  follow();
  // The library would try again by itself; when that is due is its holder's to say.
  if (code != ZOK && code != ZNOTHING) tell(State::kLost);
}

bool Session::may_read(bool& can_read) {
  const int state = zoo_state(handle_);
  const bool greeted = state == ZOO_CONNECTED_STATE;
  if (!can_read || descriptor_ < 0 || (!greeted && state != ZOO_ASSOCIATING_STATE)) return true;
  const LookAhead::Found found = look_ahead_.at(descriptor_, greeted, asked_);
  can_read = found == LookAhead::Found::kFrame;
  return found != LookAhead::Found::kNoise;
}

void Session::follow() {
  const int state = zoo_state(handle_);
  if (state == ZOO_CONNECTED_STATE) {
    if (std::exchange(comes_back_, false)) catch_up();
    return tell(State::kStands);
  }
  if (state == ZOO_EXPIRED_SESSION_STATE) return tell(State::kOver);
  if (state == ZOO_AUTH_FAILED_STATE) return tell(State::kRefused);
  if (told_ == State::kStands) tell(State::kLost);
}

// Another server of the ensemble may be behind the last one: what is asked after this sees all that was answered there.
void Session::catch_up() {
  auto* const kept = Callbacks::asked(*this, Done([](Outcome, const std::string&) {}));
  const int code = zoo_async(handle_, "/", Callbacks::caught_up, kept);
  if (code != ZOK) Callbacks::done(code, kept);
}

void Session::tell(State state) {
  if (told_ && (*told_ != State::kStands || state == State::kStands)) return;
  // The library does not say which.
  if (trouble_.empty()) trouble_ = told_ ? "the connection is lost" : "it takes no connection, or ends it at once";
  told_ = state;
  on_state_(state);
}

Session::Identity Session::identity() const {
  Identity out;
  const clientid_t* const id = zoo_client_id(handle_);
  out.id = id->client_id;
  std::memcpy(out.password.data(), id->passwd, sizeof(id->passwd));
  return out;
}

Duration Session::length() const { return milliseconds(zoo_recv_timeout(handle_)); }

// The library would wait for the answer, up to 1.5 s and with it the loop: it finds the connection read to its end.
void Session::close() {
  forget();
  if (waits().descriptor >= 0) ::shutdown(descriptor_, SHUT_RD);
  zookeeper_close(std::exchange(handle_, nullptr));
}

void Session::create(const std::string& path, const std::string& data, Kind kind, Made made) {
  auto* const kept = Callbacks::asked(*this, std::move(made));
  const ACL_vector rights = with_login_ ? ZOO_CREATOR_ALL_ACL : ZOO_OPEN_ACL_UNSAFE;
  const int code =
      zoo_acreate2(handle_, path.c_str(), data.data(), static_cast<int>(data.size()), &rights,
                   kind == Kind::kContainer ? ZOO_CONTAINER : ZOO_EPHEMERAL_SEQUENTIAL, Callbacks::made, kept);
  if (code != ZOK) Callbacks::made(code, nullptr, nullptr, kept);
}

void* Session::watch(Gone gone) {
  auto watch = std::make_unique<Watch>(Watch{this, std::move(gone)});
  void* const place = watch.get();
  watches_[place] = std::move(watch);
  return place;
}

void Session::list(const std::string& path, Listed listed, Gone changed) {
  auto* const kept = Callbacks::asked(*this, std::move(listed));
  const int code = changed ? zoo_awget_children2(handle_, path.c_str(), Callbacks::gone, watch(std::move(changed)),
                                                 Callbacks::listed, kept)
                           : zoo_aget_children2(handle_, path.c_str(), 0, Callbacks::listed, kept);
  if (code != ZOK) Callbacks::listed(code, nullptr, nullptr, kept);
}

void Session::look(const std::string& path, Looked looked, Gone gone) {
  auto* const kept = Callbacks::asked(*this, std::move(looked));
  const int code =
      gone ? zoo_awget(handle_, path.c_str(), Callbacks::gone, watch(std::move(gone)), Callbacks::looked, kept)
           : zoo_aget(handle_, path.c_str(), 0, Callbacks::looked, kept);
  if (code != ZOK) Callbacks::looked(code, nullptr, 0, nullptr, kept);
}

void Session::measure(const std::string& path, Measured measured) {
  auto* const kept = Callbacks::asked(*this, std::move(measured));
  const int code = zoo_aexists(handle_, path.c_str(), 0, Callbacks::measured, kept);
  if (code != ZOK) Callbacks::measured(code, nullptr, kept);
}

void Session::remove(const std::string& path, Done done) {
  auto* const kept = Callbacks::asked(*this, std::move(done));
  const int code = zoo_adelete(handle_, path.c_str(), -1, Callbacks::done, kept);
  if (code != ZOK) Callbacks::done(code, kept);
}

}  // namespace leasescope::zookeeper
