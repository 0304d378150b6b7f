// Who follows which channel of a line that many share. Each of them asks the server itself, which confirms a channel
// again and again: nobody follows on another's word, and what came before one's own confirmation is not one's own.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace leasescope::redis {

class Followers {
 public:
  using Seat = std::uint64_t;
  using Number = std::uint64_t;  // of the command by which it asks

  void ask(const std::string& channel, Seat seat, Number number);
  // The server has answered that command; nothing happens when the seat has left the channel since.
  void confirm(const std::string& channel, Seat seat, Number number);
  struct Left {
    std::string channel;
    bool last = false;  // nobody else follows it, or has asked to
  };
  // All that it followed, or had asked for.
  std::vector<Left> leave(Seat seat);
  void clear();

  // Those whom the server has confirmed it to.
  std::vector<Seat> of(const std::string& channel) const;

 private:
  struct Follower {
    Seat seat = 0;
    Number asked = 0;
    bool confirmed = false;
  };

  std::unordered_map<std::string, std::vector<Follower>> channels_;
  std::unordered_map<Seat, std::vector<std::string>> followed_;
};

}  // namespace leasescope::redis
