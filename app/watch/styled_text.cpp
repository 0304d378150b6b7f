#include "app/watch/styled_text.h"

#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::ctl {
namespace {

constexpr std::size_t kMostBytes = 4;  // of a character of UTF-8

// How many cells a character takes, as the C library has it, whatever the locale of the program is: a terminal of UTF-8
// has the same tables. Without them only ASCII is known.
class CellWidths {
 public:
  CellWidths() : utf8_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (utf8_ == nullptr) utf8_ = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  }
  ~CellWidths() {
    if (utf8_ != nullptr) ::freelocale(utf8_);
  }
  CellWidths(const CellWidths&) = delete;
  CellWidths& operator=(const CellWidths&) = delete;

  // 0: none, or nobody knows.
  std::size_t of(wchar_t character) const {
    if (character < 0x80) return character >= 0x20 && character != 0x7f ? 1 : 0;
    if (utf8_ == nullptr) return 0;
    const locale_t before = ::uselocale(utf8_);
    const int width = ::wcwidth(character);
    ::uselocale(before);
    return static_cast<std::size_t>(std::clamp(width, 0, 2));
  }

 private:
  locale_t utf8_;
};

std::size_t cells_of(wchar_t character) {
  static const CellWidths widths;
  return widths.of(character);
}

// The character that begins there, of text that is right UTF-8, and its bytes.
std::pair<wchar_t, std::size_t> character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return {static_cast<wchar_t>(first), 1};
  const std::size_t size = std::min<std::size_t>(first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2, text.size());
  std::uint32_t code = first & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) code = code << 6 | (byte(i) & 0x3fu);
  return {static_cast<wchar_t>(code), size};
}

// Our own signs, where there is only ASCII.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kInAscii{{{"≥", ">="},
                                                                                  {"≤", "<="},
                                                                                  {"–", "-"},
                                                                                  {"…", "~"},
                                                                                  {"·", "-"},
                                                                                  {"▲", "^"},
                                                                                  {"▼", "v"},
                                                                                  {"█", "#"},
                                                                                  {"▐", "#"},
                                                                                  {"▒", "="},
                                                                                  {"×", "x"}}};

std::string spelled(std::string_view bytes) {
  std::string out;
  for (const char each : bytes) out += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(each));
  return out;
}

// A character beyond ASCII as it may stand there.
std::string stand_in(std::string_view character, Letters letters) {
  if (cells_of(character_at(character).first) == 0) return spelled(character);
  if (letters == Letters::kUtf8) return std::string(character);
  const auto* const own =
      std::find_if(kInAscii.begin(), kInAscii.end(), [&](const auto& each) { return each.first == character; });
  return own == kInAscii.end() ? spelled(character) : std::string(own->second);
}

}  // namespace

std::string TextLine::text() const {
  std::string out;
  for (const Piece& each : pieces) out += each.text;
  return out;
}

std::string presented(std::string_view text, std::size_t cells, Letters letters) {
  if (cells == 0) return {};
  // No more of it than could stand there, if it were the shortest that there is.
  const std::string safe = escaped(text, kMostBytes * (cells + 1));
  std::string out;
  std::size_t used = 0, all_but_mark = 0;  // bytes that leave a cell for the mark
  for (std::size_t at = 0; at < safe.size();) {
    const std::size_t size = character_at(std::string_view(safe).substr(at)).second;
    const std::string next =
        size == 1 ? safe.substr(at, 1) : stand_in(std::string_view(safe).substr(at, size), letters);
    const std::size_t width = width_of(next);
    if (used + width > cells) {
      out.resize(all_but_mark);
      return out + (letters == Letters::kUtf8 ? "…" : "~");
    }
    out += next;
    used += width;
    if (used < cells) all_but_mark = out.size();
    at += size;
  }
  return out;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t cells, std::size_t lines, Letters letters) {
  std::vector<std::string> out(1);
  if (cells < 2) return out;  // no room for a wide character
  const std::string all = presented(text, (cells - 1) * lines, letters);
  std::size_t used = 0;
  for (std::size_t at = 0; at < all.size();) {
    const auto [character, size] = character_at(std::string_view(all).substr(at));
    const std::size_t width = cells_of(character);
    if (used + width > cells) {
      out.emplace_back();
      used = 0;
    }
    out.back() += all.substr(at, size);
    used += width;
    at += size;
  }
  return out;
}

std::size_t width_of(std::string_view presented) {
  std::size_t out = 0;
  while (!presented.empty()) {
    const auto [character, size] = character_at(presented);
    out += cells_of(character);
    presented.remove_prefix(size);
  }
  return out;
}

std::wstring wide(std::string_view presented) {
  std::wstring out;
  while (!presented.empty()) {
    const auto [character, size] = character_at(presented);
    out += character;
    presented.remove_prefix(size);
  }
  return out;
}

std::string utf8_of(char32_t code) {
  const auto part = [code](unsigned shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | code >> 6), part(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | code >> 12), part(6), part(0)};
  return {static_cast<char>(0xf0 | code >> 18), part(12), part(6), part(0)};
}

// ---- a line

void LineMaker::add(std::string text, std::size_t cells, Ink ink) {
  left_ -= std::min(left_, cells);
  if (text.empty()) return;
  if (!line_.pieces.empty() && line_.pieces.back().ink == ink) {
    line_.pieces.back().text += text;
  } else {
    line_.pieces.push_back({std::move(text), ink});
  }
}

LineMaker& LineMaker::put(std::string_view text, Ink ink) {
  std::string made = presented(text, left_, letters_);
  const std::size_t cells = width_of(made);
  add(std::move(made), cells, ink);
  return *this;
}

LineMaker& LineMaker::put_left(std::string_view text, std::size_t cells, Ink ink) {
  const std::size_t room = std::min(cells, left_);
  const std::string made = presented(text, room, letters_);
  add(made + std::string(room - width_of(made), ' '), room, ink);
  return *this;
}

LineMaker& LineMaker::put_right(std::string_view text, std::size_t cells, Ink ink) {
  const std::size_t room = std::min(cells, left_);
  const std::string made = presented(text, room, letters_);
  add(std::string(room - width_of(made), ' ') + made, room, ink);
  return *this;
}

LineMaker& LineMaker::space(std::size_t cells) { return put_left({}, cells); }

TextLine LineMaker::take(Ground ground) {
  line_.ground = ground;
  return std::exchange(line_, {});
}

}  // namespace leasescope::ctl
