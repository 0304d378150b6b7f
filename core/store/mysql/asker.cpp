#include "core/store/mysql/asker.h"

#include <poll.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/store/resolver.h"
#include "core/store/socket.h"
#include "core/store/store.h"

namespace leasescope::mysql {
namespace {

using Done = tl::expected<void, Trouble>;
using std::chrono::milliseconds;

constexpr milliseconds kToShakeHands = std::chrono::duration_cast<milliseconds>(kConnectTimeout);

tl::unexpected<Trouble> trouble(const std::string& message) { return tl::unexpected(Trouble{0, message}); }

}  // namespace

Done Asker::connect(const StoreUrl& url) {
  const auto login = login_of(url);
  if (!login) return trouble(login.error());
  std::shared_ptr<const tls::Context> context;
  if (login->tls) {
    const auto made = tls::Context::of(*login->tls);
    if (!made) return trouble(made.error());
    context = *made;
  }
  const Addresses addresses = look_up_within(url.endpoint, patience_);
  if (!addresses) return trouble(addresses.error());
  Done connected;
  for (std::size_t i = 0; i < addresses->size(); ++i) {
    patience_.share(addresses->size() - i);
    connected = connect(url, *login, context, (*addresses)[i]);
    patience_.share_no_more();
    if (connected) break;
  }
  return connected;
}

Done Asker::connect(const StoreUrl& url, const Login& login, const std::shared_ptr<const tls::Context>& context,
                    const Endpoint& address) {
  const auto reached = reach(address);
  if (!reached) return tl::unexpected(reached.error());
  connection_ = std::make_unique<Connection>(url, login);
  way_.reset();
  if (context == nullptr) {
    close_line(*reached, true);
    return wait(connection_->connect(address));
  }
  way_ = std::make_unique<SealedWay>(*reached, context, url.endpoint.host);
  const auto door = way_->door();
  if (!door) return trouble(door.error());
  const int waits = connection_->connect(*door);
  if (!way_->entered()) return trouble("TLS cannot be used: the client library did not come to our own socket");
  patience_.at_most(kToShakeHands);
  auto done = wait(waits);
  const bool late = !done && done.error().error == 0 && way_->error().empty();
  if (late) return trouble(way_->why_ended(fmt::format("no connection within {}", format_duration(kToShakeHands))));
  return done;
}

// libmariadb closes the descriptor of a connection that is refused twice, and the second time it may be another
// thread's: it is not let try where nobody listens.
tl::expected<int, Trouble> Asker::reach(const Endpoint& address) const {
  const auto begun = begin_connect(address);
  if (!begun) return trouble(begun.error());
  pollfd ready{*begun, POLLOUT, 0};
  const std::string error = patience_.wait(ready) ? connect_error(*begun) : patience_.over();
  if (error.empty()) return *begun;
  close_line(*begun, true);
  return trouble(error);
}

Asker::Row Asker::ask(const std::string& sql) {
  if (auto done = wait(connection_->ask(sql)); !done) return tl::unexpected(done.error());
  return connection_->answer().row;
}

Done Asker::wait(int waits) {
  while (waits != 0) {
    const auto ready = wait_once(waits);
    if (!ready) return tl::unexpected(ready.error());
    if (*ready != 0) waits = connection_->go_on(*ready);
  }
  if (way_ != nullptr && !way_->error().empty()) return trouble(way_->error());
  const Answer& answer = connection_->answer();
  if (answer.error != 0) return tl::unexpected(Trouble{answer.error, answer.message});
  return {};
}

// What of the library's descriptor is ready; nothing, where only the way to the server had something to move.
tl::expected<int, Trouble> Asker::wait_once(int waits) {
  std::array<pollfd, 3> ready{};
  const auto asked = [](bool to_read, bool to_write) {
    return static_cast<short>((to_read ? POLLIN : 0) | (to_write ? POLLOUT : 0));
  };
  ready[0] = {connection_->descriptor(), asked((waits & Connection::kRead) != 0, (waits & Connection::kWrite) != 0), 0};
  if (way_ != nullptr) {
    way_->move();
    ready[1] = {way_->server(), asked(way_->hears_server(), way_->has_for_server()), 0};
    ready[2] = {way_->client(), asked(way_->hears_client(), way_->has_for_client()), 0};
  }
  if (!patience_.wait(ready.data(), way_ != nullptr ? ready.size() : 1)) {
    if (way_ != nullptr) way_->cut();
    connection_->cut();
    return trouble(patience_.over());
  }
  if (way_ != nullptr) way_->move();
  // A line that broke is both: whatever is waited for is told so.
  const short what = ready[0].revents;
  if ((what & (POLLERR | POLLHUP)) != 0) return waits;
  return ((what & POLLIN) != 0 ? Connection::kRead : 0) | ((what & POLLOUT) != 0 ? Connection::kWrite : 0);
}

}  // namespace leasescope::mysql
