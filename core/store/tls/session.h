// One encrypted connection as a value of bytes in and bytes out: it knows no descriptor and never waits. The handshake
// is part of it; the server's certificate and the name in it are checked.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/store/tls/context.h"

typedef struct ssl_st SSL;
typedef struct bio_st BIO;
typedef struct x509_store_ctx_st X509_STORE_CTX;

namespace leasescope::tls {

// What an error begins with or has in it, for whoever knows the remedy.
inline constexpr const char* kNoTls = "it does not speak TLS";
inline constexpr const char* kUntrusted = "its certificate is not trusted";
inline constexpr const char* kInvalidNow = "its certificate is not valid now";
inline constexpr const char* kOthersCertificate = "its certificate is not for";
inline constexpr const char* kWantsCertificate = "it asks for a client certificate";

class Session {
 public:
  // `host`: whom the server's certificate must name, or a numeric address. The first words for the server are there at
  // once.
  Session(const Context& context, const std::string& host);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // What came from the server, in pieces of any size: gives what it says, as far as it can be read. Errors are for
  // people, and final; what was said before one is given first, then it is in error() already.
  tl::expected<std::string, std::string> take(std::string_view bytes);
  const std::string& error() const { return error_; }
  // The error is the server's own orderly end of what it has to say, after it has said something.
  bool closed() const { return closed_ && served_; }
  // To be said to the server: it goes out once the handshake is over.
  void say(std::string_view text);
  // What is to be sent now; it is gone from here.
  std::string give();
  // The server is who it should be, and what is said can go out.
  bool stands() const { return stands_; }
  // Why a connection ended that ended so: a server need not say that it wanted a certificate.
  std::string why_ended(const std::string& how) const;

 private:
  void shake_hands();
  std::string listen();
  void encrypt();
  void fail(int result);  // of a call of OpenSSL; that it waits for bytes is no failure
  std::string words_of_failure(int what) const;
  std::string words_of_refused_certificate() const;

  static int on_verified(int is_good, X509_STORE_CTX* chain);

  std::string host_;
  bool has_certificate_;
  bool wanted_certificate_ = false;  // the server asked for one
  bool stands_ = false;
  bool begun_ = false;  // a first byte has come
  bool closed_ = false;
  bool served_ = false;  // ... of what it says
  std::string others_;   // whom the certificate names that is refused
  std::string error_;
  std::string unsaid_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  BIO* from_server_;
  BIO* to_server_;
};

}  // namespace leasescope::tls
