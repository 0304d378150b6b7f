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
  bool forks = false;  // may change at a fork

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
const Form<MutexTable>& mutex_form();
const Form<StoreTable>& store_form();
const Form<RedisTerms>& redis_form();
const Form<SqlTerms>& sql_form();
const Form<ContenderTable>& contender_form();
const Form<ResourceTable>& resource_form();

// Which table: "mutex", or of a list with its place in that, "contender" 0. The file itself has no name.
struct TableName {
  std::string_view name;
  int place = -1;

  std::string path() const { return place < 0 ? std::string(name) : std::string(name) + "." + std::to_string(place); }
};

// Each table there is: visit(its name, its form, the table), in the order of a file.
template <class AScenario, class Visit>
void each_table(AScenario&& of, Visit visit) {
  visit(TableName{}, file_form(), of);
  if (of.replay) visit(TableName{"replay"}, replay_form(), *of.replay);
  visit(TableName{"mutex"}, mutex_form(), of.mutex);
  visit(TableName{"store"}, store_form(), of.store);
  if (of.store.model == "redis") visit(TableName{"store.redis"}, redis_form(), of.store.redis);
  if (of.store.model == "sql") visit(TableName{"store.sql"}, sql_form(), of.store.sql);
  int place = 0;
  for (auto& contender : of.contenders) visit(TableName{"contender", place++}, contender_form(), contender);
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
