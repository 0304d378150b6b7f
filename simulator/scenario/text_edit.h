// Changes one thing in a scenario's TOML text and leaves every other line as it was, its comments too. What cannot be
// changed where it stands (a list that is written inline, where a table of its own is to be added) is refused: the
// result is always a text that reads as the old one with that change, and as nothing else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace leasescope {

// The error says why not; the text is no TOML, or is written so that there is no place for it.
using EditedText = tl::expected<std::string, std::string>;
// {"mutex", "ttl"}; places in a list are parts as well: {"fault", "0", "at"}.
using TextPath = std::vector<std::string>;

TextPath text_path(std::string_view dotted);
// `value` is what TOML writes: "\"5s\"", "3", "{ median = \"1ms\", p99 = \"3ms\" }".
EditedText set_in_text(const std::string& toml, const TextPath& path, const std::string& value);
// A key with its value and the comment behind it. One that is not there is no error.
EditedText remove_from_text(const std::string& toml, const TextPath& path);
// One more of [[list]], behind the last; `lines` are its keys, one a line.
EditedText add_table_to_text(const std::string& toml, const std::string& list, const std::string& lines);
// The whole table, with the comment that stands right above it.
EditedText remove_table_from_text(const std::string& toml, const std::string& list, std::size_t place);

}  // namespace leasescope
