// What a server model is handed and what comes of it: plain data between the models and the world.
#pragma once
#include <vector>

#include "core/store/port.h"
#include "simulator/fault/port.h"

namespace leasescope {

// A request as it reached the server, with what the world needs to bring the answer home.
struct ServerCall {
  Request request;
  NodeIndex node = 0;       // the sender
  std::uint32_t life = 0;   // of the sender's process
  std::uint32_t mutex = 0;  // its place in the world
  std::uint32_t cause = 0;  // the event that led to it
};

// One thing that happened at the server: a fact for the history, then perhaps an answer, then perhaps a message.
struct ServerStep {
  enum class Fact : std::uint8_t { kNothing, kGranted, kRenewed, kReleased, kExpired, kForgotten };

  Fact fact = Fact::kNothing;
  bool replies = false;
  bool publishes = false;
  std::uint32_t mutex = 0;
  Name owner;  // whom the fact is about
  Token token = kNoToken;
  Duration lease{};         // granted, renewed: the lease promised
  NodeIndex node = 0;       // whose call led to it; the answer goes there
  std::uint32_t life = 0;   // of that node's process
  std::uint32_t cause = 0;  // the event that led to it
  Reply reply;
  StoreEvent message;
  Name channel;  // publishes: of that contender alone; empty: of the mutex
};

// Recycled from step to step.
using ServerSteps = std::vector<ServerStep>;

}  // namespace leasescope
