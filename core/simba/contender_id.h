// Contender ids and mutex names: which are safe on the wire, and how ids are made. Why: core/simba/README.md.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace leasescope {

// Blank as Kotlin's isBlank sees it: every character is white space, U+00A0, U+2007, U+3000 and their like included.
bool is_blank(std::string_view utf8);

// Refuses what breaks the wire form: blank, "@@" inside, '@' at the end, more than 128 characters.
tl::expected<void, std::string> validate_contender_id(std::string_view id);
// Refuses blank names and, since SQL tables keep 66 characters, longer ones.
tl::expected<void, std::string> validate_mutex_name(std::string_view name);

// "<counter>:<pid>@<hostAddress>": the counter is per process and starts at 0.
std::string make_host_id();
// A random UUID without dashes: 32 lower-case hex digits.
std::string make_uuid_id();

}  // namespace leasescope
