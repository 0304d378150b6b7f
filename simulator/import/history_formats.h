// What a history is read from: the register. A format is one file, and one line here.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"

namespace leasescope {

struct HistoryFormat {
  std::string_view about;    // "a recording"
  std::string_view endings;  // of its files, by people's habit: "*.recording"
  // Whether a file that begins so, with as much of it as fits 4 KiB, is one. The first that is asked and says so has
  // it.
  bool (*begins)(std::string_view begin) = nullptr;
  tl::expected<std::unique_ptr<HistorySource>, std::string> (*open)(const std::string& path) = nullptr;
  bool in_words = true;
};

const std::vector<HistoryFormat>& history_formats();
// Null where it is none that is known.
const HistoryFormat* history_format(std::string_view begin);
// By how the file begins; what is none that is known, as a recording, which says why not.
const HistoryFormat& history_format_of(const std::string& path);
tl::expected<std::unique_ptr<HistorySource>, std::string> open_history(const std::string& path);

}  // namespace leasescope
