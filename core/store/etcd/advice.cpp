#include "core/store/etcd/advice.h"

#include <array>
#include <string_view>
#include <utility>

namespace leasescope::etcd {
namespace {

// The first whose words occur.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kAdvice{{
    {"user name is empty", "it wants a login: etcd://user:password@host"},
    {"authentication failed", "the user or the password is wrong"},
    {"invalid auth token", "the login is asked for anew"},
    {"permission denied",
     "let the user read there: etcdctl role grant-permission ROLE read PREFIX --prefix=true, and "
     "name that PREFIX in the URL: etcd://host/PREFIX"},
    {"does not match target host", "its certificate is for other hosts: the URL has to name one of these"},
    {"alternative certificate subject name", "its certificate is for other hosts: the URL has to name one of these"},
    {"certificate",
     "name the authority that signed it: ?cacert=FILE, or SSL_CERT_FILE; where the server asks for one "
     "of ours, cert=FILE and key=FILE"},
    {"wrong version number", "does it speak TLS? If not, the URL begins with etcd://"},
    {"Empty reply", "does it speak TLS? Then the URL begins with etcds://"},
    {"HTTP 400", "does it speak TLS? Then the URL begins with etcds://"},
    {"not as etcd does", "is this the client port of an etcd of 3.4 or later?"},
    {"HTTP/0.9", "is this the client port of an etcd of 3.4 or later?"},
    {"more than it was asked for", "is this the client port of an etcd of 3.4 or later?"},
    {"a line of it is longer", "is this the client port of an etcd of 3.4 or later?"},
    {"no leader", "most of its members do not answer"},
}};

}  // namespace

std::string advised(const Refusal& refusal) {
  for (const auto& [words, advice] : kAdvice)
    if (refusal.words.find(words) != std::string::npos) return refusal.words + ": " + std::string(advice);
  if (refusal.code != Refusal::kNotEtcd) return refusal.words;
  return refusal.words + ": is it running, and is this its address?";
}

}  // namespace leasescope::etcd
