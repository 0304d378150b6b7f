#include "simulator/alerts/alert_rules_text.h"

#include <fmt/format.h>

#include "core/alerts/alert_kind.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char sign : text) {
    const auto code = static_cast<unsigned char>(sign);
    if (code < 0x20 || code == 0x7f)
      out += fmt::format("\\u{:04X}", code);
    else
      out += sign == '"' || sign == '\\' ? std::string{'\\', sign} : std::string{sign};
  }
  return out + '"';
}

}  // namespace

std::string alert_rules_text(const std::vector<AlertRule>& rules) {
  if (rules.empty()) return {};
  std::string out = "schema = 1\n";
  for (const AlertRule& rule : rules) {
    out += fmt::format("\n[[rule]]\nname = {}\nkind = {}\nmutex = {}\n", quoted(rule.name), quoted(rule.kind->word),
                       quoted(rule.mutex));
    if (rule.kind->counts) out += fmt::format("more_than = {}\n", rule.count);
    if (!rule.kind->length.empty())
      out += fmt::format("{} = {}\n", rule.kind->length, quoted(format_duration(rule.length)));
  }
  return out;
}

}  // namespace leasescope
