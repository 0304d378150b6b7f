#include "core/store/redis/asker.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/escaped.h"
#include "core/store/redis/redis_line.h"
#include "core/store/resolver.h"
#include "core/store/socket.h"

namespace leasescope::redis {
Asker::Asker(std::chrono::milliseconds patience, const std::stop_token& stop) : patience_(patience, stop) {}

Asker::~Asker() { close_line(descriptor_, false); }

tl::expected<void, std::string> Asker::connect(const Endpoint& endpoint) {
  const Addresses addresses = look_up_within(endpoint, patience_);
  if (!addresses) return tl::unexpected(addresses.error());
  return connect(*addresses);
}

tl::expected<void, std::string> Asker::connect(const std::vector<Endpoint>& addresses) {
  std::string error;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto begun = begin_connect(addresses[i]);
    error = begun ? "" : begun.error();
    if (!begun) continue;
    descriptor_ = *begun;
    patience_.share(addresses.size() - i);
    const auto waited = wait(POLLOUT);
    patience_.share_no_more();
    error = waited ? connect_error(descriptor_) : waited.error();
    if (error.empty()) return {};
    close_line(std::exchange(descriptor_, -1), true);
  }
  return tl::unexpected(error);
}

Asker::Answer Asker::ask(const Words& words) {
  auto answers = ask_all({words});
  if (!answers) return tl::unexpected(answers.error());
  return std::move(answers->front());
}

tl::expected<std::vector<RespValue>, std::string> Asker::ask_all(const std::vector<Words>& questions) {
  std::string text;
  for (const Words& words : questions) text += command_text(words);
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
  while (!text.empty()) {
    if (auto waited = wait(POLLOUT); !waited) return waited;
    const auto put = write_some(descriptor_, text);
    if (!put) return tl::unexpected(put.error());
    text.erase(0, *put);
  }
  return {};
}

Asker::Answer Asker::read() {
  for (;;) {
    auto value = reader_.next();
    if (!value) return tl::unexpected(value.error());
    if (*value) return std::move(**value);
    if (auto waited = wait(POLLIN); !waited) return tl::unexpected(waited.error());
    std::array<char, 16 * 1024> buffer;
    const auto got = read_some(descriptor_, buffer.data(), buffer.size());
    if (!got) return tl::unexpected(got.error());
    reader_.feed({buffer.data(), *got});
  }
}

tl::expected<void, std::string> Asker::wait(short events) {
  pollfd ready{descriptor_, events, 0};
  if (patience_.wait(ready)) return {};
  return tl::unexpected(patience_.over());
}

}  // namespace leasescope::redis
