#include "core/observe/sighting.h"

#include <algorithm>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::size_t kNamed = 5;  // of those who hold, in one line

bool is_among(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

bool Sighting::is_held_by(const std::string& who) const {
  return is_shared() ? is_among(holders, who) : !owner.empty() && owner == who;
}

void share(Sighting& seen, const std::vector<std::string>& holders, std::uint32_t unread) {
  seen.holders.clear();
  for (const std::string& each : holders)
    if (!is_among(seen.holders, each)) seen.holders.push_back(each);
  seen.held = static_cast<std::uint32_t>(holders.size()) + unread;
  seen.unread = unread;
  seen.owner = fmt::format("{}", fmt::join(seen.holders, ", "));
  if (unread > 0) seen.owner += fmt::format(", and {} more", unread);
}

std::string owner_text(const Sighting& seen) {
  if (!seen.is_shared()) return seen.owner;
  std::string out;
  if (seen.permits)
    out = fmt::format("{} of {}: ", seen.held, *seen.permits);
  else if (seen.held > 1)
    out = fmt::format("{}: ", seen.held);
  const std::size_t named = std::min(kNamed, seen.holders.size());
  for (std::size_t i = 0; i < named; ++i) out += (i > 0 ? ", " : "") + seen.holders[i];
  const std::size_t more = seen.holders.size() - named + seen.unread;
  return more > 0 ? fmt::format("{} and {} more", out, more) : out;
}

}  // namespace leasescope
