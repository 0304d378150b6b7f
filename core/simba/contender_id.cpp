#include "core/simba/contender_id.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <vector>

#include <fmt/format.h>

namespace leasescope {
namespace {

constexpr std::size_t kLongestId = 128;
constexpr std::size_t kLongestMutex = 66;

// Code points of well-formed UTF-8; a broken byte counts as one character of its own.
std::vector<char32_t> code_points(std::string_view utf8) {
  std::vector<char32_t> points;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    std::size_t length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
    char32_t point = length == 1 ? lead : lead & (0xff >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(i + k < utf8.size() ? utf8[i + k] : 0);
      if ((next & 0xc0) != 0x80) length = 0;
      point = (point << 6) | (next & 0x3f);
    }
    if (length == 0) {
      length = 1;
      point = 0xfffd;
    }
    points.push_back(point);
    i += length;
  }
  return points;
}

// Character.isWhitespace or Character.isSpaceChar of the JVM.
bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

// The last IPv4 address of an interface that is up and not the loopback, as Simba's supplier chooses it.
std::string host_address() {
  std::string address = "127.0.0.1";
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return address;
  for (const ifaddrs* at = all; at != nullptr; at = at->ifa_next) {
    const bool usable = (at->ifa_flags & IFF_UP) && !(at->ifa_flags & IFF_LOOPBACK);
    if (!usable || at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN] = {};
    const auto* in = reinterpret_cast<const sockaddr_in*>(at->ifa_addr);
    if (inet_ntop(AF_INET, &in->sin_addr, text, sizeof text) != nullptr) address = text;
  }
  freeifaddrs(all);
  return address;
}

}  // namespace

bool is_blank(std::string_view utf8) {
  for (const char32_t c : code_points(utf8))
    if (!is_space(c)) return false;
  return true;
}

tl::expected<void, std::string> validate_contender_id(std::string_view id) {
  if (is_blank(id)) return tl::make_unexpected("contenderId must not be blank!");
  if (id.find("@@") != std::string_view::npos)
    return tl::make_unexpected(
        fmt::format("contender id \"{}\" contains \"@@\", which parts the fields of a message", id));
  if (id.back() == '@')
    return tl::make_unexpected(
        fmt::format("contender id \"{}\" ends with \"@\", which older readers split wrongly", id));
  if (const std::size_t length = code_points(id).size(); length > kLongestId)
    return tl::make_unexpected(fmt::format(
        "contender id has {} characters: expected at most {}, the width of the SQL column", length, kLongestId));
  return {};
}

tl::expected<void, std::string> validate_mutex_name(std::string_view name) {
  if (is_blank(name)) return tl::make_unexpected("mutex must not be blank!");
  if (name.front() == '}')
    return tl::make_unexpected(
        fmt::format("mutex name \"{}\" begins with \"}}\": its keys would lie in different slots of a cluster", name));
  if (const std::size_t length = code_points(name).size(); length > kLongestMutex)
    return tl::make_unexpected(fmt::format(
        "mutex name has {} characters: expected at most {}, the width of the SQL column", length, kLongestMutex));
  return {};
}

std::string make_host_id() {
  static std::atomic<std::uint64_t> counter{0};
  return fmt::format("{}:{}@{}", counter++, getpid(), host_address());
}

std::string make_uuid_id() {
  std::random_device entropy;
  std::string id;
  for (int word = 0; word < 4; ++word) id += fmt::format("{:08x}", entropy());
  id[12] = '4';                                                             // version
  id[16] = "89ab"[(id[16] <= '9' ? id[16] - '0' : id[16] - 'a' + 10) & 3];  // variant
  return id;
}

}  // namespace leasescope
