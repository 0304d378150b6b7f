#include "core/store/zookeeper/advice.h"

#include <fmt/format.h>

namespace leasescope::zookeeper {
namespace {

constexpr const char* kWrongLogin = "the user or the password is wrong: zookeeper://user:password@host";

bool is_of_rights(const std::string& error) {
  return error.find("not authenticated") != std::string::npos || error.find("insufficient") != std::string::npos;
}

// A server takes any login: a wrong password is somebody to whom no node has given a right. The rights that there are
// have to stay: setAcl puts its own in their place.
std::string let_read(const StoreUrl& url, const std::string& path) {
  const std::string node = (url.database.empty() ? "" : "/" + url.database) + (path.empty() ? "/simba" : path);
  const std::string whose = url.user.empty() ? "world:anyone:r" : fmt::format("digest:{}:…:r", url.user);
  const std::string add = fmt::format("add {} to what getAcl {} says, by setAcl -R", whose, node);
  if (url.user.empty()) return "log in as one who may read it, zookeeper://user:password@host, or " + add;
  return fmt::format("the password of {} is wrong, or it may not read there: {}", url.user, add);
}

}  // namespace

std::string advice(const std::string& error) {
  const auto says = [&](const char* words) { return error.find(words) != std::string::npos; };
  if (says("login")) return kWrongLogin;
  if (is_of_rights(error))
    return "let it make and remove nodes under /simba: zookeeper://user:password@host, or setAcl /simba "
           "world:anyone:cdrwa";
  if (says("no node")) return "the path of the URL is not there: make it, or leave it out";
  return "is it running, and is this its address?";
}

std::string advised_to_watcher(const std::string& error, const StoreUrl& url, const std::string& path) {
  if (is_of_rights(error)) return fmt::format("{}: {}", error, let_read(url, path));
  if (error.find("login") != std::string::npos) return fmt::format("{}: {}", error, kWrongLogin);
  if (!path.empty()) return error;
  return fmt::format("{}: is it running, and is this the address of a ZooKeeper, where it speaks without TLS?", error);
}

}  // namespace leasescope::zookeeper
