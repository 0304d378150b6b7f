#include "core/store/mysql/asker.h"

#include <poll.h>

#include "core/store/resolver.h"
#include "core/store/socket.h"

namespace leasescope::mysql {

using Done = tl::expected<void, Trouble>;

Done Asker::connect(const StoreUrl& url) {
  const Addresses addresses = look_up_within(url.endpoint, patience_);
  if (!addresses) return tl::unexpected(Trouble{0, addresses.error()});
  Done connected;
  for (std::size_t i = 0; i < addresses->size(); ++i) {
    patience_.share(addresses->size() - i);
    connected = reach((*addresses)[i]);
    if (connected) {
      connection_ = std::make_unique<Connection>(url);
      connected = wait(connection_->connect((*addresses)[i]));
    }
    patience_.share_no_more();
    if (connected) break;
  }
  return connected;
}

// libmariadb closes the descriptor of a connection that is refused twice, and the second time it may be another
// thread's: it is not let try where nobody listens.
Done Asker::reach(const Endpoint& address) const {
  const auto begun = begin_connect(address);
  if (!begun) return tl::unexpected(Trouble{0, begun.error()});
  pollfd ready{*begun, POLLOUT, 0};
  const std::string error = patience_.wait(ready) ? connect_error(*begun) : patience_.over();
  close_line(*begun, true);
  if (error.empty()) return {};
  return tl::unexpected(Trouble{0, error});
}

Asker::Row Asker::ask(const std::string& sql) {
  if (auto done = wait(connection_->ask(sql)); !done) return tl::unexpected(done.error());
  return connection_->answer().row;
}

Done Asker::wait(int waits) {
  while (waits != 0) {
    pollfd ready{connection_->descriptor(), 0, 0};
    if ((waits & Connection::kRead) != 0) ready.events |= POLLIN;
    if ((waits & Connection::kWrite) != 0) ready.events |= POLLOUT;
    if (!patience_.wait(ready)) {
      connection_->cut();
      return tl::unexpected(Trouble{0, patience_.over()});
    }
    // A line that broke is both: whatever is waited for is told so.
    const bool ends = (ready.revents & (POLLERR | POLLHUP)) != 0;
    waits = connection_->go_on(ends ? waits
                                    : ((ready.revents & POLLIN) != 0 ? Connection::kRead : 0) |
                                          ((ready.revents & POLLOUT) != 0 ? Connection::kWrite : 0));
  }
  const Answer& answer = connection_->answer();
  if (answer.error != 0) return tl::unexpected(Trouble{answer.error, answer.message});
  return {};
}

}  // namespace leasescope::mysql
