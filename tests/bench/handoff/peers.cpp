#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "tests/bench/handoff/peer.h"

namespace leasescope::bench {
namespace {

constexpr int kNotInstalled = 77;

// A Python program in peers/: PROGRAM ADDRESS COUNT prints one sample a line, in microseconds. ADDRESS is host:port or
// the path of a Unix socket.
std::vector<Watch::duration> of_program(const char* program, const StoreUrl& url, int count) {
  const Endpoint& at = url.endpoint;
  const std::string address = at.unix_path.empty() ? fmt::format("{}:{}", at.host, at.port) : at.unix_path;
  const std::string command =
      fmt::format("/usr/bin/python3 '{}/{}' '{}' {}", LEASESCOPE_HANDOFF_PEERS, program, address, count);
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotInstalled) throw NotInstalled(std::string(program));
  if (status != 0) throw std::runtime_error(command + " failed");
  std::vector<Watch::duration> out;
  std::istringstream lines(text);
  for (double us = 0; lines >> us;)
    out.push_back(std::chrono::duration_cast<Watch::duration>(std::chrono::duration<double, std::micro>(us)));
  return out;
}

std::vector<Watch::duration> redis_py(const StoreUrl& url, int count) {
  return of_program("redis_py_lock.py", url, count);
}
std::vector<Watch::duration> kazoo(const StoreUrl& url, int count) { return of_program("kazoo_lock.py", url, count); }

}  // namespace

const std::vector<PeerKind>& peers() {
  static const std::vector<PeerKind> all = {
      {"redis", "redis-py Lock", redis_py},
      {"postgres", "advisory lock", postgres_advisory},
      {"zookeeper", "kazoo Lock", kazoo},
  };
  return all;
}

}  // namespace leasescope::bench
