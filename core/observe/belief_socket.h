// The Unix socket of one machine at which beliefs are told: whoever watches makes it, whoever contends writes to it.
#pragma once
#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/loop/loop.h"
#include "core/observe/belief_sender.h"

namespace leasescope {

// To that path, whoever listens there: each message finds its way anew. Error: no socket can be made.
tl::expected<std::unique_ptr<BeliefSender>, std::string> send_to_socket(const std::string& path);

class BeliefSocket {
 public:
  using Heard = std::function<void(std::string_view text)>;

  // Errors name the path: somebody listens there, or something else lies there. What a listener that is gone has left
  // is replaced.
  static tl::expected<std::unique_ptr<BeliefSocket>, std::string> open(Loop& loop, const std::string& path,
                                                                       Heard heard);
  ~BeliefSocket();
  BeliefSocket(const BeliefSocket&) = delete;
  BeliefSocket& operator=(const BeliefSocket&) = delete;

 private:
  BeliefSocket(Loop& loop, std::string path, int descriptor, Heard heard);
  void read();

  Loop* loop_;
  std::string path_;
  int descriptor_;
  Heard heard_;
  Loop::WatchId watch_;
  dev_t device_ = 0;  // of the socket at the path; 0: it was gone at once
  ino_t inode_ = 0;
};

}  // namespace leasescope
