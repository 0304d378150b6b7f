#include "core/store/etcd/store_type.h"

#include "core/store/etcd/observer.h"
#include "core/store/etcd/raw_commands.h"
#include "core/store/etcd/url.h"

namespace leasescope::etcd {
namespace {

std::vector<UrlWay> ways() {
  return {{"etcd://", "Without TLS", 2379, {"Prefix"}, {}},
          {"etcds://",
           "Over TLS",
           2379,
           {"Prefix"},
           {{"cacert", "Authority", {}, true}, {"cert", "Certificate", {}, true}, {"key", "Its key", {}, true}}}};
}

StoreType described() {
  StoreType type;
  type.words = {"etcd"};
  type.title = "etcd";
  type.families = {};  // it is only watched
  type.schemes = {"etcd://", "etcds://"};
  type.forms = {"etcd://[user:password@]host[:port][,host…][/prefix]",
                "etcds://[user:password@]host[:port][,host…][/prefix][?cacert=FILE&cert=FILE&key=FILE]"};
  type.ways = ways();
  type.several_hosts = "the members of one cluster";
  type.passwords = "ETCDCTL_PASSWORD";
  type.parse = parse_url;
  type.printable = printable;
  type.password = password_of_environment;
  type.observe = observe;
  type.raw_commands = raw_commands;
  return type;
}

}  // namespace

const StoreType& store_type() {
  static const StoreType type = described();
  return type;
}

}  // namespace leasescope::etcd
