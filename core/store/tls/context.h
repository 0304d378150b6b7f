// Whom a line trusts and who it says it is: what its sessions begin with.
#pragma once
#include <memory>
#include <string>

#include <tl/expected.hpp>

typedef struct ssl_ctx_st SSL_CTX;

namespace leasescope::tls {

struct Terms {
  std::string authorities_file;  // PEM, whose certificates are trusted; empty: as OpenSSL finds them (SSL_CERT_FILE)
  std::string certificate_file;  // PEM, our own with its chain; empty: none
  std::string key_file;          // PEM, of that certificate
};

class Context {
 public:
  using Made = tl::expected<std::shared_ptr<const Context>, std::string>;

  // Of the files as they are now, and shared by all whose terms are the same while one of them holds it: for each line
  // anew, so that a renewed certificate is used from the next attempt to connect on. Errors name the file and what is
  // wrong with it. From any thread.
  static Made of(const Terms& terms);

  bool has_certificate() const { return has_certificate_; }
  SSL_CTX* get() const { return context_.get(); }

 private:
  Context() = default;
  static Made read(const Terms& terms);

  bool has_certificate_ = false;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_{nullptr, nullptr};
};

}  // namespace leasescope::tls
