#include "core/store/redis/resp_reader.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::redis {
namespace {

using Kind = RespValue::Kind;

constexpr std::string_view kTypes = "+-:$*_,#!=(%~>";

}  // namespace

void RespReader::feed(std::string_view bytes) {
  if (!error_.empty()) return;
  kept_.erase(0, at_);
  scanned_ -= at_;
  at_ = 0;
  kept_ += bytes;
}

tl::expected<std::optional<RespValue>, std::string> RespReader::next() {
  RespValue value;
  while (error_.empty()) {
    const Step done = step(value);
    if (done == Step::kWait) break;
    if (done == Step::kValue && place(value)) {
      size_of_last_ = std::exchange(whole_, 0);
      items_ = 0;
      return value;
    }
    value = {};
  }
  if (error_.empty()) return std::nullopt;
  return tl::unexpected(error_);
}

RespReader::Step RespReader::broken(const std::string& why) {
  error_ = why;
  kept_.clear();
  open_.clear();
  at_ = scanned_ = 0;
  return Step::kWait;
}

bool RespReader::place(RespValue& value) {
  while (!open_.empty()) {
    OpenList& list = open_.back();
    list.list.items.push_back(std::move(value));
    if (--list.missing > 0) return false;
    value = std::move(list.list);
    open_.pop_back();
  }
  return true;
}

// A line without its type and end; none when it is not there yet, or too long.
std::optional<std::string> RespReader::line() {
  const std::size_t end = kept_.find('\n', scanned_);
  const std::size_t length = (end == std::string::npos ? kept_.size() : end) - at_;
  if (length > std::min(limits_.line, room())) {
    broken(fmt::format("the server sent a line of more than {} bytes", std::min(limits_.line, room())));
    return std::nullopt;
  }
  if (end == std::string::npos) {
    scanned_ = kept_.size();
    return std::nullopt;
  }
  if (kept_[end - 1] != '\r' || end - 1 == at_) {
    broken(fmt::format("this is not the protocol of Redis: \"{}\"", escaped(kept_.substr(at_, length), 60)));
    return std::nullopt;
  }
  std::string head = kept_.substr(at_ + 1, length - 2);
  whole_ += length + 1;
  at_ = scanned_ = end + 1;
  return head;
}

std::optional<std::int64_t> RespReader::number(const std::string& head) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(head.data(), head.data() + head.size(), out);
  if (error == std::errc() && end == head.data() + head.size() && !head.empty()) return out;
  broken(fmt::format("the server sent \"{}\" where a number is expected", escaped(head, 60)));
  return std::nullopt;
}

RespReader::Step RespReader::step(RespValue& value) {
  if (bulk_) return read_text({}, bulk_is_error_, value);
  if (at_ == kept_.size()) return Step::kWait;
  const char type = kept_[at_];
  if (type == '\x15' || type == '\x16')  // an alert, or a handshake
    return broken(fmt::format("{}: \"{}\"", kSpeaksTls, escaped(kept_.substr(at_), 60)));
  if (kTypes.find(type) == std::string_view::npos)
    return broken(fmt::format("this is not the protocol of Redis: \"{}\"", escaped(kept_.substr(at_), 60)));
  const std::optional<std::string> head = line();
  if (!head) return Step::kWait;
  switch (type) {
    case ':':
      if (const auto read = number(*head)) {
        value.kind = Kind::kInteger;
        value.integer = *read;
        return Step::kValue;
      }
      return Step::kWait;
    case '$':
    case '=':
      return read_text(*head, false, value);
    case '!':
      return read_text(*head, true, value);
    case '*':
    case '~':
    case '>':
      return open_list(*head, 1, value);
    case '%':
      return open_list(*head, 2, value);
    case '_':
      return Step::kValue;
    default:  // a line of text: status, error, double, truth, long number
      value.kind = type == '-' ? Kind::kError : Kind::kText;
      value.text = *head;
      return Step::kValue;
  }
}

// The length first, then, perhaps in a later call, as many bytes.
RespReader::Step RespReader::read_text(const std::string& head, bool error, RespValue& value) {
  if (!bulk_) {
    const auto length = number(head);
    if (!length) return Step::kWait;
    if (*length == -1) return Step::kValue;
    if (*length < 0 || static_cast<std::uint64_t>(*length) > std::min(limits_.bulk, room()))
      return broken(fmt::format("the server announced a text of {} bytes: at most {} are expected", *length,
                                std::min(limits_.bulk, room())));
    bulk_ = *length;
    bulk_is_error_ = error;
  }
  const auto length = static_cast<std::size_t>(*bulk_);
  if (kept_.size() - at_ < length + 2) return Step::kWait;
  if (kept_.compare(at_ + length, 2, "\r\n") != 0) return broken("a text of the server is not as long as it announced");
  value.kind = error ? Kind::kError : Kind::kText;
  value.text = kept_.substr(at_, length);
  at_ = scanned_ = at_ + length + 2;
  whole_ += length + 2;
  bulk_.reset();
  return Step::kValue;
}

RespReader::Step RespReader::open_list(const std::string& head, std::size_t each, RespValue& value) {
  const auto count = number(head);
  if (!count) return Step::kWait;
  if (*count == -1) return Step::kValue;
  if (*count < 0 || static_cast<std::uint64_t>(*count) > (limits_.items - items_) / each)
    return broken(fmt::format("the server announced a list of {}: at most {} are expected", *count, limits_.items));
  value.kind = Kind::kList;
  if (*count == 0) return Step::kValue;
  if (open_.size() == limits_.depth)
    return broken(fmt::format("the server sent lists in lists, more than {} deep", limits_.depth));
  const std::size_t items = static_cast<std::size_t>(*count) * each;
  items_ += items;
  open_.push_back({std::move(value), items});
  return Step::kOpened;
}

}  // namespace leasescope::redis
