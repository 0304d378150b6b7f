// The two lines that all contenders of one loop share who reach the same Redis by the same way and login:
// ?lines=shared. They last as long as one of those contenders does.
#pragma once
#include <memory>

#include "core/store/redis/line_share.h"

namespace leasescope::redis {

class SharedLines : public std::enable_shared_from_this<SharedLines> {
 public:
  // Those that there are, or new ones. In the loop's thread, as all else here.
  static std::shared_ptr<SharedLines> of(Loop& loop, const StoreUrl& url, const StoreRoute& route);

  SharedLines(Loop& loop, const StoreUrl& url, const StoreRoute& route);

  std::unique_ptr<Talk> share(bool of_messages, Duration patience, TalkEnds ends);

 private:
  Loop* loop_;
  SharedLine requests_;
  SharedLine messages_;
};

// Why a call of theirs is refused that a cluster points elsewhere.
inline constexpr const char* kNoCluster = "lines=shared leads to one server, and this is a node of a cluster";

}  // namespace leasescope::redis
