#include "core/observe/belief_way.h"

#include <sys/un.h>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

}  // namespace

tl::expected<BeliefWay, std::string> parse_belief_way(std::string_view text) {
  if (text == "channel") return BeliefWay{};
  const std::string_view path = text.substr(std::min(kUnix.size(), text.size()));
  if (text.substr(0, kUnix.size()) != kUnix || path.empty() || path.find('\0') != std::string_view::npos)
    return tl::unexpected(
        fmt::format("{}: expected channel, or unix:PATH of a socket such as unix:/run/beliefs.sock", escaped(text)));
  if (path.size() > kLongestPath)
    return tl::unexpected(
        fmt::format("{}: the path has {} bytes: expected {} at most", escaped(text), path.size(), kLongestPath));
  return BeliefWay{std::string(path)};
}

}  // namespace leasescope
