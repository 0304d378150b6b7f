// A command as a server reads it: a list of texts, each behind its length.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leasescope::redis {

class Command {
 public:
  // So many words follow.
  explicit Command(std::size_t words) {
    text_.reserve(kUsual);
    number('*', words);
  }

  void add(std::string_view word) {
    number('$', word.size());
    (text_ += word) += kEnd;
  }
  // Both, in one piece.
  Command followed_by(const Command& next) && {
    text_ += next.text_;
    count_ += next.count_;
    return std::move(*this);
  }
  const std::string& text() const { return text_; }
  std::size_t count() const { return count_; }  // of commands

 private:
  static constexpr std::size_t kUsual = 512;
  static constexpr std::string_view kEnd = "\r\n";

  void number(char mark, std::size_t value) { ((text_ += mark) += std::to_string(value)) += kEnd; }

  std::string text_;
  std::size_t count_ = 1;
};

inline Command command_of(const std::vector<std::string>& words) {
  Command out(words.size());
  for (const std::string& word : words) out.add(word);
  return out;
}

}  // namespace leasescope::redis
