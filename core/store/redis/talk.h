// What a store says to one server and hears from it, in turn: on a connection of its own (redis_line.h), or on one that
// others use too (line_share.h).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/store/line.h"
#include "core/store/redis/command.h"
#include "core/store/redis/resp_reader.h"

namespace leasescope::redis {

// Who is told of it.
struct TalkEnds {
  Line::Events events;
  // An answer, in the order of the commands, or a pushed message; it may abandon the line.
  std::function<void(const RespValue&)> said;
};

class Talk : public Line {
 public:
  // Sends at once. False when it is not up.
  virtual bool command(const std::vector<std::string>& words) = 0;
  virtual bool command(const Command& commands) = 0;  // one or more, each answered once; none is of channels
  virtual const Endpoint& server() const = 0;
  // This server is not the one to serve us any more. Where the URL may lead to another, it is looked for.
  virtual void look_elsewhere(const std::string& reason) = 0;

  // It can follow a mutex through a cluster, and only then:
  virtual bool turns() const { return false; }
  // The same line, to that node of a cluster; nobody is told while that succeeds.
  virtual void turn_to(const Endpoint& /*server*/) {}
  // That node may be asked too when the way is looked for.
  virtual void know(const Endpoint& /*server*/) {}

 protected:
  using Line::Line;
};

}  // namespace leasescope::redis
