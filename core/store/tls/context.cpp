#include "core/store/tls/context.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include <fmt/format.h>

namespace leasescope::tls {
namespace {

using Result = tl::expected<void, std::string>;

// Of the oldest error, which says why the later ones came about.
std::string reason() {
  const char* const words = ERR_reason_error_string(ERR_peek_error());
  std::string out = words != nullptr ? words : "it cannot be used";
  ERR_clear_error();
  return out;
}

tl::unexpected<std::string> useless(const std::string& file, const char* what) {
  if (!std::ifstream(file))
    return tl::unexpected(fmt::format("{}: cannot be read: expected {} in PEM form", file, what));
  return tl::unexpected(fmt::format("{}: {}: expected {} in PEM form", file, reason(), what));
}

Result trust(SSL_CTX* context, const std::string& file) {
  if (file.empty()) {
    SSL_CTX_set_default_verify_paths(context);
    return {};
  }
  if (SSL_CTX_load_verify_file(context, file.c_str()) == 1) return {};
  return useless(file, "the certificate of an authority");
}

Result introduce(SSL_CTX* context, const Terms& terms) {
  if (terms.certificate_file.empty()) return {};
  if (SSL_CTX_use_certificate_chain_file(context, terms.certificate_file.c_str()) != 1)
    return useless(terms.certificate_file, "the client's certificate");
  if (SSL_CTX_use_PrivateKey_file(context, terms.key_file.c_str(), SSL_FILETYPE_PEM) != 1)
    return useless(terms.key_file, "the key of the client's certificate, without a pass phrase");
  return {};
}

// Which files, and which state of each.
std::string state_of(const Terms& terms) {
  const char* const system = std::getenv("SSL_CERT_FILE");
  std::string out;
  for (const std::string& file :
       {terms.authorities_file.empty() && system != nullptr ? std::string(system) : terms.authorities_file,
        terms.certificate_file, terms.key_file}) {
    struct stat now {};
    if (!file.empty() && ::stat(file.c_str(), &now) != 0) now = {};
    out += fmt::format("{} {} {} {} {}\n", file, now.st_ino, now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec);
  }
  return out;
}

// A key with a pass phrase would else be asked for at the terminal, while the loop waits.
int no_pass_phrase(char*, int, int, void*) { return 0; }

}  // namespace

// A bundle of authorities takes a megabyte and some milliseconds, which a thousand contenders must not take each.
Context::Made Context::of(const Terms& terms) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const Context>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::string state = state_of(terms);
  if (auto found = known[state].lock()) return found;
  Made made = read(terms);
  if (made) known[state] = *made;
  for (auto each = known.begin(); each != known.end();)
    each = each->second.expired() ? known.erase(each) : std::next(each);
  return made;
}

Context::Made Context::read(const Terms& terms) {
  ERR_clear_error();
  std::shared_ptr<Context> out(new Context);
  out->has_certificate_ = !terms.certificate_file.empty();
  out->context_ = {SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
  SSL_CTX* const context = out->get();
  if (context == nullptr) return tl::unexpected("TLS cannot be used: " + reason());
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  // A peer may not have us compute a new handshake whenever it likes, and an idle line keeps no buffers.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_default_passwd_cb(context, no_pass_phrase);
  if (auto trusted = trust(context, terms.authorities_file); !trusted) return tl::unexpected(trusted.error());
  if (auto introduced = introduce(context, terms); !introduced) return tl::unexpected(introduced.error());
  return out;
}

}  // namespace leasescope::tls
