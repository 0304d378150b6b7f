#include "simulator/live/push_filter.h"

#include <charconv>
#include <optional>
#include <vector>

namespace leasescope {
namespace {

using Dropped = std::function<void(std::string_view)>;

// ---- RESP

// One value of RESP: where it ends, and the texts directly in it when it is an array.
struct RespValue {
  std::size_t end = 0;
  bool array = false;
  std::string_view text;
  std::vector<std::string_view> items;
};

std::optional<RespValue> read_value(std::string_view bytes, std::size_t at) {
  const std::size_t line = bytes.find("\r\n", at);
  if (line == std::string_view::npos) return std::nullopt;
  RespValue value;
  value.end = line + 2;
  const char type = bytes[at];
  const std::string_view head = bytes.substr(at + 1, line - at - 1);
  std::int64_t count = 0;
  std::from_chars(head.data(), head.data() + head.size(), count);
  if (type == '$' && count >= 0) {
    const std::size_t end = value.end + static_cast<std::size_t>(count) + 2;
    if (end > bytes.size()) return std::nullopt;
    value.text = bytes.substr(value.end, static_cast<std::size_t>(count));
    value.end = end;
  } else if ((type == '*' || type == '>' || type == '~' || type == '%') && count > 0) {
    value.array = true;
    const std::int64_t items = type == '%' ? 2 * count : count;
    for (std::int64_t i = 0; i < items; ++i) {
      const auto item = read_value(bytes, value.end);
      if (!item) return std::nullopt;
      value.items.push_back(item->text);
      value.end = item->end;
    }
  } else {
    value.text = head;
  }
  return value;
}

class RespFilter final : public PushFilter {
 public:
  std::string pass(std::string_view bytes, bool drop, const Dropped& dropped) override {
    kept_ += bytes;
    std::string out;
    std::size_t at = 0;
    while (at < kept_.size()) {
      const auto value = read_value(kept_, at);
      if (!value) break;
      if (drop && value->array && value->items.size() == 3 && value->items[0] == "message") {
        dropped(value->items[2]);
      } else {
        out.append(kept_, at, value->end - at);
      }
      at = value->end;
    }
    kept_.erase(0, at);
    return out;
  }

 private:
  std::string kept_;
};

// ---- PostgreSQL, version 3

class PostgresFilter final : public PushFilter {
 public:
  std::string pass(std::string_view bytes, bool drop, const Dropped& dropped) override {
    if (encrypted_) return std::string(bytes);
    kept_ += bytes;
    std::string out;
    std::size_t at = 0;
    while (at < kept_.size()) {
      // Before the first message stand the one-letter answers to the wish for encryption.
      if (!greeted_ && (kept_[at] == 'N' || kept_[at] == 'S' || kept_[at] == 'G')) {
        encrypted_ = kept_[at] != 'N';
        out += kept_[at++];
        if (!encrypted_) continue;
        out.append(kept_, at, std::string::npos);
        at = kept_.size();
        break;
      }
      greeted_ = true;
      if (kept_.size() - at < 5) break;
      const std::size_t length = 1 + length_at(at + 1);
      if (kept_.size() - at < length) break;
      if (drop && kept_[at] == 'A') {
        dropped(payload(std::string_view(kept_).substr(at, length)));
      } else {
        out.append(kept_, at, length);
      }
      at += length;
    }
    kept_.erase(0, at);
    return out;
  }

 private:
  std::size_t length_at(std::size_t at) const {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(kept_[at + i]);
    return length;
  }
  // 'A', length, pid, channel\0, payload\0
  static std::string_view payload(std::string_view frame) {
    frame.remove_prefix(9);
    const std::size_t channel = frame.find('\0');
    if (channel == std::string_view::npos) return {};
    frame.remove_prefix(channel + 1);
    return frame.substr(0, frame.find('\0'));
  }

  std::string kept_;
  bool greeted_ = false;
  bool encrypted_ = false;  // nothing can be told apart any more
};

}  // namespace

std::unique_ptr<PushFilter> make_push_filter(StoreKind kind) {
  if (kind == StoreKind::kRedis) return std::make_unique<RespFilter>();
  return std::make_unique<PostgresFilter>();
}

}  // namespace leasescope
