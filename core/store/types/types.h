// The register of store types: one line each, by its folder in core/store. Help, the window, the live world and the
// suites of the stores go through it, in this order.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/store/store_type.h"

#define LEASESCOPE_STORE_TYPES(TYPE) \
  TYPE(redis)                        \
  TYPE(postgres)                     \
  TYPE(mysql)                        \
  TYPE(zookeeper)                    \
  TYPE(etcd)

namespace leasescope {

// Those that contenders of ours can meet at.
const std::vector<const StoreType*>& store_types();
// Those whose locks can be watched: these, and those that are only watched.
const std::vector<const StoreType*>& watched_types();
// Of all of them, by one of its words; null when there is none.
const StoreType* find_store_type(std::string_view word);

// A bare word, "word?servers=3" where a private store may be several servers, or a URL. Errors say what was expected.
// Of a text in which a password may stand they repeat nothing.
tl::expected<StoreUrl, std::string> parse_store_url(std::string_view text);

// What one may write, for help: "redis, zookeeper[?servers=3|5]"; "redis://…, postgresql://…"; and where else a
// password may stand.
std::string store_words();
std::string store_schemes();
std::string watched_schemes();
std::string store_passwords();
std::string store_hosts();  // a sentence: what several hosts in one URL are

}  // namespace leasescope
