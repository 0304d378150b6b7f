#include "core/store/redis/guide.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/store/redis/redis_line.h"
#include "core/store/redis/sentinel.h"
#include "core/store/resolver.h"

namespace leasescope::redis {
namespace {

// Of a cluster's other nodes: enough to come back by, and no more than that.
constexpr std::size_t kMostKnown = 8;

}  // namespace

Guide::Guide(Loop& loop, const StoreUrl& url)
    : loop_(&loop), url_(url), master_(master_name(url)), named_(named_in(url)), own_(named_.size()), turn_(loop) {}

Guide::~Guide() = default;

void Guide::find(Done done) {
  cancel();
  if (pointed_to_) return done(*std::exchange(pointed_to_, {}));
  if (std::exchange(in_vain_, true)) next_ = (next_ + 1) % named_.size();
  if (master_.empty()) return done(named_[next_]);
  done_ = std::move(done);
  errors_.clear();
  left_ = named_.size();
  ask_next();
}

bool Guide::may_lead_elsewhere() const { return !master_.empty() || named_.size() > 1 || !is_address(named_.front()); }

void Guide::point_to(const Endpoint& server) {
  know(server);
  pointed_to_ = server;
}

void Guide::know(const Endpoint& server) {
  if (!master_.empty() || std::find(named_.begin(), named_.end(), server) != named_.end()) return;
  if (named_.size() == own_ + kMostKnown) named_.erase(named_.begin() + static_cast<std::ptrdiff_t>(own_));
  next_ %= named_.size();
  named_.push_back(server);
}

void Guide::cancel() {
  turn_.cancel();
  line_.reset();
  done_ = {};
}

void Guide::ask_next() {
  const StoreUrl url = sentinel_url(url_, named_[next_]);
  const auto up = [this] { line_->command(question_for_master(master_)); };
  const auto down = [this](const std::string& why) { answered(tl::unexpected(why)); };
  const auto said = [this](const RespValue& answer) { answered(read_master(answer, master_)); };
  line_ = std::make_unique<RedisLine>(*loop_, url, Login(url), nullptr, TalkEnds{{up, down}, said});
  line_->connect();
}

// At the loop's next turn: the line is still on the stack.
void Guide::answered(const tl::expected<Endpoint, std::string>& master) {
  if (master)
    return turn_.arm(Duration::zero(), [this, found = *master] {
      line_.reset();
      std::exchange(done_, {})(found);
    });
  if (turn_.armed()) return;
  errors_ += fmt::format("{}sentinel {}: {}", errors_.empty() ? "" : "; ", text_of(named_[next_]), master.error());
  turn_.arm(Duration::zero(), [this] {
    line_.reset();
    next_ = (next_ + 1) % named_.size();
    if (--left_ > 0) return ask_next();
    std::exchange(done_, {})(tl::unexpected(errors_));
  });
}

}  // namespace leasescope::redis
