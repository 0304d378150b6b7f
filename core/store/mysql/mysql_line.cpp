#include "core/store/mysql/mysql_line.h"

#include <utility>

#include "core/store/socket.h"

namespace leasescope::mysql {

MysqlLine::MysqlLine(Loop& loop, const StoreUrl& url, const Endpoint& endpoint, std::vector<std::string> session,
                     Events events, std::function<void(const Answer&)> set_up)
    : Line(loop, endpoint, std::move(events)),
      url_(url),
      session_(std::move(session)),
      set_up_(std::move(set_up)),
      addresses_(resolver_, endpoint_),
      connector_(loop, resolver_),
      over_(loop) {}

MysqlLine::~MysqlLine() { drop(false); }

void MysqlLine::begin() {
  error_ = 0;
  const auto login = login_of(url_);
  if (!login) return abandon(login.error());
  if (login->tls) {
    const auto made = tls::Context::of(*login->tls);
    if (!made) return abandon(made.error());
    context_ = *made;
  } else {
    context_.reset();
  }
  addresses_.next([this, login = *login](const tl::expected<Endpoint, std::string>& address) {
    if (!address) return abandon(address.error());
    // Whether somebody listens there: see Asker::reach.
    connector_.connect(*address, [this, login, to = *address](const tl::expected<int, std::string>& reached) {
      reached ? on_reached(*reached, to, login) : abandon(reached.error());
    });
  });
}

void MysqlLine::on_reached(int descriptor, const Endpoint& address, const Login& login) {
  connection_ = std::make_unique<Connection>(url_, login);
  connecting_ = true;
  if (context_ != nullptr) return enter(descriptor);
  close_line(descriptor, true);
  begun(connection_->connect(address));
}

void MysqlLine::enter(int descriptor) {
  way_ = std::make_unique<SealedWay>(descriptor, context_, url_.endpoint.host);
  const auto door = way_->door();
  if (!door) return abandon(door.error());
  const int waits = connection_->connect(*door);
  if (!way_->entered()) return abandon("TLS cannot be used: the client library did not come to our own socket");
  begun(waits);
}

void MysqlLine::set_up() {
  for (const std::string& sql : session_)
    statements_.push_back({sql, {}, [this](const Answer& answer) { on_set_up(answer); }});
  begin_next();
}

void MysqlLine::on_set_up(const Answer& answer) {
  error_ = answer.error;
  if (answer.error != 0) return abandon(answer.message);
  if (!statements_.empty()) return;
  set_up_(answer);
  proven();
  addresses_.arrived();
  stands();
}

bool MysqlLine::run(Statement statement) {
  if (!up()) return false;
  statements_.push_back(std::move(statement));
  if (!busy_) begin_next();
  return true;
}

void MysqlLine::begin_next() {
  if (statements_.empty()) return watch(Connection::kRead);
  busy_ = true;
  if (statements_.front().sent) statements_.front().sent();
  begun(connection_->ask(statements_.front().sql));
}

// Over at once or not, its end is told from the loop: whoever asked is still in the midst of asking.
void MysqlLine::begun(int waits) {
  watch(waits);
  if (waits == 0) over_.arm(Duration::zero(), [this] { finish(); });
  // At once, not at the next turn: what is between the decision and the wire is missing from the lease.
  if (way_ != nullptr) move();
}

void MysqlLine::on_ready(int what) {
  if (!connecting_ && !busy_) return abandon("the server closed the connection");
  const int waits = connection_->go_on(what);
  watch(waits);
  if (waits == 0) return finish();
  if (way_ != nullptr) move();
}

void MysqlLine::finish() {
  if (connection_->broken()) return abandon(why_broken());
  if (std::exchange(connecting_, false)) {
    if (connection_->answer().error != 0) return abandon(why_broken());
    return set_up();
  }
  busy_ = false;
  const Answer answer = connection_->answer();
  const Statement done = std::move(statements_.front());
  statements_.pop_front();
  // What it had begun holds its row until then.
  if (answer.error != 0) statements_.push_front({"rollback", {}, {}});
  if (done.done) done.done(answer);
  if (connection_ != nullptr && !busy_) begin_next();
}

void MysqlLine::drop(bool hard) {
  addresses_.cancel();
  connector_.cancel();
  over_.cancel();
  watch(0);
  statements_.clear();
  busy_ = connecting_ = false;
  for (Loop::WatchId& each : way_watches_) loop_->unwatch(std::exchange(each, 0));
  if (hard && way_ != nullptr) way_->cut();
  if (hard && connection_ != nullptr) connection_->cut();
  connection_.reset();
  way_.reset();  // after the library's good-bye
}

std::string MysqlLine::why_broken() {
  if (way_ != nullptr && !way_->error().empty()) return way_->error();
  error_ = connection_->answer().error;
  return connection_->answer().message;
}

std::string MysqlLine::in_vain() const {
  const std::string why = Line::in_vain();
  return way_ != nullptr ? way_->why_ended(why) : why;
}

void MysqlLine::watch(int waits) {
  loop_->unwatch(std::exchange(reads_, 0));
  loop_->unwatch(std::exchange(writes_, 0));
  const auto when = [&](int what, Readiness readiness) {
    if ((waits & what) == 0) return Loop::WatchId{0};
    return loop_->watch(connection_->descriptor(), readiness, [this, what] { on_ready(what); });
  };
  reads_ = when(Connection::kRead, Readiness::kRead);
  writes_ = when(Connection::kWrite, Readiness::kWrite);
}

void MysqlLine::move() {
  way_->move();
  if (!way_->error().empty()) return abandon(why_broken());
  watch_way();
}

// Only what has changed: a line has these four for as long as it lasts.
void MysqlLine::watch_way() {
  const auto when = [&](std::size_t slot, bool so, int descriptor, Readiness readiness) {
    Loop::WatchId& watch = way_watches_[slot];
    if (so && watch == 0) watch = loop_->watch(descriptor, readiness, [this] { move(); });
    if (!so) loop_->unwatch(std::exchange(watch, 0));
  };
  when(0, way_->hears_server(), way_->server(), Readiness::kRead);
  when(1, way_->has_for_server(), way_->server(), Readiness::kWrite);
  when(2, way_->hears_client(), way_->client(), Readiness::kRead);
  when(3, way_->has_for_client(), way_->client(), Readiness::kWrite);
}

}  // namespace leasescope::mysql
