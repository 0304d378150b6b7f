#include "simulator/scenario/differences.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "simulator/scenario/fault_fields.h"
#include "simulator/scenario/form.h"
#include "simulator/scenario/reader.h"
#include "simulator/scenario/scenario_text.h"
#include "simulator/scenario/validity.h"

namespace leasescope {
namespace {

std::string key_text(const toml::key& key) {
  const std::string name(key.str());
  return name.find('.') == std::string::npos ? name : toml_text(name);
}

// In one line, whatever it is.
std::string inline_text(const toml::node& node) {
  std::string out;
  const auto add = [&](const std::string& piece) { out += out.empty() ? piece : fmt::format(", {}", piece); };
  if (const toml::table* const table = node.as_table()) {
    for (const auto& [key, value] : *table) add(fmt::format("{} = {}", key_text(key), inline_text(value)));
    return out.empty() ? "{}" : fmt::format("{{ {} }}", out);
  }
  if (const toml::array* const list = node.as_array()) {
    for (const toml::node& value : *list) add(inline_text(value));
    return fmt::format("[{}]", out);
  }
  std::ostringstream leaf;
  leaf << toml::toml_formatter(node, toml::format_flags::allow_unicode_strings);
  return leaf.str();
}

// A whole table or list of the scenario, by its name.
std::string whole(const Scenario& of, const char* name) {
  const toml::table file = toml::parse(scenario_text(of));
  const toml::node* const there = file.get(name);
  if (there != nullptr) return inline_text(*there);
  return std::string_view(name) == "expect" ? "{}" : "[]";
}

class Walk {
 public:
  Walk(const Scenario& from, const Scenario& to) : from_(from), to_(to) {}

  std::vector<Difference> all() {
    const std::string& system = to_.mutex.system;
    compare(
        "", file_form(), [](auto&& s) -> auto& { return s; });
    compare(
        "mutex", mutex_form(system), [](auto&& s) -> auto& { return s.mutex; });
    compare(
        std::string(system_table(system)), system_form(system), [](auto&& s) -> auto& { return s.system; });
    compare(
        "store", store_form(), [](auto&& s) -> auto& { return s.store; });
    const std::string& model = to_.store.model;
    compare(
        std::string(model_table(model)), model_form(model), [](auto&& s) -> auto& { return s.store.terms; });
    compare_list(
        "contender", contender_form(system), [](auto&& s) -> auto& { return s.contenders; });
    compare_list(
        "resource", resource_form(), [](auto&& s) -> auto& { return s.resources; });
    compare_faults();
    if (from_.expected != to_.expected || from_.expected_unfenced != to_.expected_unfenced)
      add("expect", whole(to_, "expect"), [to = &to_](Scenario& s) {
        s.expected = to->expected;
        s.expected_unfenced = to->expected_unfenced;
      });
    return std::move(out_);
  }

 private:
  void add(std::string path, std::string value, std::function<void(Scenario&)> take) {
    out_.push_back({std::move(path), std::move(value), std::move(take)});
  }

  template <class Table, class Where>
  void compare(const std::string& path, const Form<Table>& form, Where where) {
    for (const Key<Table>& key : form) {
      if (key.same(where(from_), where(to_))) continue;
      add(path.empty() ? std::string(key.name) : fmt::format("{}.{}", path, key.name), key.write(where(to_)),
          [key = &key, where, to = &to_](Scenario& s) { key->take(where(s), where(*to)); });
    }
  }

  template <class Table, class Where>
  void compare_list(const char* name, const Form<Table>& form, Where where) {
    if (where(from_).size() != where(to_).size())
      return add(name, whole(to_, name), [where, to = &to_](Scenario& s) { where(s) = where(*to); });
    for (std::size_t i = 0; i < where(to_).size(); ++i)
      compare(
          fmt::format("{}.{}", name, i), form, [ where, i ](auto&& s) -> auto& { return where(s)[i]; });
  }

  // Whether a field of a fault is there no more; none but `enabled` can be set to nothing.
  static bool lacks_one(const std::vector<FaultField>& before, const std::vector<FaultField>& after) {
    return std::any_of(before.begin(), before.end(), [&](const FaultField& was) {
      const auto is = std::find_if(after.begin(), after.end(), [&](const FaultField& f) { return f.name == was.name; });
      return was.name != "enabled" && !was.value.empty() && (is == after.end() || is->value.empty());
    });
  }

  // Rows of the same kinds and fields differ field by field.
  void compare_faults() {
    bool alike = from_.faults.size() == to_.faults.size();
    for (std::size_t i = 0; alike && i < to_.faults.size(); ++i)
      alike = from_.faults[i].kind == to_.faults[i].kind &&
              !lacks_one(fault_fields(from_, from_.faults[i]), fault_fields(to_, to_.faults[i]));
    if (!alike) return add("fault", whole(to_, "fault"), [to = &to_](Scenario& s) { s.faults = to->faults; });
    for (std::size_t i = 0; i < to_.faults.size(); ++i) {
      const std::vector<FaultField> before = fault_fields(from_, from_.faults[i]);
      const std::vector<FaultField> after = fault_fields(to_, to_.faults[i]);
      for (const FaultField& field : after) {
        const auto was = std::find_if(before.begin(), before.end(),
                                      [&](const FaultField& other) { return other.name == field.name; });
        if (was != before.end() && was->value == field.value) continue;
        const bool on = field.name == "enabled" && field.value.empty();
        add(fmt::format("fault.{}.{}", i, field.name), on ? "true" : field.value,
            [i, to = &to_](Scenario& s) { s.faults[i] = to->faults[i]; });
      }
    }
  }

  const Scenario &from_, &to_;
  std::vector<Difference> out_;
};

}  // namespace

std::vector<Difference> differences(const Scenario& from, const Scenario& to) { return Walk(from, to).all(); }

std::vector<std::string> edits_between(const Scenario& changed, const Scenario& original) {
  Scenario bare = changed;  // lines of the file may have moved
  for (std::size_t i = 0; i < bare.faults.size() && i < original.faults.size(); ++i)
    bare.faults[i].line = original.faults[i].line;
  std::vector<std::string> out;
  if (judged_alike(bare, original)) return out;
  for (const Difference& difference : differences(original, bare)) {
    Scenario alone = original;
    difference.take(alone);
    if (!judged_alike(alone, original)) out.push_back(difference.path);
  }
  if (out.empty()) out.emplace_back("several together");
  return out;
}

bool same_run(const Scenario& a, const Scenario& b) { return differences(a, b).empty(); }

tl::expected<std::vector<std::string>, std::string> settings_for(const Scenario& scenario, const std::string& toml,
                                                                 const std::string& file) {
  const auto original = read_scenario(toml, file);
  if (!original) return tl::make_unexpected(original.error().text());
  std::vector<std::string> out;
  for (const Difference& difference : differences(*original, scenario)) {
    if (difference.value.empty())
      return tl::make_unexpected(fmt::format("no setting takes {} out of {}", difference.path, file));
    out.push_back(fmt::format("{}={}", difference.path, difference.value));
  }
  const auto again = read_scenario(toml, file, out);
  if (!again) return tl::make_unexpected(again.error().text());
  if (!same_run(*again, scenario)) return tl::make_unexpected(fmt::format("no settings make {} so", file));
  return out;
}

}  // namespace leasescope
