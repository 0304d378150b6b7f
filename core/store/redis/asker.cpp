#include "core/store/redis/asker.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/redis/redis_line.h"
#include "core/store/redis/sentinel.h"
#include "core/store/resolver.h"
#include "core/store/socket.h"
#include "core/time/duration_text.h"

namespace leasescope::redis {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kToShakeHands = std::chrono::duration_cast<milliseconds>(kConnectTimeout);

}  // namespace

Asker::Asker(milliseconds patience, const std::stop_token& stop) : patience_(patience, stop), stop_(stop) {}

Asker::~Asker() { close_line(descriptor_, false); }

tl::expected<void, std::string> Asker::connect(const StoreUrl& url) {
  const Login login(url);
  std::vector<Endpoint> servers = named_in(url);
  if (!master_name(url).empty()) {
    const auto master = find_master(url);
    if (!master) return tl::unexpected(master.error());
    servers = {*master};
  }
  std::string errors;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    auto connected = connect(servers[i], login, servers.size() - 1 - i);
    if (connected || servers.size() == 1) return connected;
    errors += fmt::format("{}{}: {}", errors.empty() ? "" : "; ", text_of(servers[i]), connected.error());
  }
  return tl::unexpected(errors);
}

tl::expected<void, std::string> Asker::connect(const Endpoint& server, const Login& login, std::size_t others) {
  const Addresses addresses = look_up_within(server, patience_);
  if (!addresses) return tl::unexpected(addresses.error());
  if (auto connected = connect(*addresses, others); !connected) return connected;
  if (!login.tls) return {};
  const auto context = tls::Context::of(*login.tls);
  if (!context) return tl::unexpected(context.error());
  return shake_hands(**context, server.host);
}

tl::expected<Endpoint, std::string> Asker::find_master(const StoreUrl& url) const {
  const std::string name = master_name(url);
  const std::vector<Endpoint> sentinels = named_in(url);
  std::string errors;
  for (std::size_t i = 0; i < sentinels.size(); ++i) {
    const StoreUrl one = sentinel_url(url, sentinels[i]);
    Asker sentinel(patience_.left() / static_cast<int>(sentinels.size() - i), stop_);
    auto done = sentinel.connect(one);
    if (done) done = sentinel.greet(one);
    const auto answer = done ? sentinel.ask(question_for_master(name)) : tl::unexpected(done.error());
    auto master = answer ? read_master(*answer, name) : tl::unexpected(answer.error());
    if (master) return master;
    errors += fmt::format("{}sentinel {}: {}", errors.empty() ? "" : "; ", text_of(sentinels[i]), master.error());
  }
  return tl::unexpected(errors);
}

tl::expected<void, std::string> Asker::greet(const StoreUrl& url) {
  const auto greeting = Login(url).greeting();
  const auto answers = ask_all(greeting);
  if (!answers) return tl::unexpected(answers.error());
  for (std::size_t i = 0; i < greeting.size(); ++i)
    if (const std::string why = Login::refusal(greeting[i], (*answers)[i]); !why.empty()) return tl::unexpected(why);
  return {};
}

tl::expected<void, std::string> Asker::connect(const std::vector<Endpoint>& addresses, std::size_t others) {
  std::string error;
  close_line(std::exchange(descriptor_, -1), true);
  tls_.reset();
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto begun = begin_connect(addresses[i]);
    error = begun ? "" : begun.error();
    if (!begun) continue;
    descriptor_ = *begun;
    patience_.share(addresses.size() - i + others);
    const auto waited = wait(POLLOUT);
    patience_.share_no_more();
    error = waited ? connect_error(descriptor_) : waited.error();
    if (error.empty()) return {};
    close_line(std::exchange(descriptor_, -1), true);
  }
  return tl::unexpected(error);
}

tl::expected<void, std::string> Asker::shake_hands(const tls::Context& context, const std::string& host) {
  tls_ = std::make_unique<tls::Session>(context, host);
  reader_ = RespReader();
  patience_.at_most(kToShakeHands);
  auto done = write("");
  while (done && !tls_->stands()) done = hear();
  const bool late = patience_.left() <= milliseconds(0);
  patience_.share_no_more();
  if (done || !late) return done;
  return tl::unexpected(tls_->why_ended(fmt::format("no TLS within {}", format_duration(kToShakeHands))));
}

Asker::Answer Asker::ask(const Words& words) {
  auto answers = ask_all({words});
  if (!answers) return tl::unexpected(answers.error());
  return std::move(answers->front());
}

tl::expected<void, std::string> Asker::say(const Words& words) { return write(command_of(words).text()); }

tl::expected<std::vector<RespValue>, std::string> Asker::ask_all(const std::vector<Words>& questions) {
  std::string text;
  for (const Words& words : questions) text += command_of(words).text();
  if (auto written = write(std::move(text)); !written) return tl::unexpected(written.error());
  std::vector<RespValue> answers;
  while (answers.size() < questions.size()) {
    Answer answer = read();
    if (!answer) return tl::unexpected(answer.error());
    if (answer->kind == RespValue::Kind::kError) return tl::unexpected(escaped(answer->text, kLongestError));
    answers.push_back(std::move(*answer));
  }
  return answers;
}

tl::expected<void, std::string> Asker::write(std::string text) {
  if (tls_ != nullptr) {
    tls_->say(text);
    text = tls_->give();
  }
  while (!text.empty()) {
    if (auto waited = wait(POLLOUT); !waited) return waited;
    const auto put = write_some(descriptor_, text);
    if (!put) return ended(put.error());
    text.erase(0, *put);
  }
  return {};
}

Asker::Answer Asker::read() {
  for (;;) {
    auto value = reader_.next();
    if (!value) return tl::unexpected(value.error());
    if (*value) return std::move(**value);
    if (auto heard = hear(); !heard) return tl::unexpected(heard.error());
  }
}

tl::expected<void, std::string> Asker::hear() {
  if (auto waited = wait(POLLIN); !waited) return waited;
  std::array<char, 16 * 1024> buffer;
  const auto got = read_some(descriptor_, buffer.data(), buffer.size());
  if (!got) return ended(got.error());
  heard_ = heard_ || *got > 0;
  const std::string_view bytes(buffer.data(), *got);
  if (tls_ == nullptr) {
    reader_.feed(bytes);
    return {};
  }
  const auto text = tls_->take(bytes);
  if (!text) return tl::unexpected(text.error());
  reader_.feed(*text);
  return write("");
}

tl::unexpected<std::string> Asker::ended(const std::string& how) const {
  return tl::unexpected<std::string>(tls_ != nullptr ? tls_->why_ended(how) : how);
}

tl::expected<void, std::string> Asker::wait(short events) {
  pollfd ready{descriptor_, events, 0};
  if (patience_.wait(ready)) return {};
  return tl::unexpected(patience_.over());
}

}  // namespace leasescope::redis
