#include "core/store/redis/scripts.h"

#include "core/base/embedded.h"
#include "core/base/expect.h"

namespace leasescope::embedded {
std::vector<File> lua_scripts();
}

namespace leasescope::redis {
namespace {

Script named(const char* name) {
  for (const embedded::File& file : embedded::lua_scripts())
    if (file.name == name) return {file.text, file.sha1};
  end_for("a script is missing from resources/lua", __FILE__, __LINE__);
}

}  // namespace

const Scripts& scripts(Wire wire) {
  static const Scripts by_term{named("acquire"), named("guard"), named("release")};
  static const Scripts by_owner{named("acquire_4x"), named("guard_4x"), named("release_4x")};
  static const Scripts in_queue{named("acquire_31"), named("guard_31"), named("release_31")};
  if (wire == Wire::kTokenless) return in_queue;
  return wire == Wire::kTerm ? by_term : by_owner;
}

const Script& cell_script() {
  static const Script cell = named("cell");
  return cell;
}

const Script& quorum_script() {
  static const Script quorum = named("quorum");
  return quorum;
}

const Script& probe_script() {
  static const Script probe = named("probe");
  return probe;
}

}  // namespace leasescope::redis
