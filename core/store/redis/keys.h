// The names of one mutex on Redis; the braces are literal, so that a cluster keeps all its keys in one slot.
#pragma once
#include <string>

namespace leasescope::redis {

struct Keys {
  std::string lease;  // also the channel its messages go to
  std::string fence;
  std::string token;
  std::string queue;   // of contenders up to 3.1
  std::string line;    // of those who wait for a hand-over
  std::string place;   // in it; the id of who has it comes behind
  std::string quorum;  // this server's part of a quorum lock
  std::string quorum_fence;

  explicit Keys(const std::string& mutex)
      : lease("simba:{" + mutex + "}"),
        fence(lease + ":fence"),
        token(lease + ":token"),
        queue(lease + ":contender"),
        line(lease + ":line"),
        place(lease + ":place:"),
        quorum(lease + ":quorum"),
        quorum_fence(quorum + ":fence") {}

  // One of the mutex's registers, of leases by compare-and-set.
  std::string cell(unsigned number) const { return lease + ":cell:" + std::to_string(number); }
  // The channel on which the one that is next is told of a release, or of its own grant.
  std::string channel_of(const std::string& contender) const { return lease + ":" + contender; }
  // The one on which it hears from its thief, or from its victim.
  std::string quorum_channel_of(const std::string& contender) const { return quorum + ":" + contender; }
};

}  // namespace leasescope::redis
