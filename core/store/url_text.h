// What the URLs of all stores are made of: the parts that a store's own reading is put together from.
#pragma once
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/store/url.h"

namespace leasescope::url_text {

// What is wrong: "is not a port", and the part of the text that is. It is quoted only when no password can be in it.
struct Wrong {
  std::string what;
  std::string part;
};
tl::unexpected<Wrong> wrong(std::string_view what, std::string_view part = {});

using Parsed = tl::expected<StoreUrl, Wrong>;
using Done = tl::expected<void, Wrong>;

// Anything with an @ or the word may hold one, wherever its author meant it to stand.
bool may_hold_password(std::string_view text);

std::string percent_decoded(std::string_view text);
// Cuts off what stands behind the first `mark`; empty when there is no mark.
std::string_view cut_behind(std::string_view& text, char mark);
// From 0 to `most`; false when it is no such number.
bool parse_number(std::string_view text, int most, int& out);

// user:password@host:port, each of them but the host may be missing.
Done take_authority(std::string_view authority, StoreUrl& url);
// [user:password@]host[:port][/path]: takes all but the path, which is returned as it stands.
tl::expected<std::string_view, Wrong> take_authority_and_path(std::string_view text, StoreUrl& url);
// name=value&name=value: into the URL's options.
void take_options(std::string_view query, StoreUrl& url);
// Moves an option out of them; false when it is not there.
bool take_option(StoreUrl& url, const char* name, std::string& into);

// "scheme://user@host:port/database", without the password.
std::string printed(std::string_view scheme, const StoreUrl& url);

}  // namespace leasescope::url_text
