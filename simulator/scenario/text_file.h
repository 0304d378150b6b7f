// A file that people hand over, read whole and within bounds: what is no text of theirs must not fill the memory, and
// what is nested without end must not reach a parser that calls itself.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "simulator/scenario/reader.h"

namespace leasescope {

inline constexpr std::string_view kStandardInput = "-";

// A regular file of at most 64 MB; the error says what was `expected`, without the path.
tl::expected<std::string, std::string> read_text_file(const std::string& path,
                                                      std::string_view expected = "a scenario's name, a TOML file");
// All of it, likewise bounded. It can be read once: later calls get the same.
const tl::expected<std::string, std::string>& standard_input();

// Why a TOML text must not be parsed: keys, lists and tables nested deeper than 64; none where it may. The error says
// what was `expected`.
std::optional<InputError> beyond_bounds(std::string_view toml, const std::string& file,
                                        std::string_view expected = "a scenario");

}  // namespace leasescope
