#include "core/store/redis/redirect.h"

#include "core/store/url_text.h"

namespace leasescope::redis {

std::optional<Redirect> read_redirect(std::string_view error, const Endpoint& from) {
  std::string_view rest = error;
  const std::string_view behind = url_text::cut_behind(rest, ' ');
  if (rest == "TRYAGAIN" || rest == "CLUSTERDOWN") return Redirect{};
  if (rest != "MOVED" && rest != "ASK") return std::nullopt;
  // "MOVED 3999 127.0.0.1:6381"; an address may have colons of its own.
  std::string_view slot = behind;
  const std::string_view where = url_text::cut_behind(slot, ' ');
  const std::size_t colon = where.rfind(':');
  Redirect out{rest == "MOVED" ? Redirect::Kind::kMoved : Redirect::Kind::kAsk, from};
  if (colon == std::string_view::npos || !url_text::parse_number(where.substr(colon + 1), 65535, out.server.port))
    return std::nullopt;
  const std::string_view host = where.substr(0, colon);
  if (!host.empty() && host != "?") out.server.host = std::string(host);
  out.server.unix_path.clear();
  return out;
}

}  // namespace leasescope::redis
