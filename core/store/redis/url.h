// redis://[user:password@]host[:port][,host…][/number], unix:/path/of/redis.sock, each with ?user=&password=&db=;
// several hosts are the nodes of a cluster, or the servers of a quorum lock, each with that login. rediss:// the same
// over TLS, with ?cacert=&cert=&key= too. redis+sentinel://[user:password@]host[:port],…/master[/number]: whatever
// master the sentinels name; their own login is ?sentinel-user=&sentinel-password=.
#pragma once
#include <string>
#include <string_view>

#include "core/store/url_text.h"

namespace leasescope::redis {

url_text::Parsed parse_url(std::string_view scheme, std::string_view rest);
std::string printable(const StoreUrl& url);
// Contenders of Simba up to 3.1 are among the others: ?legacy=on.
bool is_legacy(const StoreUrl& url);
// Contenders of one loop share their lines: ?lines=shared.
bool shares_lines(const StoreUrl& url);
// Where our contenders wait, by that or by what they will ask for.
enum class Waits { kNowhere, kInQueue, kInLine };
Waits waits(const StoreUrl& url);
// LEASESCOPE_REDIS_PASSWORD_FILE (a file), then REDISCLI_AUTH.
tl::expected<std::string, std::string> password_of_environment(const StoreUrl& url);

}  // namespace leasescope::redis
