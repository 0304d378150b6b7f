#include "core/store/mysql/sealed_talk.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace leasescope::mysql {
namespace {

// Of a packet: its length in three bytes, the lowest first, and its number.
constexpr std::size_t kHead = 4;
constexpr std::size_t kNumber = 3;
// A greeting has about a hundred bytes, an answer to it a few hundred with the client's attributes.
constexpr std::size_t kLongest = 64 * 1024;
constexpr char kProtocol = 10;
// What both can do, in the lower half of their bits: packets of 4.1 and later, and TLS.
constexpr unsigned kProtocol41 = 0x0200, kTls = 0x0800;
// Of the answer, all that stands before the user's name.
constexpr std::size_t kFixedPart = 32;

unsigned byte(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

std::size_t length_of(std::string_view packet) {
  return byte(packet, 0) | byte(packet, 1) << 8 | static_cast<std::size_t>(byte(packet, 2)) << 16;
}

bool is_whole(std::string_view packet) { return packet.size() >= kHead && packet.size() >= kHead + length_of(packet); }

// Where a greeting says what the server can do: behind its version, the connection's number and half a scramble.
std::optional<std::size_t> place_of_abilities(std::string_view greeting) {
  const std::size_t version_ends = greeting.find('\0', kHead + 1);
  if (version_ends == std::string_view::npos) return std::nullopt;
  const std::size_t at = version_ends + 1 + 4 + 8 + 1;
  return at + 2 <= greeting.size() ? std::optional(at) : std::nullopt;
}

unsigned abilities(std::string_view text, std::size_t at) { return byte(text, at) | byte(text, at + 1) << 8; }

void set_abilities(std::string& text, std::size_t at, unsigned what) {
  text[at] = static_cast<char>(what & 0xff);
  text[at + 1] = static_cast<char>(what >> 8);
}

}  // namespace

bool Renumbering::pass(std::string& bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    if (head_ == kHead) {
      const std::size_t some = std::min(left_, bytes.size() - i);
      left_ -= some;
      i += some;
      if (left_ == 0) head_ = 0;
      continue;
    }
    if (head_ < kNumber) {
      left_ |= static_cast<std::size_t>(byte(bytes, i)) << (8 * head_);
    } else {
      if (bytes[i] == 0) return true;
      bytes[i] = static_cast<char>(bytes[i] + by_);
    }
    ++head_;
    ++i;
    if (head_ == kHead && left_ == 0) head_ = 0;
  }
  return false;
}

SealedTalk::SealedTalk(std::shared_ptr<const tls::Context> context, std::string host)
    : context_(std::move(context)), host_(std::move(host)) {}

void SealedTalk::from_server(std::string_view bytes) {
  if (!error_.empty() || bytes.empty()) return;
  if (stage_ == Stage::kOver) {
    to_client_ += bytes;
  } else if (session_ != nullptr) {
    hear(bytes);
  } else if (stage_ == Stage::kGreeting) {
    heard_ += bytes;
    read_greeting();
  } else {
    error_ = "the server speaks out of turn: is it a MySQL?";
  }
}

// What is none is left to the client, who knows what to say to it; nothing of the client's leaves for such a server.
void SealedTalk::read_greeting() {
  const bool long_enough = heard_.size() > kHead;
  if (long_enough && (heard_[kHead] != kProtocol || length_of(heard_) > kLongest)) {
    stage_ = Stage::kOver;
    to_client_ += std::exchange(heard_, {});
    return;
  }
  if (!is_whole(heard_)) return;
  const auto at = place_of_abilities(heard_);
  if (!at || heard_.size() != kHead + length_of(heard_)) {
    error_ = "its greeting makes no sense: is it a MySQL?";
  } else if ((abilities(heard_, *at) & kTls) == 0) {
    error_ = fmt::format("{}: it has no certificate, or TLS is switched off there", tls::kNoTls);
  } else {
    set_abilities(heard_, *at, abilities(heard_, *at) & ~kTls);
    to_client_ += std::exchange(heard_, {});
    stage_ = Stage::kAnswer;
  }
}

void SealedTalk::from_client(std::string_view bytes) {
  if (!error_.empty() || stage_ == Stage::kOver) return;
  if (session_ != nullptr) return say(std::string(bytes));
  heard_ += bytes;
  read_answer();
}

// The packet that asks for TLS is the answer's fixed part: what the server is told of the client is the same both
// times.
void SealedTalk::read_answer() {
  if (stage_ != Stage::kAnswer || !is_whole(heard_)) return;
  if (length_of(heard_) < kFixedPart || (abilities(heard_, kHead) & kProtocol41) == 0) {
    error_ = "TLS cannot be asked for in the protocol that this server speaks";
    return;
  }
  set_abilities(heard_, kHead, abilities(heard_, kHead) | kTls);
  to_server_ += std::string{static_cast<char>(kFixedPart), 0, 0, heard_[kNumber]};
  to_server_ += heard_.substr(kHead, kFixedPart);
  session_ = std::make_unique<tls::Session>(*context_, host_);
  stage_ = Stage::kLogin;
  say(std::exchange(heard_, {}));
}

void SealedTalk::say(std::string bytes) {
  if (stage_ == Stage::kLogin && up_.pass(bytes)) stage_ = Stage::kService;
  session_->say(bytes);
}

void SealedTalk::hear(std::string_view bytes) {
  std::string text = session_->take(bytes).value_or("");
  if (stage_ == Stage::kLogin) down_.pass(text);
  to_client_ += text;
  if (session_->error().empty()) return;
  // Who has been heard may close: what it said last is why, and the client hears it.
  (session_->closed() ? ended_ : error_) = session_->error();
}

std::string SealedTalk::to_server() {
  std::string out = std::exchange(to_server_, {});
  if (session_ != nullptr) out += session_->give();
  return out;
}

std::string SealedTalk::to_client() { return std::exchange(to_client_, {}); }

std::string SealedTalk::why_ended(const std::string& how) const {
  return session_ != nullptr && !session_->stands() ? session_->why_ended(how) : how;
}

}  // namespace leasescope::mysql
