#include "simulator/alerts/alert_rules_text.h"

#include <fmt/format.h>

#include "core/alerts/alert_kind.h"
#include "core/time/duration_text.h"
#include "core/time/wide.h"
#include "simulator/scenario/time_expression.h"

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

// In measures of a lease as it was written, and how long a transition was said to be.
std::string length_lines(const AlertRule& rule) {
  const std::string text = rule.written.empty() ? format_duration(rule.length) : rule.written;
  std::string out = fmt::format("{} = {}\n", rule.kind->length, quoted(text));
  const auto time = parse_time_expression(text);
  if (!time || time->transitions == 0) return out;
  constexpr std::int64_t kMillion = 1'000'000;
  const auto all = static_cast<Int128>((rule.length - time->fixed).count());
  const Duration one(static_cast<std::int64_t>(all * kMillion / time->transitions));
  return out + fmt::format("transition = {}\n", quoted(format_duration(one)));
}

}  // namespace

std::string alert_rules_text(const std::vector<AlertRule>& rules) {
  if (rules.empty()) return {};
  std::string out = "schema = 1\n";
  for (const AlertRule& rule : rules) {
    out += fmt::format("\n[[rule]]\nname = {}\nkind = {}\n", quoted(rule.name), quoted(rule.kind->word));
    out += rule.kind->of_stores ? fmt::format("store = {}\n", quoted(rule.store))
                                : fmt::format("mutex = {}\n", quoted(rule.mutex));
    if (rule.kind->counts) out += fmt::format("more_than = {}\n", rule.count);
    if (!rule.kind->length.empty()) out += length_lines(rule);
  }
  return out;
}

}  // namespace leasescope
