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
  addresses_.next([this](const tl::expected<Endpoint, std::string>& address) {
    if (!address) return abandon(address.error());
    // Whether somebody listens there: see Asker::reach.
    connector_.connect(*address, [this, to = *address](const tl::expected<int, std::string>& reached) {
      if (!reached) return abandon(reached.error());
      close_line(*reached, true);
      connection_ = std::make_unique<Connection>(url_);
      connecting_ = true;
      begun(connection_->connect(to));
    });
  });
}

void MysqlLine::set_up() {
  for (const std::string& sql : session_)
    statements_.push_back({sql, {}, [this](const Answer& answer) { on_set_up(answer); }});
  begin_next();
}

void MysqlLine::on_set_up(const Answer& answer) {
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
}

void MysqlLine::on_ready(int what) {
  if (!connecting_ && !busy_) return abandon("the server closed the connection");
  const int waits = connection_->go_on(what);
  watch(waits);
  if (waits == 0) finish();
}

void MysqlLine::finish() {
  if (connection_->broken()) return abandon(connection_->answer().message);
  if (std::exchange(connecting_, false)) {
    if (connection_->answer().error != 0) return abandon(connection_->answer().message);
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
  if (hard && connection_ != nullptr) connection_->cut();
  connection_.reset();
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

}  // namespace leasescope::mysql
