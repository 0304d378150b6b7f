// Lines of text for a terminal, as cells with a style: what others wrote comes in escaped, and no line is wider than it
// may be.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leasescope::ctl {

// What the terminal can show.
enum class Letters : std::uint8_t { kAscii, kUtf8 };

// What a piece of text is, for whoever has colours; its words say it without.
enum class Ink : std::uint8_t { kPlain, kMuted, kStrong, kHeld, kInTransition, kLeaderless, kUnobserved, kAlarm };

struct Piece {
  std::string text;  // every character of it takes one cell or two
  Ink ink = Ink::kPlain;
};

enum class Ground : std::uint8_t { kPlain, kHeader, kChosen, kAlarm };

struct TextLine {
  std::vector<Piece> pieces;
  Ground ground = Ground::kPlain;
  std::string text() const;
};

// A text from anywhere as it may stand in so many cells: what would move a cursor, takes no cell or has no letter here
// is spelled as \xe2\x80\x8b; what does not fit ends with "…". Of Letters::kAscii also "≥" is ">=", and so on.
std::string presented(std::string_view text, std::size_t cells, Letters letters);
// The same over several lines of so many cells each; what does not fit into that many lines ends with "…".
std::vector<std::string> wrapped(std::string_view text, std::size_t cells, std::size_t lines, Letters letters);
// How many cells a text takes that was made by presented(), or is right UTF-8 without what moves a cursor.
std::size_t width_of(std::string_view presented);
// Its characters.
std::wstring wide(std::string_view presented);
// One of them in UTF-8.
std::string utf8_of(char32_t character);

// One line, from the left to the right.
class LineMaker {
 public:
  LineMaker(std::size_t cells, Letters letters) : left_(cells), letters_(letters) {}

  // As much of it as there is room for.
  LineMaker& put(std::string_view text, Ink ink = Ink::kPlain);
  // In just so many cells, of those that there are.
  LineMaker& put_left(std::string_view text, std::size_t cells, Ink ink = Ink::kPlain);
  LineMaker& put_right(std::string_view text, std::size_t cells, Ink ink = Ink::kPlain);
  LineMaker& space(std::size_t cells);

  std::size_t left() const { return left_; }  // cells
  TextLine take(Ground ground = Ground::kPlain);

 private:
  void add(std::string text, std::size_t cells, Ink ink);

  std::size_t left_;
  Letters letters_;
  TextLine line_;
};

}  // namespace leasescope::ctl
