#include "simulator/scenario/text_file.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr int kDeepest = 64;
constexpr const char* kTooLarge = "is larger than 64 MB: expected {}";

// Goes through a TOML text as a reader of its brackets and dots, and knows what lies in quotes.
class Depth {
 public:
  explicit Depth(std::string_view toml) : text_(toml) {}

  // The place of what is too deep.
  std::optional<std::size_t> too_deep() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_quoted(c);
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      take(c);
      if (nested_ > kDeepest || dots_ >= kDeepest) return at_;
      ++at_;
    }
    return std::nullopt;
  }

 private:
  void take(char c) {
    if (c == '[' || c == '{') ++nested_;
    if ((c == ']' || c == '}') && nested_ > 0) --nested_;
    if (c == '.') ++dots_;
    if (std::string_view("[]{},=\n").find(c) != std::string_view::npos) dots_ = 0;
  }

  void skip_quoted(char quote) {
    const std::string three(3, quote);
    const bool many = text_.substr(at_, 3) == three;
    at_ += many ? 3 : 1;
    while (at_ < text_.size()) {
      if (quote == '"' && text_[at_] == '\\') {
        at_ += 2;
      } else if (many ? text_.substr(at_, 3) == three : text_[at_] == quote) {
        at_ += many ? 3 : 1;
        return;
      } else if (!many && text_[at_] == '\n') {
        return;  // it was not closed: the parser says so
      } else {
        ++at_;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nested_ = 0;
  int dots_ = 0;  // of the key or number that is being read
};

}  // namespace

tl::expected<std::string, std::string> read_text_file(const std::string& path, std::string_view expected) {
  const auto not_read =
      tl::make_unexpected(fmt::format("cannot be read: expected {}, or - for standard input", expected));
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) return not_read;
  std::ifstream in(path, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (!in || code) return not_read;
  if (size > kMostBytes) return tl::make_unexpected(fmt::format(kTooLarge, expected));
  std::string text(static_cast<std::size_t>(size), '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

const tl::expected<std::string, std::string>& standard_input() {
  static const tl::expected<std::string, std::string> all = []() -> tl::expected<std::string, std::string> {
    std::string text;
    char piece[4096];
    while (const std::size_t size = std::fread(piece, 1, sizeof piece, stdin)) {
      text.append(piece, size);
      if (text.size() > kMostBytes)
        return tl::make_unexpected(fmt::format(kTooLarge, "a text that can be read at once"));
    }
    return text;
  }();
  return all;
}

std::optional<InputError> beyond_bounds(std::string_view toml, const std::string& file, std::string_view expected) {
  const std::optional<std::size_t> at = Depth(toml).too_deep();
  if (!at) return std::nullopt;
  const std::string_view before = toml.substr(0, *at);
  const std::size_t line_begins = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return InputError{file, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
                    static_cast<int>(*at - line_begins) + 1,
                    fmt::format("keys, lists or tables are nested deeper than {}: expected {}", kDeepest, expected)};
}

}  // namespace leasescope
