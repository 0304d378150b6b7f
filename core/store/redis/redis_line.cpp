#include "core/store/redis/redis_line.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/redis/sentinel.h"
#include "core/store/socket.h"

namespace leasescope::redis {
namespace {

std::optional<tls::Terms> terms_of(const StoreUrl& url) {
  if (!url.sealed) return std::nullopt;
  const auto option = [&url](const char* name) {
    const auto found = url.options.find(name);
    return found == url.options.end() ? std::string() : found->second;
  };
  return tls::Terms{option("cacert"), option("cert"), option("key")};
}

}  // namespace

Login::Login(const StoreUrl& url)
    : user(url.user),
      password(url.password),
      database(url.database),
      to_master(!master_name(url).empty()),
      tls(terms_of(url)) {}

std::vector<std::vector<std::string>> Login::greeting() const {
  std::vector<std::vector<std::string>> out;
  if (!password.empty())
    out.push_back(user.empty() ? std::vector<std::string>{"AUTH", password}
                               : std::vector<std::string>{"AUTH", user, password});
  if (!database.empty() && database != "0") out.push_back({"SELECT", database});
  if (to_master) out.push_back({"ROLE"});
  out.push_back({"PING"});
  return out;
}

std::string Login::refusal(const std::vector<std::string>& words, const RespValue& answer) {
  if (words.front() == "ROLE") return no_master_by(answer);
  if (answer.kind == RespValue::Kind::kError) return escaped(answer.text, kLongestError);
  if (words.front() == "PING" && answer.text != "PONG") return "the server does not answer PING: is it a Redis?";
  return {};
}

RedisLine::RedisLine(Loop& loop, const StoreUrl& url, const Login& login, Way way, TalkEnds ends)
    : Talk(loop, url.endpoint, std::move(ends.events)),
      login_(login),
      way_(std::move(way)),
      said_(std::move(ends.said)),
      guide_(loop, url),
      connector_(loop, resolver_) {}

RedisLine::~RedisLine() { drop(false); }

void RedisLine::begin() {
  if (login_.tls) {
    const auto made = tls::Context::of(*login_.tls);
    if (!made) return abandon(made.error());
    context_ = *made;
  }
  guide_.find([this](const tl::expected<Endpoint, std::string>& server) {
    server ? lead_to(*server) : abandon(server.error());
  });
}

void RedisLine::lead_to(const Endpoint& server) {
  server_ = server;
  connector_.connect(way_ ? way_(server) : server, [this](const tl::expected<int, std::string>& connected) {
    connected ? on_connected(*connected) : abandon(connected.error());
  });
}

void RedisLine::turn_to(const Endpoint& server) {
  guide_.point_to(server);
  turn();
}

void RedisLine::look_elsewhere(const std::string& reason) {
  if (!guide_.may_lead_elsewhere()) return;
  guide_.was_wrong();
  resolver_.forget(server_);
  abandon(reason);
}

// The greeting's answers, not the connection, say that the server is there: a proxy or a backlog connects anybody.
void RedisLine::on_connected(int descriptor) {
  descriptor_ = descriptor;
  reads_ = loop_->watch(descriptor_, Readiness::kRead, [this] { on_readable(); });
  if (context_ != nullptr) tls_ = std::make_unique<tls::Session>(*context_, server_.host);
  greeting_ = login_.greeting();
  greeted_ = 0;
  refusal_.clear();
  std::string text;
  for (const auto& words : greeting_) text += command_of(words).text();
  say(text);
}

// One piece a turn, so that a server that never stops talking does not keep the loop to itself.
void RedisLine::on_readable() {
  std::array<char, 16 * 1024> buffer;
  const int from = descriptor_;
  const auto got = read_some(descriptor_, buffer.data(), buffer.size());
  if (!got) return abandon(why_ended(got.error()));
  heard_ = heard_ || *got > 0;
  const auto text = heard({buffer.data(), *got});
  if (!text) return;
  reader_.feed(*text);
  while (descriptor_ == from) {
    const auto value = reader_.next();
    if (!value) return abandon(value.error());
    if (!*value) break;
    up() ? said_(**value) : on_greeting(**value);
  }
  if (descriptor_ == from && tls_ != nullptr && !tls_->error().empty()) abandon(tls_->error());
}

// A server that expects TLS ends a connection without it, and says nothing.
std::string RedisLine::why_ended(const std::string& how) const {
  if (tls_ != nullptr) return tls_->why_ended(how);
  return heard_ ? how : fmt::format("{} (before it said a word: {})", how, kExpectsTls);
}

std::optional<std::string> RedisLine::heard(std::string_view bytes) {
  if (tls_ == nullptr) return std::string(bytes);
  auto text = tls_->take(bytes);
  if (!text) {
    abandon(text.error());
    return std::nullopt;
  }
  write();
  if (descriptor_ < 0) return std::nullopt;
  return std::move(*text);
}

void RedisLine::on_greeting(const RespValue& answer) {
  if (refusal_.empty()) refusal_ = Login::refusal(greeting_[greeted_], answer);
  if (++greeted_ < greeting_.size()) return;
  if (!refusal_.empty()) return abandon(refusal_);
  guide_.arrived();
  stands();
}

bool RedisLine::command(const Command& command) {
  if (!up()) return false;
  say(command.text());
  return true;
}

void RedisLine::say(std::string_view text) {
  tls_ != nullptr ? tls_->say(text) : void(unwritten_ += text);
  write();
}

// At once, not at the next turn: what is between the decision and the wire is missing from the lease. A break is told
// of at the next turn.
void RedisLine::write() {
  if (tls_ != nullptr) unwritten_ += tls_->give();
  const auto put = write_some(descriptor_, unwritten_);
  if (!put) return abandon(why_ended(put.error()));
  unwritten_.erase(0, *put);
  if (unwritten_.size() > most_unwritten_) return abandon("the server does not read what it is sent");
  if (unwritten_.empty()) return loop_->unwatch(std::exchange(writes_, 0));
  if (writes_ == 0) writes_ = loop_->watch(descriptor_, Readiness::kWrite, [this] { write(); });
}

std::string RedisLine::in_vain() const {
  const std::string why = Line::in_vain();
  return tls_ != nullptr && !tls_->stands() ? tls_->why_ended(why) : why;
}

void RedisLine::take_at_most(std::size_t bytes) {
  limits_.bulk = limits_.whole = bytes;
  reader_ = RespReader(limits_);
}

void RedisLine::drop(bool hard) {
  guide_.cancel();
  connector_.cancel();
  loop_->unwatch(std::exchange(reads_, 0));
  loop_->unwatch(std::exchange(writes_, 0));
  close_line(std::exchange(descriptor_, -1), hard);
  tls_.reset();
  unwritten_.clear();
  reader_ = RespReader(limits_);
  heard_ = false;
}

RedisLine::Way way_of(const StoreUrl& url, const StoreRoute& route, bool messages) {
  return [=](const Endpoint& server) {
    if (route.towards) return route.towards(messages, server);
    if (!master_name(url).empty() || server != url.endpoint) return server;
    return messages ? route.messages : route.requests;
  };
}

}  // namespace leasescope::redis
