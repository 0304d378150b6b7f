// What a user can do about a refusal.
#pragma once
#include <string>

#include "core/store/port.h"
#include "core/store/url.h"

namespace leasescope::postgres {

// `error`: libpq's or the server's words, met by calls of that family.
std::string advice(const std::string& error, const StoreUrl& url, Family family);
// The error, and what to do about it, of somebody who only looks: he needs no other right than to select.
std::string advised_to_watcher(const std::string& error, const StoreUrl& url);
// What whoever may make the table says for that user, in one line of SQL.
std::string words_for_the_table(const StoreUrl& url, Family family);

}  // namespace leasescope::postgres
