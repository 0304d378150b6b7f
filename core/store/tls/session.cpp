#include "core/store/tls/session.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/escaped.h"
#include "core/base/expect.h"
#include "core/store/resolver.h"
#include "core/store/url.h"

namespace leasescope::tls {
namespace {

constexpr std::size_t kMostNames = 8;
constexpr std::size_t kLongestName = 60;

bool is_numeric(const std::string& host) {
  Endpoint endpoint;
  endpoint.host = host;
  return is_address(endpoint);
}

// Whom a certificate is for, as it says itself.
std::string names_in(X509* certificate) {
  std::vector<std::string> out;
  const std::unique_ptr<GENERAL_NAMES, void (*)(GENERAL_NAMES*)> names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      GENERAL_NAMES_free);
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()) && out.size() < kMostNames; ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
    const ASN1_STRING* const text = name->type == GEN_DNS ? name->d.dNSName : nullptr;
    if (name->type == GEN_IPADD && ASN1_STRING_length(name->d.iPAddress) == 4) {
      const unsigned char* const b = ASN1_STRING_get0_data(name->d.iPAddress);
      out.push_back(fmt::format("{}.{}.{}.{}", b[0], b[1], b[2], b[3]));
    }
    if (text == nullptr) continue;
    out.push_back(escaped({reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                           static_cast<std::size_t>(ASN1_STRING_length(text))},
                          kLongestName));
  }
  if (!out.empty()) return fmt::format("{}", fmt::join(out, ", "));
  std::array<char, kLongestName + 1> common{};
  const int size = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, common.data(),
                                             static_cast<int>(common.size()));
  return size > 0 ? escaped(common.data(), kLongestName) : "nobody";
}

}  // namespace

Session::Session(const Context& context, const std::string& host)
    : host_(host),
      has_certificate_(context.has_certificate()),
      ssl_(SSL_new(context.get()), SSL_free),
      from_server_(BIO_new(BIO_s_mem())),
      to_server_(BIO_new(BIO_s_mem())) {
  expect(ssl_ != nullptr && from_server_ != nullptr && to_server_ != nullptr, "there is memory for a TLS session");
  SSL_set_bio(ssl_.get(), from_server_, to_server_);
  SSL_set_connect_state(ssl_.get());
  SSL_set_hostflags(ssl_.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (is_numeric(host_)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host_.c_str());
  } else {
    SSL_set1_host(ssl_.get(), host_.c_str());
    SSL_set_tlsext_host_name(ssl_.get(), host_.c_str());
  }
  SSL_set_app_data(ssl_.get(), this);
  SSL_set_verify(ssl_.get(), SSL_VERIFY_PEER, &Session::on_verified);
  SSL_set_cert_cb(
      ssl_.get(),
      [](SSL* ssl, void*) {
        static_cast<Session*>(SSL_get_app_data(ssl))->wanted_certificate_ = true;
        return 1;
      },
      nullptr);
  shake_hands();
}

Session::~Session() = default;

// Changes nothing; afterwards the certificate is no longer there to be asked.
int Session::on_verified(int is_good, X509_STORE_CTX* chain) {
  const auto* const ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
  if (is_good == 0) static_cast<Session*>(SSL_get_app_data(ssl))->others_ = names_in(X509_STORE_CTX_get0_cert(chain));
  return is_good;
}

tl::expected<std::string, std::string> Session::take(std::string_view bytes) {
  // A record of TLS begins with one of these: of the handshake, or an alert.
  if (!begun_ && !bytes.empty() && bytes.front() != '\x16' && bytes.front() != '\x15')
    error_ = fmt::format("{}: its first words are \"{}\"", kNoTls, escaped(bytes, kLongestName));
  begun_ = begun_ || !bytes.empty();
  std::string out;
  if (error_.empty()) {
    BIO_write(from_server_, bytes.data(), static_cast<int>(bytes.size()));
    if (!stands_) shake_hands();
    if (stands_) out = listen();
  }
  if (!error_.empty() && out.empty()) return tl::unexpected(error_);
  return out;
}

void Session::say(std::string_view text) {
  unsaid_ += text;
  if (stands_) encrypt();
}

std::string Session::give() {
  std::string out(BIO_ctrl_pending(to_server_), '\0');
  if (!out.empty()) BIO_read(to_server_, out.data(), static_cast<int>(out.size()));
  return out;
}

void Session::shake_hands() {
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  if (result != 1) return fail(result);
  stands_ = true;
  encrypt();
}

std::string Session::listen() {
  std::string out;
  std::array<char, 16 * 1024> buffer;
  for (;;) {
    ERR_clear_error();
    const int got = SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()));
    if (got <= 0) {
      fail(got);
      return out;
    }
    served_ = true;
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// Into memory, which takes it all.
void Session::encrypt() {
  const std::string text = std::exchange(unsaid_, {});
  if (text.empty() || !error_.empty()) return;
  ERR_clear_error();
  if (const int put = SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size())); put <= 0) fail(put);
}

void Session::fail(int result) {
  const int what = SSL_get_error(ssl_.get(), result);
  closed_ = what == SSL_ERROR_ZERO_RETURN;
  if (what != SSL_ERROR_WANT_READ && what != SSL_ERROR_WANT_WRITE) error_ = words_of_failure(what);
  ERR_clear_error();
}

std::string Session::words_of_failure(int what) const {
  if (what == SSL_ERROR_ZERO_RETURN) return why_ended("the server closed the connection");
  const unsigned long error = ERR_peek_error();
  if (ERR_GET_REASON(error) == SSL_R_CERTIFICATE_VERIFY_FAILED) return words_of_refused_certificate();
  const char* const words = ERR_reason_error_string(error);
  return why_ended(fmt::format("TLS fails: {}", words != nullptr ? words : "the server ended it"));
}

std::string Session::words_of_refused_certificate() const {
  const long result = SSL_get_verify_result(ssl_.get());
  if (result == X509_V_ERR_HOSTNAME_MISMATCH || result == X509_V_ERR_IP_ADDRESS_MISMATCH)
    return fmt::format("{} \"{}\" but for {}", kOthersCertificate, host_, others_);
  const char* const why = X509_verify_cert_error_string(result);
  switch (result) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return fmt::format("{}: {}", kInvalidNow, why);
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return fmt::format("{}: {}", kUntrusted, why);
    default:
      return fmt::format("its certificate is not accepted: {}", why);
  }
}

std::string Session::why_ended(const std::string& how) const {
  if (wanted_certificate_ && !served_)
    return fmt::format("{}: {}{}", how, kWantsCertificate, has_certificate_ ? ", and seems not to accept ours" : "");
  return begun_ ? how : fmt::format("{}: {}", how, kNoTls);
}

}  // namespace leasescope::tls
