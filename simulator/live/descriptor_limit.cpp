#include "simulator/live/descriptor_limit.h"

#include <sys/resource.h>

#include <fmt/format.h>

#include "core/store/store_type.h"

namespace leasescope {
namespace {

constexpr std::size_t kLines = 2;  // of a contender
// A proxied line's besides its own: the listener, the proxy's end on the loopback and the one to the server.
constexpr std::size_t kOfAProxy = 3;
// The program's own, those of a window, and lines that are being replaced.
constexpr std::size_t kOfTheRest = 100;

// Each goes a way of its own where a proxy stands in it.
bool share_lines(bool proxied, const StoreUrl& store) {
  return !proxied && store.type != nullptr && store.type->shares_lines != nullptr && store.type->shares_lines(store);
}

}  // namespace

std::size_t descriptors_for(std::size_t contenders, bool proxied, const StoreUrl& store) {
  const int own = store.sealed && store.type != nullptr ? store.type->descriptors_over_tls : 1;
  const std::size_t ways = share_lines(proxied, store) ? 1 : contenders;
  return kLines * (static_cast<std::size_t>(own) + (proxied ? kOfAProxy : 0)) * ways + kOfTheRest;
}

tl::expected<void, std::string> allow_descriptors_for(std::size_t contenders, bool proxied, const StoreUrl& store) {
  rlimit limit{};
  const rlim_t needed = descriptors_for(contenders, proxied, store);
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return {};
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= needed) return {};
  return tl::unexpected(
      fmt::format("{} live contenders need about {} open descriptors, this process may have {}: raise the limit "
                  "(ulimit -n {}) or run fewer contenders (--set contender.0.count=…)",
                  contenders, needed, limit.rlim_cur, needed));
}

}  // namespace leasescope
