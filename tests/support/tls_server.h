// The server's end of TLS as bytes in and bytes out, with a certificate that the tests made.
#pragma once
#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/certificates.h"

namespace leasescope::tests {

class TlsServer {
 public:
  explicit TlsServer(const Signed& shown)
      : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free),
        ssl_(nullptr, SSL_free),
        in_(BIO_new(BIO_s_mem())),
        out_(BIO_new(BIO_s_mem())) {
    BIO* const certificate = BIO_new_mem_buf(shown.certificate.data(), static_cast<int>(shown.certificate.size()));
    BIO* const key = BIO_new_mem_buf(shown.key.data(), static_cast<int>(shown.key.size()));
    X509* const x509 = PEM_read_bio_X509(certificate, nullptr, nullptr, nullptr);
    EVP_PKEY* const private_key = PEM_read_bio_PrivateKey(key, nullptr, nullptr, nullptr);
    SSL_CTX_use_certificate(context_.get(), x509);
    SSL_CTX_use_PrivateKey(context_.get(), private_key);
    X509_free(x509);
    EVP_PKEY_free(private_key);
    BIO_free(certificate);
    BIO_free(key);
    ssl_.reset(SSL_new(context_.get()));
    SSL_set_bio(ssl_.get(), in_, out_);
    SSL_set_accept_state(ssl_.get());
  }

  // What came from the client: gives what it says.
  std::string take(std::string_view bytes) {
    BIO_write(in_, bytes.data(), static_cast<int>(bytes.size()));
    if (SSL_do_handshake(ssl_.get()) != 1) return {};
    if (!unsaid_.empty()) say(std::exchange(unsaid_, {}));
    std::string out;
    char buffer[4096];
    for (int got = 0; (got = SSL_read(ssl_.get(), buffer, sizeof(buffer))) > 0;)
      out.append(buffer, static_cast<std::size_t>(got));
    return out;
  }
  void say(std::string_view text) {
    if (SSL_is_init_finished(ssl_.get()) == 0) {
      unsaid_ += text;
    } else {
      SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size()));
    }
  }
  // Says that it will say no more.
  void end() { SSL_shutdown(ssl_.get()); }
  // What is to be sent now.
  std::string give() {
    std::string out(BIO_ctrl_pending(out_), '\0');
    if (!out.empty()) BIO_read(out_, out.data(), static_cast<int>(out.size()));
    return out;
  }

 private:
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  BIO* in_;   // of the session
  BIO* out_;  // of the session
  std::string unsaid_;
};

}  // namespace leasescope::tests
