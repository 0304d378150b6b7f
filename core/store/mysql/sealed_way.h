// The way of one connection over TLS: between the server's descriptor and one that the client library takes for the
// server's Unix socket. Never waits; whoever has it waits for both.
#pragma once
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "core/store/mysql/sealed_talk.h"
#include "core/store/url.h"

namespace leasescope::mysql {

class SealedWay {
 public:
  // `server` is connected, and closed by this object. `host`: whom the server's certificate must name.
  SealedWay(int server, std::shared_ptr<const tls::Context> context, std::string host);
  ~SealedWay();
  SealedWay(const SealedWay&) = delete;
  SealedWay& operator=(const SealedWay&) = delete;

  // Where the library is to connect, once and by itself alone.
  tl::expected<Endpoint, std::string> door();
  // To be called once it has. False: it has not.
  bool entered();

  // Moves what can be moved now. An end of the server's is one for the library too.
  void move();
  int server() const { return server_; }
  int client() const { return client_; }
  // Whether there is room for what comes from there, and whether something waits to go there.
  bool hears_server() const { return server_ends_.empty() && to_client_.size() < kMost; }
  bool hears_client() const { return client_ >= 0 && !client_ended_ && to_server_.size() < kMost; }
  bool has_for_server() const { return !to_server_.empty(); }
  bool has_for_client() const { return client_ >= 0 && !to_client_.empty(); }

  bool stands() const { return talk_.stands(); }
  // Why there is no such way; empty: there may be. What the library says then is of no use.
  const std::string& error() const { return error_; }
  std::string why_ended(const std::string& how) const { return talk_.why_ended(how); }
  // What has not reached the server never will.
  void cut();

 private:
  static constexpr std::size_t kMost = 64 * 1024;

  void read_client();
  void read_server();
  void write_both();

  int server_;
  int listener_ = -1;
  int place_ = -1;  // of the listener in the file system, where nobody finds it any more
  int client_ = -1;
  SealedTalk talk_;
  std::string to_server_;
  std::string to_client_;
  std::string server_ends_;  // how; empty: it has not
  bool client_ended_ = false;
  bool hard_ = false;
  std::string error_;
};

}  // namespace leasescope::mysql
