#include "core/store/redis/followers.h"

#include <algorithm>
#include <utility>

namespace leasescope::redis {

void Followers::ask(const std::string& channel, Seat seat, Number number) {
  std::vector<Follower>& all = channels_[channel];
  const auto found = std::find_if(all.begin(), all.end(), [&](const Follower& each) { return each.seat == seat; });
  if (found != all.end()) {
    *found = {seat, number, false};
    return;
  }
  all.push_back({seat, number, false});
  followed_[seat].push_back(channel);
}

void Followers::confirm(const std::string& channel, Seat seat, Number number) {
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return;
  for (Follower& each : found->second)
    if (each.seat == seat && each.asked == number) each.confirmed = true;
}

std::vector<Followers::Left> Followers::leave(Seat seat) {
  std::vector<Left> out;
  const auto found = followed_.find(seat);
  if (found == followed_.end()) return out;
  for (const std::string& channel : found->second) {
    std::vector<Follower>& all = channels_[channel];
    all.erase(std::remove_if(all.begin(), all.end(), [&](const Follower& each) { return each.seat == seat; }),
              all.end());
    out.push_back({channel, all.empty()});
    if (all.empty()) channels_.erase(channel);
  }
  followed_.erase(found);
  return out;
}

void Followers::clear() {
  channels_.clear();
  followed_.clear();
}

std::vector<Followers::Seat> Followers::of(const std::string& channel) const {
  std::vector<Seat> out;
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return out;
  for (const Follower& each : found->second)
    if (each.confirmed) out.push_back(each.seat);
  return out;
}

}  // namespace leasescope::redis
