#include "simulator/live/descriptor_limit.h"

#include <sys/resource.h>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::size_t kLines = 2;  // of a contender
// Each with its listener, its two ends on the loopback and the one to the server.
constexpr std::size_t kOfAProxiedLine = 4;
// The program's own, those of a window, and lines that are being replaced.
constexpr std::size_t kOfTheRest = 100;

}  // namespace

tl::expected<void, std::string> allow_descriptors_for(std::size_t contenders, bool proxied) {
  rlimit limit{};
  const rlim_t needed = kLines * (proxied ? kOfAProxiedLine : 1) * contenders + kOfTheRest;
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
