#include "core/store/zookeeper/asker.h"

#include <poll.h>

#include <algorithm>

#include "core/store/resolver.h"
#include "core/store/server_walk.h"

namespace leasescope::zookeeper {

using std::chrono::milliseconds;

Asker::~Asker() {
  if (session_ != nullptr && told_ && state_ == Session::State::kStands) session_->close();
}

Asker::Found<void> Asker::connect(const StoreUrl& url) {
  const std::vector<Endpoint> servers = servers_of(url);
  std::string errors;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const Found<void> connected = connect(url, servers[i], servers.size() - 1 - i);
    if (connected) return {};
    errors += (errors.empty() ? "" : "; ") + connected.error();
  }
  return tl::unexpected(errors);
}

Asker::Found<void> Asker::connect(const StoreUrl& url, const Session::Identity& other) {
  other_ = other;
  return connect(url);
}

Asker::Found<void> Asker::connect(const StoreUrl& url, const Endpoint& server, std::size_t others) {
  patience_.share(1 + others);
  const Addresses addresses = look_up_within(server, patience_);
  if (!addresses) return tl::unexpected(addresses.error());
  Found<void> connected;
  for (std::size_t i = 0; i < addresses->size(); ++i) {
    patience_.share(addresses->size() - i + others);
    told_ = false;
    session_ =
        std::make_unique<Session>(url, (*addresses)[i], std::chrono::seconds(10), other_, [this](Session::State state) {
          state_ = state;
          told_ = true;
        });
    connected = until([this] { return told_; });
    patience_.share_no_more();
    if (connected) break;
  }
  return connected;
}

Asker::Found<void> Asker::until(const std::function<bool()>& so) {
  while (!so()) {
    if (told_ && state_ == Session::State::kRefused) return tl::unexpected<std::string>("the server refused the login");
    if (told_ && state_ != Session::State::kStands) return tl::unexpected(session_->trouble());
    const milliseconds left = patience_.left();
    if (left.count() <= 0) return tl::unexpected(patience_.over());
    const Session::Waits waits = session_->waits();
    pollfd ready{waits.descriptor, 0, 0};
    if (waits.read) ready.events |= POLLIN;
    if (waits.write) ready.events |= POLLOUT;
    const auto most = std::min<Duration>(std::min(left, Patience::kHeard), waits.at_most + milliseconds(1));
    ::poll(&ready, waits.descriptor < 0 ? 0 : 1, static_cast<int>(most / milliseconds(1)));
    const bool broke = (ready.revents & (POLLERR | POLLHUP)) != 0;
    session_->process(broke || (ready.revents & POLLIN) != 0, (ready.revents & POLLOUT) != 0);
  }
  if (told_ && state_ == Session::State::kStands) return {};
  return tl::unexpected<std::string>(state_ == Session::State::kRefused ? "the server refused the login"
                                                                        : session_->trouble());
}

Asker::Found<std::vector<std::string>> Asker::list(const std::string& path) {
  const auto found = std::make_shared<std::optional<Found<std::vector<std::string>>>>();
  session_->list(path, [found](Outcome outcome, const NodeList& list, const std::string& error) {
    *found = list.names;
    if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) *found = tl::unexpected(error);
  });
  return answer(found);
}

Asker::Found<NodeFacts> Asker::look(const std::string& path) {
  const auto found = std::make_shared<std::optional<Found<NodeFacts>>>();
  session_->look(path, [found](Outcome outcome, const NodeFacts& facts, const std::string& error) {
    *found = facts;
    if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) *found = tl::unexpected(error);
  });
  return answer(found);
}

Asker::Found<std::string> Asker::create(const std::string& path, const std::string& data, Session::Kind kind) {
  const auto made = std::make_shared<std::optional<Found<std::string>>>();
  session_->create(path, data, kind,
                   [made, kind](Outcome outcome, const std::string& as, std::int64_t, const std::string& error) {
                     *made = as;
                     const bool there = outcome == Outcome::kNodeExists && kind == Session::Kind::kContainer;
                     if (outcome != Outcome::kOk && !there) *made = tl::unexpected(error);
                   });
  return answer(made);
}

Asker::Found<void> Asker::remove(const std::string& path) {
  const auto removed = std::make_shared<std::optional<Found<bool>>>();
  session_->remove(path, [removed](Outcome outcome, const std::string& error) {
    *removed = outcome == Outcome::kOk;
    if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) *removed = tl::unexpected(error);
  });
  const auto answered = answer(removed);
  if (!answered) return tl::unexpected(answered.error());
  return {};
}

}  // namespace leasescope::zookeeper
