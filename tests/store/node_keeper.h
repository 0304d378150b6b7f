// Somebody at a ZooKeeper who says who may read his nodes: libzookeeper's own calls, one after another.
#pragma once
#include <poll.h>
#include <zookeeper/zookeeper.h>

#include <array>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <QtGlobal>

#include "core/store/url.h"

namespace leasescope::tests {

// Beside the keeper, who may do anything.
enum class Readers { kNobody, kEverybody, kWatcher };

// The login "watcher", whose password is "look", as rights name it: by the digest of the two.
inline constexpr const char* kWatcherAsNamed = "watcher:2dmpMh54+HamBzP/Yu1cwq0MDFw=";

class NodeKeeper {
 public:
  explicit NodeKeeper(const StoreUrl& url) {
    zoo_set_debug_level(static_cast<ZooLogLevel>(0));
    // It says no more than is asked of it, so that its session has to last the test without a word.
    handle_ = zookeeper_init(fmt::format("{}:{}", url.endpoint.host, url.endpoint.port).c_str(), nullptr, 60'000,
                             nullptr, nullptr, 0);
    const std::string login = "keeper:keys";
    zoo_add_auth(handle_, "digest", login.data(), static_cast<int>(login.size()), nullptr, nullptr);
    until([this] { return zoo_state(handle_) == ZOO_CONNECTED_STATE; });
  }
  ~NodeKeeper() { zookeeper_close(handle_); }
  NodeKeeper(const NodeKeeper&) = delete;
  NodeKeeper& operator=(const NodeKeeper&) = delete;

  // One that stays.
  void folder(const std::string& path, Readers readers) { make(path, "", readers, ZOO_PERSISTENT); }
  // One that goes with the keeper, whose name ends with its number; its path.
  std::string in_line(const std::string& path, const std::string& data, Readers readers) {
    return make(path, data, readers, ZOO_EPHEMERAL_SEQUENTIAL);
  }
  void let_read(const std::string& path, Readers readers) {
    Rights rights(readers);
    Answer answer;
    sent(path, zoo_aset_acl(handle_, path.c_str(), -1, &rights.all, done, &answer), answer);
  }
  void remove(const std::string& path) {
    Answer answer;
    sent(path, zoo_adelete(handle_, path.c_str(), -1, done, &answer), answer);
  }

 private:
  struct Rights {
    std::string auth = "auth", none, world = "world", anyone = "anyone", digest = "digest", watcher = kWatcherAsNamed;
    std::array<ACL, 2> each{};
    ACL_vector all{};

    explicit Rights(Readers readers) {
      each[0] = {ZOO_PERM_ALL, {auth.data(), none.data()}};
      each[1] = {ZOO_PERM_READ, {world.data(), anyone.data()}};
      if (readers == Readers::kWatcher) each[1].id = {digest.data(), watcher.data()};
      all = {readers == Readers::kNobody ? 1 : 2, each.data()};
    }
  };
  struct Answer {
    bool told = false;
    int code = ZOK;
    std::string path;
  };

  static void done(int code, const void* answer) { made(code, nullptr, answer); }
  static void made(int code, const char* path, const void* answer) {
    auto& of = *static_cast<Answer*>(const_cast<void*>(answer));
    of = {true, code, path == nullptr ? "" : path};
  }
  std::string make(const std::string& path, const std::string& data, Readers readers, int kind) {
    Rights rights(readers);
    Answer answer;
    const int code = zoo_acreate(handle_, path.c_str(), data.data(), static_cast<int>(data.size()), &rights.all, kind,
                                 made, &answer);
    sent(path, code, answer);
    return answer.path;
  }
  void sent(const std::string& path, int code, Answer& answer) {
    if (code == ZOK) until([&] { return answer.told; });
    if (code != ZOK || answer.code != ZOK) qFatal("%s: %s", path.c_str(), zerror(code != ZOK ? code : answer.code));
  }
  // Drives the session until that is so.
  void until(const std::function<bool()>& so) {
    for (int turns = 0; !so(); ++turns) {
      if (turns == 2000) qFatal("ZooKeeper does not answer");
      int interest = 0;
      pollfd ready{-1, 0, 0};
      timeval at_most{};
      zookeeper_interest(handle_, &ready.fd, &interest, &at_most);
      if ((interest & ZOOKEEPER_READ) != 0) ready.events |= POLLIN;
      if ((interest & ZOOKEEPER_WRITE) != 0) ready.events |= POLLOUT;
      ::poll(&ready, ready.fd < 0 ? 0 : 1, 10);
      zookeeper_process(handle_, ((ready.revents & ~POLLOUT) != 0 ? ZOOKEEPER_READ : 0) |
                                     ((ready.revents & POLLOUT) != 0 ? ZOOKEEPER_WRITE : 0));
    }
  }

  zhandle_t* handle_ = nullptr;
};

}  // namespace leasescope::tests
