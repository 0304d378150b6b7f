// HTTP by libcurl's multi interface, driven from a loop: requests whose answer comes whole, or as a stream.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/loop/one_shot.h"

typedef void CURL;
typedef void CURLM;

namespace leasescope::etcd {

// Whom it trusts and who it says it is over TLS: files in PEM form, empty where nothing is said.
struct HttpTerms {
  std::string authorities;
  std::string certificate;
  std::string key;
};

struct HttpRequest {
  std::string url;
  std::string body;
  std::string authorization;  // of the header; empty: none
  Duration at_most{};         // for all of it; zero: it is a stream, which may last
  Duration to_connect{};
  std::size_t most = 0;  // bytes of an answer that may wait to be taken
};

struct HttpEnded {
  int status = 0;       // 0: no answer
  bool late = false;    // its time was over
  std::string trouble;  // libcurl's words; empty: it came to its end
};

class Transfers {
 public:
  using Id = std::uint64_t;
  // Called from the loop, never from within a call of this class; they may begin others and cancel any.
  struct Events {
    std::function<void(std::string_view bytes)> came;   // at least a byte
    std::function<void(const HttpEnded& ended)> ended;  // once, unless it is cancelled
  };

  Transfers(Loop& loop, HttpTerms terms);
  ~Transfers();
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  Id begin(const HttpRequest& request, Events events);
  void cancel(Id id);  // of one that has ended: nothing happens
  void cancel_all();
  bool has(Id id) const { return transfers_.count(id) > 0; }  // it has neither ended nor been cancelled

 private:
  struct Transfer;
  struct Watched {
    Loop::WatchId reads = 0, writes = 0;
  };

  static int on_socket(CURL* easy, int descriptor, int what, void* self, void* of_socket);
  static int on_timer(CURLM* multi, long ms, void* self);
  static std::size_t on_bytes(char* bytes, std::size_t one, std::size_t count, void* transfer);
  void describe(Transfer& transfer, const HttpRequest& request);
  void watch(int descriptor, bool reads, bool writes);
  void act(int descriptor, int ready);
  void take_ended();
  void deliver();

  Loop* loop_;
  HttpTerms terms_;
  CURLM* multi_;
  OneShot timer_, failed_;
  std::map<int, Watched> watched_;
  std::map<Id, std::unique_ptr<Transfer>> transfers_;
  Id last_ = 0;
};

}  // namespace leasescope::etcd
