// What a user can do about an error of a MySQL.
#pragma once
#include <string>

#include "core/store/mysql/asker.h"
#include "core/store/url.h"

namespace leasescope::mysql {

std::string advice(const Trouble& trouble, const StoreUrl& url);
// The trouble, and what to do about it, of somebody who only looks: he needs no other right than to select.
std::string advised_to_watcher(const Trouble& trouble, const StoreUrl& url);

}  // namespace leasescope::mysql
