#include "core/store/mysql/texts.h"

#include <fmt/format.h>

#include "core/base/embedded.h"
#include "core/base/expect.h"

namespace leasescope::embedded {
std::vector<File> mysql_texts();
}

namespace leasescope::mysql {
namespace {

using std::chrono::milliseconds;

// Without its comments: a call would send them each time, and a server's log repeat them.
std::string without_comments(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    if (line.substr(0, 2) != "--") out += line;
    text.remove_prefix(end);
  }
  return out;
}

std::string named(const char* name) {
  for (const embedded::File& file : embedded::mysql_texts())
    if (file.name == name) return without_comments(file.text);
  end_for("a text is missing from resources/sql/mysql", __FILE__, __LINE__);
}

// What both calls name. Without tokens a term is its owner alone, as in Simba 4.x.
std::string filled(const std::string& text, const Request& request, std::string_view mutex, std::string_view caller,
                   bool fenced) {
  const LeaseCall& lease = request.lease;
  return fmt::format(fmt::runtime(text), fmt::arg("mutex", literal(mutex)), fmt::arg("caller", literal(caller)),
                     fmt::arg("only_renew", request.kind == RequestKind::kGuard ? 1 : 0),
                     fmt::arg("by_term", fenced && lease.wire == Wire::kTerm ? 1 : 0), fmt::arg("term", lease.term),
                     fmt::arg("fenced", fenced ? 1 : 0), fmt::arg("token_column", fenced ? "fencing_token" : "0"),
                     fmt::arg("set_token", fenced ? ", fencing_token = @next" : ""),
                     fmt::arg("lease_ms", lease.length / milliseconds(1)),
                     fmt::arg("transition_ms", (lease.length - lease.ttl) / milliseconds(1)));
}

}  // namespace

const std::string& table_sql() {
  static const std::string text = named("table");
  return text;
}

std::string session_sql(Duration lock_wait) {
  static const std::string text = named("session");
  const auto whole = std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(lock_wait).count());
  return fmt::format(fmt::runtime(text), fmt::arg("lock_wait_s", whole));
}

const std::string& has_token_sql() {
  static const std::string text =
      "select count(*) from information_schema.columns "
      "where table_schema = database() and table_name = 'simba_mutex' and column_name = 'fencing_token'";
  return text;
}

std::string contend_sql(const Request& request, std::string_view mutex, std::string_view caller, bool fenced) {
  static const std::string text = named("contend");
  return filled(text, request, mutex, caller, fenced);
}

std::string release_sql(const Request& request, std::string_view mutex, std::string_view caller, bool fenced) {
  static const std::string text = named("release");
  return filled(text, request, mutex, caller, fenced);
}

std::string literal(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

}  // namespace leasescope::mysql
