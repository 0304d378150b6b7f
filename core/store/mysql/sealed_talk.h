// MySQL's protocol over TLS on behalf of a client that speaks it plainly: bytes in, bytes out, no descriptor. The
// client library has TLS of its own, but shakes hands in it while the loop waits.
//
// TLS begins in the midst of the talk: the server greets in the clear, a short packet asks for TLS, and only then comes
// the client's answer. The client is shown a greeting of a server without TLS; its answer is kept until the handshake
// is over. As the server has then had a packet more than the client knows of, all packets of the login are numbered
// anew on their way.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/store/tls/session.h"

namespace leasescope::mysql {

// The packets of one direction, of which only the numbers change.
class Renumbering {
 public:
  explicit Renumbering(int by) : by_(by) {}

  // Changes the bytes in place, in pieces of any size. True: a packet with number 0 began, and from it on nothing is
  // changed any more.
  bool pass(std::string& bytes);

 private:
  int by_;
  std::size_t head_ = 0;  // bytes seen of a packet's head
  std::size_t left_ = 0;  // bytes of a packet still to come
};

class SealedTalk {
 public:
  // `host`: whom the server's certificate must name.
  SealedTalk(std::shared_ptr<const tls::Context> context, std::string host);

  void from_server(std::string_view bytes);
  void from_client(std::string_view bytes);
  // What is to be sent now; it is gone from here.
  std::string to_server();
  std::string to_client();

  // The server is who it should be, and hears the client.
  bool stands() const { return session_ != nullptr && session_->stands(); }
  // For people, and final; empty: none.
  const std::string& error() const { return error_; }
  // How the server ended what it has to say, which the client hears first; empty: it has not.
  const std::string& ended() const { return ended_; }
  // Why a connection ended that ended so.
  std::string why_ended(const std::string& how) const;

 private:
  enum class Stage {
    kGreeting,  // of the server, in the clear
    kAnswer,    // of the client to it
    kLogin,     // under TLS, with numbers of their own
    kService,
    kOver,  // the server refused at once, in the clear, and nothing is said to it
  };

  void read_greeting();
  void read_answer();
  void say(std::string bytes);
  void hear(std::string_view bytes);

  std::shared_ptr<const tls::Context> context_;
  std::string host_;
  Stage stage_ = Stage::kGreeting;
  std::string heard_;  // of the greeting, or of the answer
  std::unique_ptr<tls::Session> session_;
  Renumbering up_{1};
  Renumbering down_{-1};
  std::string to_server_;
  std::string to_client_;
  std::string error_;
  std::string ended_;
};

}  // namespace leasescope::mysql
