// The scenario form, described once: its tables and their keys. Whoever reads, writes, forks, shrinks, shows or
// explains a scenario walks this; a key is one line in form.cpp.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/scenario/scenario.h"

namespace leasescope {

class TableReader;

// One key of a table, which lies in a value of type `Table`.
template <class Table>
struct Key {
  std::string_view name;
  std::string_view about;  // what it means, for the help
  bool required = false;
  bool forks = false;                   // may change at a fork
  bool leases = false;                  // of systems of leases alone
  bool of_plan = false;                 // of a system's own plan for a contender
  bool truth = false;                   // it is true or false
  std::vector<std::string_view> words;  // it is one of these; none: of another kind
  // Whether a scenario has a use for it, which may hang on another key; null: it always has.
  std::function<bool(const Scenario& of)> used;

  // Reads it, where it is given; `folder`: what a file of delays is relative to.
  std::function<void(TableReader& in, const std::string& folder, Table& into)> read;
  std::function<std::string(const Table& of)> write;  // as TOML writes it; empty: it is left out
  std::function<bool(const Table& a, const Table& b)> same;
  std::function<void(Table& to, const Table& from)> take;
  std::function<void(Table& of)> simplify;  // the shrinker tries that; null: it leaves the key alone
};

template <class Table>
using Form = std::vector<Key<Table>>;

const Form<Scenario>& file_form();  // what stands in no table
const Form<ReplayTable>& replay_form();
// Of one lock system: what it has of the mutex and of each contender, and its own table.
const Form<MutexTable>& mutex_form(std::string_view system);
const Form<ContenderTable>& contender_form(std::string_view system);
const Form<SystemTerms>& system_form(std::string_view system);
const Form<StoreTable>& store_form();
const Form<ModelTerms>& model_form(std::string_view model);
const Form<ResourceTable>& resource_form();

// Which table: "mutex", or of a list with its place in that, "contender" 0. The file itself has no name.
struct TableName {
  std::string_view name;
  int place = -1;

  std::string path() const { return place < 0 ? std::string(name) : std::string(name) + "." + std::to_string(place); }
};

// "fenced" and "store.redis", as long as the program runs.
std::string_view system_table(std::string_view system);
std::string_view model_table(std::string_view model);

// Each table there is: visit(its name, its form, the table), in the order of a file.
template <class AScenario, class Visit>
void each_table(AScenario&& of, Visit visit) {
  visit(TableName{}, file_form(), of);
  if (of.replay) visit(TableName{"replay"}, replay_form(), *of.replay);
  const std::string& system = of.mutex.system;
  visit(TableName{"mutex"}, mutex_form(system), of.mutex);
  if (!system_form(system).empty()) visit(TableName{system_table(system)}, system_form(system), of.system);
  visit(TableName{"store"}, store_form(), of.store);
  if (!model_form(of.store.model).empty())
    visit(TableName{model_table(of.store.model)}, model_form(of.store.model), of.store.terms);
  int place = 0;
  for (auto& contender : of.contenders) visit(TableName{"contender", place++}, contender_form(system), contender);
  place = 0;
  for (auto& resource : of.resources) visit(TableName{"resource", place++}, resource_form(), resource);
}

// One key of a scenario by its path, "mutex.ttl" or "contender.0.count"; none where there is no such table or key.
struct KeyValue {
  std::string_view about;
  std::string value;  // as TOML writes it
};
std::optional<KeyValue> value_at(const Scenario& of, std::string_view path);

// As TOML writes them.
std::string toml_text(const std::string& text);
std::string toml_number(std::int64_t number);

}  // namespace leasescope
