#include "core/store/redis/scripts.h"

#include <utility>
#include <vector>

#include "core/base/expect.h"
#include "core/store/redis/sha1.h"

namespace leasescope::embedded {
std::vector<std::pair<std::string, std::string>> lua_scripts();
}

namespace leasescope::redis {
namespace {

Script named(const char* name) {
  for (const auto& [key, text] : embedded::lua_scripts())
    if (key == name) return {text, sha1_hex(text)};
  end_for("a script is missing from resources/lua", __FILE__, __LINE__);
}

}  // namespace

const Scripts& scripts() {
  static const Scripts all{named("acquire"), named("guard"), named("release"), named("probe")};
  return all;
}

}  // namespace leasescope::redis
