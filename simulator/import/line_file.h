// A text file, line by line.
#pragma once
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace leasescope {

class LineFile {
 public:
  static constexpr std::size_t kLongest = 64 << 20;  // bytes of a line: what is longer is no text of ours

  // The error says why it cannot be read.
  std::string open(const std::string& path);
  // The next one, without its end; false after the last. It is good until the next call.
  bool next(std::string_view& line);

  std::size_t number() const { return number_; }  // of the line that was given last, from 1
  bool whole() const { return whole_; }           // which had its end
  const std::string& error() const { return error_; }
  int permille() const;  // of the file that has been given

 private:
  bool fill();

  std::ifstream file_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::size_t number_ = 0;
  std::uint64_t given_ = 0, size_ = 0;
  bool whole_ = true;
  std::string error_;
};

}  // namespace leasescope
