#include "core/store/redis/shared_lines.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace leasescope::redis {
namespace {

constexpr const char* kVanished = "the server has been silent on the line for requests";

// Who shares with whom.
struct Key {
  const Loop* loop;
  bool sealed;
  Endpoint server;
  std::vector<Endpoint> others;
  std::string user, password, database;
  std::map<std::string, std::string> options;
  Endpoint requests, messages;

  bool operator==(const Key&) const = default;
};

struct Known {
  Key key;
  std::weak_ptr<SharedLines> lines;
};

}  // namespace

SharedLines::SharedLines(Loop& loop, const StoreUrl& url, const StoreRoute& route)
    : loop_(&loop),
      requests_(loop, url, SharedLine::Use::kRequests, way_of(url, route, false)),
      messages_(loop, url, SharedLine::Use::kMessages, way_of(url, route, true)) {
  // Who only listens hears nothing from a peer that has vanished.
  requests_.on_silence = [this] { messages_.abandon(kVanished); };
}

// Ways that are led by hand cannot be compared: such a contender has its lines to itself.
std::shared_ptr<SharedLines> SharedLines::of(Loop& loop, const StoreUrl& url, const StoreRoute& route) {
  static std::mutex mutex;
  static std::vector<Known> known;
  if (route.towards) return std::make_shared<SharedLines>(loop, url, route);
  const std::lock_guard lock(mutex);
  known.erase(std::remove_if(known.begin(), known.end(), [](const Known& each) { return each.lines.expired(); }),
              known.end());
  const Key key{&loop,        url.sealed,   url.endpoint, url.others,     url.user,
                url.password, url.database, url.options,  route.requests, route.messages};
  for (const Known& each : known)
    if (each.key == key)
      if (auto found = each.lines.lock()) return found;
  auto made = std::make_shared<SharedLines>(loop, url, route);
  known.push_back({key, made});
  return made;
}

std::unique_ptr<Talk> SharedLines::share(bool of_messages, Duration patience, TalkEnds ends) {
  return std::make_unique<LineShare>(*loop_, shared_from_this(), of_messages ? messages_ : requests_, patience,
                                     std::move(ends));
}

}  // namespace leasescope::redis
