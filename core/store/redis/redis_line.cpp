#include "core/store/redis/redis_line.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/socket.h"

namespace leasescope::redis {
namespace {

// A contender has one or two calls under way, the longest with the text of a script. A server that takes nothing is not
// written to for ever.
constexpr std::size_t kMostUnwritten = 64 * 1024;

}  // namespace

std::vector<std::vector<std::string>> Login::greeting() const {
  std::vector<std::vector<std::string>> out;
  if (!password.empty())
    out.push_back(user.empty() ? std::vector<std::string>{"AUTH", password}
                               : std::vector<std::string>{"AUTH", user, password});
  if (!database.empty() && database != "0") out.push_back({"SELECT", database});
  out.push_back({"PING"});
  return out;
}

std::string command_text(const std::vector<std::string>& words) {
  std::string out = fmt::format("*{}\r\n", words.size());
  for (const std::string& word : words) out += fmt::format("${}\r\n{}\r\n", word.size(), word);
  return out;
}

RedisLine::RedisLine(Loop& loop, const Endpoint& endpoint, const Login& login, Events events, Said said)
    : Line(loop, endpoint, std::move(events)), login_(login), said_(std::move(said)), connector_(loop, resolver_) {}

RedisLine::~RedisLine() { drop(false); }

void RedisLine::begin() {
  connector_.connect(endpoint_, [this](const tl::expected<int, std::string>& connected) {
    connected ? on_connected(*connected) : abandon(connected.error());
  });
}

// The greeting's answers, not the connection, say that the server is there: a proxy or a backlog connects anybody.
void RedisLine::on_connected(int descriptor) {
  descriptor_ = descriptor;
  reads_ = loop_->watch(descriptor_, Readiness::kRead, [this] { on_readable(); });
  const auto greeting = login_.greeting();
  greetings_ = greeting.size();
  refusal_.clear();
  for (const auto& words : greeting) unwritten_ += command_text(words);
  write();
}

// One piece a turn, so that a server that never stops talking does not keep the loop to itself.
void RedisLine::on_readable() {
  std::array<char, 16 * 1024> buffer;
  const auto got = read_some(descriptor_, buffer.data(), buffer.size());
  if (!got) return abandon(got.error());
  reader_.feed({buffer.data(), *got});
  while (descriptor_ >= 0) {
    const auto value = reader_.next();
    if (!value) return abandon(value.error());
    if (!*value) return;
    up() ? said_(**value) : on_greeting(**value);
  }
}

void RedisLine::on_greeting(const RespValue& answer) {
  if (answer.kind == RespValue::Kind::kError && refusal_.empty()) refusal_ = escaped(answer.text, kLongestError);
  if (--greetings_ > 0) return;
  if (refusal_.empty() && answer.text != "PONG") refusal_ = "the server does not answer PING: is it a Redis?";
  if (!refusal_.empty()) return abandon(refusal_);
  stands();
}

bool RedisLine::command(const std::vector<std::string>& words) {
  if (!up()) return false;
  unwritten_ += command_text(words);
  write();
  return true;
}

// At once, not at the next turn: what is between the decision and the wire is missing from the lease. A break is told
// of at the next turn.
void RedisLine::write() {
  const auto put = write_some(descriptor_, unwritten_);
  if (!put) return abandon(put.error());
  unwritten_.erase(0, *put);
  if (unwritten_.size() > kMostUnwritten) return abandon("the server does not read what it is sent");
  if (unwritten_.empty()) return loop_->unwatch(std::exchange(writes_, 0));
  if (writes_ == 0) writes_ = loop_->watch(descriptor_, Readiness::kWrite, [this] { write(); });
}

void RedisLine::drop(bool hard) {
  connector_.cancel();
  loop_->unwatch(std::exchange(reads_, 0));
  loop_->unwatch(std::exchange(writes_, 0));
  close_line(std::exchange(descriptor_, -1), hard);
  unwritten_.clear();
  reader_ = RespReader();
}

}  // namespace leasescope::redis
