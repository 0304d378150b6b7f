// A history written to a file as JSON lines while it grows: never more of it in memory than a buffer.
#pragma once
#include <string>

#include <tl/expected.hpp>

#include "core/history/history_header.h"
#include "core/history/history_lines.h"

namespace leasescope {

class HistoryFile {
 public:
  static constexpr std::size_t kBuffer = 256 * 1024;

  // Empties the file, or makes it.
  static tl::expected<HistoryFile, std::string> open(const std::string& path);
  // What is in there already stays, and so does what others write there meanwhile: a line that is cut short is not
  // taken back.
  static tl::expected<HistoryFile, std::string> standard_output();
  HistoryFile(HistoryFile&& other) noexcept;
  HistoryFile& operator=(HistoryFile&&) = delete;
  ~HistoryFile();

  // What it is a history of: its first line, before anything else.
  tl::expected<void, std::string> head(const HistoryHeader& header);
  // The events up to that number are none of this file's; before the first append.
  void begin_after(Sequence number) { written_ = before_ = number; }
  // What the history holds and was not written yet, in whole lines. It is with the operating system when this returns:
  // a process that is killed loses nothing of it. After an error, which says why, the file ends with the last whole
  // line that could be written, and nothing is written any more.
  tl::expected<void, std::string> append(const History& history);

  Sequence written() const { return written_ - before_; }  // events
  const std::string& path() const { return path_; }

 private:
  HistoryFile(std::string path, int descriptor, bool own);
  void flush(Sequence up_to);
  void keep_whole_lines(std::size_t of_buffer);
  void cut();  // to `size_`

  std::string path_;
  int descriptor_;
  bool own_;  // nobody else's bytes are in it
  HistoryLines lines_;
  std::string buffer_;
  Sequence written_ = 0;  // the number of the last that was
  Sequence before_ = 0;   // the first
  long long size_ = 0;    // of the file
  std::string failed_;    // why
};

}  // namespace leasescope
