// An authority of the tests' own, and what it signs: texts in PEM form.
#pragma once
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace leasescope::tests {

struct Signed {
  std::string certificate;
  std::string key;
};

class Authority {
 public:
  explicit Authority(const std::string& name) : key_(EVP_EC_gen("P-256"), EVP_PKEY_free) {
    certificate_ = describe(name, key_.get(), -1, 1);
    add(NID_basic_constraints, "critical,CA:TRUE");
    add(NID_key_usage, "critical,keyCertSign,cRLSign");
    X509_set_issuer_name(certificate_.get(), X509_get_subject_name(certificate_.get()));
    X509_sign(certificate_.get(), key_.get(), EVP_sha256());
    text_ = text_of(certificate_.get());
    subject_.reset(X509_NAME_dup(X509_get_subject_name(certificate_.get())));
  }

  const std::string& text() const { return text_; }
  // `names`: as OpenSSL writes them, "DNS:localhost,IP:127.0.0.1"; the days count from now, either may have passed.
  Signed sign(const std::string& name, const std::string& names, int from_day = -1, int to_day = 1) {
    const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    certificate_ = describe(name, key.get(), from_day, to_day);
    if (!names.empty()) add(NID_subject_alt_name, names.c_str());
    X509_set_issuer_name(certificate_.get(), subject_.get());
    X509_sign(certificate_.get(), key_.get(), EVP_sha256());
    return {text_of(certificate_.get()), text_of(key.get())};
  }

 private:
  using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;
  using Certificate = std::unique_ptr<X509, void (*)(X509*)>;

  static Certificate describe(const std::string& name, EVP_PKEY* key, int from_day, int to_day) {
    static long serial = 0;
    Certificate out(X509_new(), X509_free);
    X509_set_version(out.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(out.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(out.get()), from_day * 86400L);
    X509_gmtime_adj(X509_getm_notAfter(out.get()), to_day * 86400L);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(out.get()), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_pubkey(out.get(), key);
    return out;
  }
  void add(int what, const char* value) {
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, what, value);
    X509_add_ext(certificate_.get(), extension, -1);
    X509_EXTENSION_free(extension);
  }
  static std::string text_of(X509* certificate) {
    return written([certificate](BIO* into) { PEM_write_bio_X509(into, certificate); });
  }
  static std::string text_of(EVP_PKEY* key) {
    return written([key](BIO* into) { PEM_write_bio_PrivateKey(into, key, nullptr, nullptr, 0, nullptr, nullptr); });
  }
  template <class Write>
  static std::string written(Write write) {
    const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new(BIO_s_mem()), BIO_free);
    write(memory.get());
    char* text = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &text);
    return {text, static_cast<std::size_t>(size)};
  }

  Key key_;
  Certificate certificate_{nullptr, X509_free};  // the one that is being made
  std::unique_ptr<X509_NAME, void (*)(X509_NAME*)> subject_{nullptr, X509_NAME_free};
  std::string text_;
};

}  // namespace leasescope::tests
