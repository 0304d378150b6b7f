#include "core/store/redis/shared_line.h"

#include <algorithm>
#include <utility>

#include "core/store/redis/line_share.h"

namespace leasescope::redis {
namespace {

using Kind = RespValue::Kind;

constexpr const char* kUnasked = "the server said what nobody had asked for: is it a Redis?";
constexpr const char* kSilent = "the server has been silent to all who share the line";
constexpr const char* kAlone = "whoever was on the line has given it up";

// To end a subscription that others still need: the server answers as if it had been one.
constexpr const char* kNoChannel = "";

bool is_message(const RespValue& value) {
  return value.kind == Kind::kList && value.items.size() == 3 && value.items[0].text == "message";
}

bool is_of_channel(const RespValue& value) {
  return value.kind == Kind::kError || (value.kind == Kind::kList && value.items.size() == 3 &&
                                        (value.items[0].text == "subscribe" || value.items[0].text == "unsubscribe"));
}

}  // namespace

SharedLine::SharedLine(Loop& loop, const StoreUrl& url, Use use, RedisLine::Way way)
    : loop_(&loop),
      use_(use),
      line_(loop, url, Login(url), std::move(way),
            {{[this] { on_up(); }, [this](const std::string& why) { on_down(why); }},
             [this](const RespValue& value) { on_said(value); }}) {}

SharedLine::Seat SharedLine::join(LineShare& share) {
  sharers_.insert(&share);
  line_.keep_at_most(RedisLine::kMostOfOne * sharers_.size());
  seated_.emplace(++last_seat_, &share);
  line_.connect();
  return last_seat_;
}

void SharedLine::leave(Seat seat, bool given_up) {
  if (seated_.erase(seat) == 0 || !line_.up()) return;
  if (given_up && seated_.empty()) return line_.abandon(kAlone);
  if (given_up && is_silent()) {
    line_.abandon(kSilent);
    if (on_silence) on_silence();
    return;
  }
  std::vector<std::string> words{"UNSUBSCRIBE"};
  for (const Followers::Left& left : followers_.leave(seat))
    if (left.last) words.push_back(left.channel);
  if (words.size() > 1) say(0, words, words.size() - 1, true);
}

void SharedLine::forget(LineShare& share) { sharers_.erase(&share); }

bool SharedLine::is_silent() const {
  if (places_.empty()) return false;
  const Duration silence = loop_->now() - std::max(heard_, places_.front().sent);
  return std::all_of(seated_.begin(), seated_.end(),
                     [&](const auto& each) { return each.second->patience() <= silence; });
}

bool SharedLine::command(Seat seat, const std::vector<std::string>& words) {
  if (!line_.up()) return false;
  if (words.front() == "SUBSCRIBE") return subscribe(seat, words);
  if (words.front() == "UNSUBSCRIBE") return unsubscribe(seat);
  return say(seat, words, 1, false);
}

bool SharedLine::command(Seat seat, const Command& commands) {
  if (!line_.up()) return false;
  for (std::size_t i = 0; i < commands.count(); ++i) places_.push_back({seat, 1, loop_->now(), ++last_number_, false});
  return line_.command(commands);
}

bool SharedLine::subscribe(Seat seat, const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) followers_.ask(words[i], seat, last_number_ + 1);
  return say(seat, words, words.size() - 1, true);
}

bool SharedLine::unsubscribe(Seat seat) {
  std::vector<std::string> words{"UNSUBSCRIBE"};
  for (const Followers::Left& left : followers_.leave(seat)) words.push_back(left.last ? left.channel : kNoChannel);
  if (words.size() == 1) words.emplace_back(kNoChannel);
  return say(seat, words, words.size() - 1, true);
}

bool SharedLine::say(Seat seat, const std::vector<std::string>& words, std::size_t answers, bool of_channels) {
  places_.push_back({seat, answers, loop_->now(), ++last_number_, of_channels});
  return line_.command(words);
}

// ---- what the line tells

void SharedLine::on_up() {
  heard_ = loop_->now();
  trouble_.clear();
  line_.proven();
  const std::vector<LineShare*> all(sharers_.begin(), sharers_.end());
  for (LineShare* const each : all)
    if (sharers_.count(each) != 0) each->line_stands();
}

void SharedLine::on_down(const std::string& reason) {
  trouble_ = reason;
  places_.clear();
  followers_.clear();
  const std::vector<std::pair<Seat, LineShare*>> all(seated_.begin(), seated_.end());
  for (const auto& [seat, share] : all)
    if (seated_.count(seat) != 0) share->abandon(reason);
}

void SharedLine::on_said(const RespValue& value) {
  heard_ = loop_->now();
  if (use_ == Use::kRequests || !is_message(value)) return on_answer(value);
  for (const Seat seat : followers_.of(value.items[1].text)) tell(seat, value);
}

void SharedLine::on_answer(const RespValue& answer) {
  if (places_.empty() || (places_.front().of_channels && !is_of_channel(answer))) return line_.abandon(kUnasked);
  Place& place = places_.front();
  const Seat seat = place.seat;
  if (place.of_channels && answer.kind == Kind::kList && answer.items[0].text == "subscribe")
    followers_.confirm(answer.items[1].text, seat, place.number);
  // An error answers the command as a whole.
  if (answer.kind == Kind::kError || --place.answers == 0) places_.pop_front();
  tell(seat, answer);
}

void SharedLine::tell(Seat seat, const RespValue& value) {
  const auto found = seated_.find(seat);
  if (found != seated_.end()) found->second->hear(value);
}

}  // namespace leasescope::redis
