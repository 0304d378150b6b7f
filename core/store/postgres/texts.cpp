#include "core/store/postgres/texts.h"

#include <xxhash.h>

#include <fmt/format.h>

#include "core/base/embedded.h"
#include "core/base/expect.h"

namespace leasescope::embedded {
std::vector<File> postgres_texts();
}

namespace leasescope::postgres {
namespace {

std::string named(const char* name) {
  for (const embedded::File& file : embedded::postgres_texts())
    if (file.name == name) return file.text;
  end_for("a text is missing from resources/sql/postgres", __FILE__, __LINE__);
}

}  // namespace

const std::string& table_sql(Family family) {
  static const std::string leases = named("table"), registers = named("register_table"), fenced = named("fenced_table");
  return family == Family::kRegister ? registers : family == Family::kSession ? fenced : leases;
}

const std::vector<std::string_view>& table_names(Family family) {
  static const std::vector<std::string_view> leases{"simba_mutex"}, registers{"leasescope_register"},
      fenced{"leasescope_session", "leasescope_lock", "leasescope_waiter", "leasescope_memo"};
  return family == Family::kRegister ? registers : family == Family::kSession ? fenced : leases;
}

std::string_view sequence_name(Family family) { return family == Family::kSession ? "leasescope_fence" : ""; }

const std::string& first_sql() {
  static const std::string text = named("first");
  return text;
}

const std::string& session_sql(Family family) {
  static const std::string leases = named("session"), registers = named("register_session"),
                           fenced = named("fenced_session");
  return family == Family::kRegister ? registers : family == Family::kSession ? fenced : leases;
}

std::string channel_of(std::string_view mutex) {
  return fmt::format("leasescope_{:016x}", static_cast<std::uint64_t>(XXH3_64bits(mutex.data(), mutex.size())));
}

}  // namespace leasescope::postgres
