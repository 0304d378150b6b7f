#include "simulator/scenario/scenario_text.h"

#include <fmt/format.h>

#include "simulator/scenario/fault_fields.h"
#include "simulator/scenario/form.h"
#include "simulator/scenario/validity.h"

namespace leasescope {
namespace {

std::string written(const ValidFor& valid) {
  switch (valid_key_of(valid.key)) {
    case ValidKey::kNumber:
      return fmt::format("{}, {}", valid.least, valid.most);
    case ValidKey::kWord: {
      std::string words;
      for (const std::string& word : valid.words) words += (words.empty() ? "" : ", ") + toml_text(word);
      return words;
    }
    default:
      return fmt::format("{}, {}", toml_text(valid.from.text), toml_text(valid.to.text));
  }
}

class Writer {
 public:
  std::string text() const { return out_; }

  void table(std::string_view name) { out_ += fmt::format("\n[{}]\n", name); }
  void entry(std::string_view name) { out_ += fmt::format("\n[[{}]]\n", name); }
  // `value` as TOML writes it.
  void raw(std::string_view key, std::string_view value) { out_ += fmt::format("{} = {}\n", key, value); }

 private:
  std::string out_;
};

// What the kind does not need and nobody set is left out.
void write_fault(Writer& out, const Scenario& scenario, const FaultTable& fault) {
  if (find_fault_kind(fault.kind) == nullptr) return;
  out.entry("fault");
  for (const FaultField& field : fault_fields(scenario, fault))
    if (!field.value.empty()) out.raw(field.name, field.value);
}

void write_expectations(Writer& out, std::string_view name, const Expectations& expectations) {
  if (expectations.empty() && expectations.valid_for.empty() && expectations.enabled) return;
  out.table(name);
  if (!expectations.enabled) out.raw("enabled", "false");
  for (const auto& [field, expectation] : expectations.fields) {
    const std::string value = toml_text(expectation.text);
    out.raw(toml_text(field),
            expectation.share ? fmt::format("{{ value = {}, share = {} }}", value, *expectation.share) : value);
  }
  if (expectations.valid_for.empty()) return;
  std::string ranges;
  for (const ValidFor& valid : expectations.valid_for)
    ranges += fmt::format("{}{} = [{}]", ranges.empty() ? "" : ", ", toml_text(valid.key), written(valid));
  out.raw("valid_for", "{ " + ranges + " }");
}

}  // namespace

std::string scenario_text(const Scenario& scenario) {
  Writer out;
  each_table(scenario, [&](const TableName& table, const auto& form, const auto& of) {
    if (table.place >= 0) {
      out.entry(table.name);
    } else if (!table.name.empty()) {
      out.table(table.name);
    }
    for (const auto& key : form)
      if (const std::string value = key.write(of); !value.empty()) out.raw(key.name, value);
  });
  for (const FaultTable& fault : scenario.faults) write_fault(out, scenario, fault);
  write_expectations(out, "expect", scenario.expected);
  write_expectations(out, "expect.unfenced", scenario.expected_unfenced);
  return out.text();
}

}  // namespace leasescope
