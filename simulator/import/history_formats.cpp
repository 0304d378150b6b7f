#include "simulator/import/history_formats.h"

#include <algorithm>
#include <fstream>

#include "core/history/recording/recording_reader.h"
#include "simulator/import/call_file.h"
#include "simulator/import/run_lines.h"

namespace leasescope {
namespace {

constexpr std::string_view kSQLite = "SQLite format 3";

tl::expected<std::unique_ptr<HistorySource>, std::string> open_recording(const std::string& path) {
  auto opened = RecordingReader::open(path);
  if (!opened) return tl::make_unexpected(opened.error());
  return std::make_unique<RecordingReader>(std::move(*opened));
}

}  // namespace

const std::vector<HistoryFormat>& history_formats() {
  static const std::vector<HistoryFormat> formats{
      {.about = "a recording",
       .endings = "*.recording",
       .begins = [](std::string_view begin) { return begin.substr(0, kSQLite.size()) == kSQLite; },
       .open = open_recording,
       .in_words = false},
      {.about = "the history of a run, in JSON lines",
       .endings = "*.jsonl",
       .begins = begins_run_lines,
       .open = open_run_lines},
      {.about = "a history of calls, in EDN or JSON",
       .endings = "*.edn *.json",
       .begins = begins_calls,
       .open = open_calls},
  };
  return formats;
}

const HistoryFormat* history_format(std::string_view begin) {
  const auto& all = history_formats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const HistoryFormat& of) { return of.begins(begin); });
  return found == all.end() ? nullptr : &*found;
}

const HistoryFormat& history_format_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(4096, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  const HistoryFormat* const format = history_format(begin);
  return format == nullptr ? history_formats().front() : *format;
}

tl::expected<std::unique_ptr<HistorySource>, std::string> open_history(const std::string& path) {
  return history_format_of(path).open(path);
}

}  // namespace leasescope
