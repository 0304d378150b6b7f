#include "simulator/scenario/reader.h"
#include "core/time/skewed_clock.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/expect.h"
#include "core/base/nearest_word.h"
#include "core/simba/contender_id.h"
#include "core/time/duration_text.h"
#include "simulator/scenario/form.h"
#include "simulator/scenario/overrides.h"
#include "simulator/scenario/table_reader.h"
#include "simulator/scenario/text_file.h"
#include "simulator/scenario/validity.h"

namespace leasescope {
namespace {

constexpr Duration kLongest = std::chrono::hours(24 * 365);

// A number from 0 to 1, which nan is not.
std::optional<double> share_of(const toml::node& node) {
  const std::optional<double> number = node.is_number() ? node.value<double>() : std::nullopt;
  return number && *number >= 0 && *number <= 1 ? number : std::nullopt;
}

template <class Table>
void read_keys(TableReader& in, const Form<Table>& form, const std::string& folder, Table& out) {
  for (const Key<Table>& key : form) key.read(in, folder, out);
}

// Keys that only systems of leases have.
template <class Table>
void refuse_others(TableReader& in, const Form<Table>& all, const std::string& system) {
  for (const Key<Table>& key : all)
    if (const toml::node* given = key.leases ? in.node(key.name) : nullptr)
      return in.fail(*given, fmt::format("{} is no key of the system \"{}\": take it out, or set mutex.system = \"{}\"",
                                         in.name(key.name), system, SimbaTerms::kSystem));
}

void read_mutex(TableReader& root, const toml::table& file, Scenario& out, MaybeError& error) {
  const toml::table* table = root.table("mutex");
  if (table == nullptr) {
    if (!error) error = error_at(file, "[mutex] is missing: expected a table with name, ttl and transition");
    return;
  }
  TableReader in(*table, "mutex", error);
  in.word("system", out.mutex.system, system_names());  // says which other keys there are
  if (error) return;
  if (out.family() != Family::kLease) {
    refuse_others(in, mutex_form(SimbaTerms::kSystem), out.mutex.system);
    out.mutex.terms.transition = Duration::zero();
    out.mutex.terms.jitter = {Duration::zero(), Duration::zero()};
  }
  read_keys(in, mutex_form(out.mutex.system), {}, out.mutex);
  in.done();
  if (error) return;
  if (const auto valid = validate_mutex_name(out.mutex.name); !valid) in.fail_at("name", valid.error());
  if (const auto valid = validate(out.mutex.terms); !valid) in.fail_at("ttl", "mutex: " + valid.error());
  visit_system(out.mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
    if constexpr (requires { Terms::wrong_lease(out.mutex.terms); })
      if (const auto wrong = Terms::wrong_lease(out.mutex.terms)) in.fail_at("ttl", "mutex.ttl: " + *wrong);
  });
}

// The table of its own that a lock system has.
void read_systems(TableReader& root, Scenario& out) {
  for (const std::string_view system : system_names()) {
    const Form<SystemTerms>& form = system_form(system);
    const toml::table* table = form.empty() ? nullptr : root.table(system);
    if (table == nullptr || root.failed()) continue;
    if (out.mutex.system != system)
      return root.fail(*table, fmt::format("[{}] is about that system, and mutex.system is \"{}\": take the table out, "
                                           "or set mutex.system = \"{}\"",
                                           system, out.mutex.system, system));
    TableReader in = root.inner(*table, system);
    read_keys(in, form, {}, out.system);
    in.done();
  }
}

void read_model(TableReader& in, std::string_view model, StoreTable& store) {
  const toml::table* table = in.table(model);
  if (table == nullptr || in.failed()) return;
  if (store.model != model)
    return in.fail(*table,
                   fmt::format("{} is about a store of model {}, and store.model is \"{}\": take the table out, or set "
                               "store.model = \"{}\"",
                               in.name(model), model, store.model, model));
  TableReader terms = in.inner(*table, model);
  read_keys(terms, model_form(model), {}, store.terms);
  terms.done();
}

void read_store(TableReader& root, const std::string& folder, Scenario& out, MaybeError& error) {
  const std::vector<std::string_view> models = models_for(out.family());
  expect(!models.empty(), "each system has a model that answers it");
  out.store.model = std::string(models.front());
  const toml::table* table = root.table("store");
  if (table == nullptr) return;
  TableReader in(*table, "store", error);
  read_keys(in, store_form(), folder, out.store);
  if (!in.failed() && std::find(models.begin(), models.end(), out.store.model) == models.end())
    in.fail_at("model", fmt::format("store.model is \"{}\", which does not answer the system \"{}\": expected {}",
                                    out.store.model, out.mutex.system, fmt::join(models, " or ")));
  each_model([&]<class Terms>(std::type_identity<Terms>) { read_model(in, Terms::kName, out.store); });
  in.done();
}

// A model without a line of waiters tells all of them of a release, or nobody.
void check_wake_up(const toml::table& file, const Scenario& scenario, MaybeError& error) {
  const WakeUp mode = scenario.mutex.wake_up;
  const std::vector<std::string_view> models = models_that_wake(mode);
  if (mode == WakeUp::kBroadcast || std::find(models.begin(), models.end(), scenario.store.model) != models.end())
    return;
  error = error_at(*file.get("mutex")->as_table()->get("wake_up"),
                   fmt::format("mutex.wake_up is \"{}\", which a store of model {} cannot do: leave it out, or set "
                               "store.model = \"{}\"",
                               text(mode), scenario.store.model, fmt::join(models, "\" or \"")));
}

// Whom a fault may hit beside a contender by its name.
constexpr std::array<std::string_view, 4> kRoles{"owner", "next", "waiters", "all"};
constexpr std::string_view kResource = "resource";

// Each could be the name of one contender, and there is one for each.
void check_names(TableReader& in, const ContenderTable& contender) {
  const toml::node* const given = in.node("names");
  if (given == nullptr) return;
  const toml::array& list = *given->as_array();
  std::unordered_set<std::string_view> known;
  for (std::size_t i = 0; i < contender.names.size(); ++i) {
    const std::string& name = contender.names[i];
    const std::string at = fmt::format("{}.{}", in.name("names"), i);
    if (const auto valid = validate_contender_id(name); !valid)
      return in.fail(list[i], fmt::format("{}: {}", at, valid.error()));
    if (name == kResource || std::find(kRoles.begin(), kRoles.end(), name) != kRoles.end())
      return in.fail(
          list[i],
          fmt::format("{} is \"{}\", which as the target of a fault is a role: expected another name", at, name));
    if (!known.insert(name).second)
      return in.fail(list[i], fmt::format("{} is \"{}\" once more: give each contender a name of its own", at, name));
  }
  if (contender.names.size() > static_cast<std::size_t>(contender.count))
    in.fail(list[static_cast<std::size_t>(contender.count)],
            fmt::format("{} has {} names for {} contender{}: expected at most as many names, or count = {}",
                        in.name("names"), contender.names.size(), contender.count, contender.count == 1 ? "" : "s",
                        contender.names.size()));
}

// Told where the last table stands that has the name.
void check_apart(TableReader& root, const Scenario& scenario, MaybeError& error) {
  std::vector<std::string> names = scenario.contender_names();
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  const std::string message =
      fmt::format("two contenders are called \"{}\": give each [[contender]] a name of its own", *twice);
  const std::vector<const toml::table*> tables = root.tables("contender");
  for (std::size_t i = tables.size(); i-- > 0;) {
    const ContenderTable& contender = scenario.contenders[i];
    bool has = false;
    for (int place = 0; place < contender.count && !has; ++place) has = contender.called(place) == *twice;
    if (!has) continue;
    TableReader in(*tables[i], fmt::format("contender.{}", i), error);
    return in.fail_at(contender.names.empty() ? "name" : "names", message);
  }
  root.fail_here(message);
}

void read_contenders(TableReader& root, const std::string& folder, Scenario& out, MaybeError& error) {
  int index = 0;
  for (const toml::table* table : root.tables("contender")) {
    ContenderTable contender;
    TableReader in(*table, fmt::format("contender.{}", index++), error);
    if (out.family() != Family::kLease) refuse_others(in, contender_form(SimbaTerms::kSystem), out.mutex.system);
    read_keys(in, contender_form(out.mutex.system), folder, contender);
    in.done();
    if (error) return;
    if (const auto valid = validate_contender_id(contender.name); !valid) return in.fail_at("name", valid.error());
    check_names(in, contender);
    visit_system(out.mutex.system, [&]<class Terms>(std::type_identity<Terms>) {
      if constexpr (requires { Terms::wrong_plan(std::get<typename Terms::Plan>(contender.plan)); })
        if (const auto wrong = Terms::wrong_plan(std::get<typename Terms::Plan>(contender.plan)))
          in.fail_at("ttl", in.name("ttl") + ": " + *wrong);
    });
    if (error) return;
    out.contenders.push_back(contender);
  }
  if (out.contenders.empty()) out.contenders.emplace_back().count = 3;
  check_apart(root, out, error);
}

void read_resources(TableReader& root, const std::string& folder, Scenario& out, MaybeError& error) {
  int index = 0;
  for (const toml::table* table : root.tables("resource")) {
    ResourceTable resource;
    TableReader in(*table, fmt::format("resource.{}", index++), error);
    read_keys(in, resource_form(), folder, resource);
    in.done();
    if (!error && !resource.bank && in.node("transfer") != nullptr)
      in.fail_at("transfer", "what is transferred needs a bank: add kind = \"bank\"");
    out.resources.push_back(resource);
  }
  if (out.resources.empty()) out.resources.emplace_back();
}

void read_fault_keys(TableReader& in, const FaultKind& kind, const std::vector<std::string>& contenders,
                     FaultTable& fault) {
  for (const FaultKey& key : kind.keys) {
    const std::string name(key.name);
    switch (key.type) {
      case FaultKeyType::kTime:
        if (key.least < 0) {
          in.signed_time(key.name, fault.times[name], key.required);
        } else {
          in.time(key.name, fault.times[name], key.required);
        }
        break;
      case FaultKeyType::kNumber:
        in.integer(key.name, fault.numbers[name], key.least, key.most, key.required);
        break;
      case FaultKeyType::kWord:
        fault.words[name] = std::string(key.words.front());
        in.word(key.name, fault.words[name], key.words);
        break;
      case FaultKeyType::kContender:
        in.word(key.name, fault.words[name], {contenders.begin(), contenders.end()}, key.required);
        break;
    }
  }
  if (kind.lasts) in.time("duration", fault.duration, true);
  if (kind.during_compute) {
    std::string during;
    in.word("during", during, {"compute"});
    fault.during_compute = !during.empty();
  }
  in.boolean("enabled", fault.enabled);
  in.done();
}

// "store 3"
bool is_one_of_several(const std::string& target, std::string_view only, int stores) {
  for (int place = 1; place <= stores && stores > 1; ++place)
    if (target == fmt::format("{} {}", only, place)) return true;
  return false;
}

void read_faults(TableReader& root, Scenario& out, MaybeError& error) {
  int index = 0;
  const std::vector<std::string> names = out.contender_names();
  for (const toml::table* table : root.tables("fault")) {
    FaultTable fault;
    TableReader in(*table, fmt::format("fault.{}", index++), error);
    fault.line = static_cast<int>(table->source().begin.line);
    in.time("at", fault.at, true);
    in.text("kind", fault.kind, true);
    if (error) return;
    const FaultKind* kind = find_fault_kind(fault.kind);
    if (kind == nullptr) {
      const std::vector<std::string> kinds = fault_kind_names();
      return in.fail(*table->get("kind"), fmt::format("{} is \"{}\"{}: expected {}", in.name("kind"), fault.kind,
                                                      did_you_mean(fault.kind, kinds), fmt::join(kinds, ", ")));
    }
    if (!kind->models.empty() &&
        std::find(kind->models.begin(), kind->models.end(), out.store.model) == kind->models.end())
      return in.fail(*table->get("kind"),
                     fmt::format("{} is \"{}\", which a store of model {} cannot have: expected {}", in.name("kind"),
                                 fault.kind, out.store.model, fmt::join(kind->models, ", ")));
    if (kind->needs_replica && !out.store.redis().replica)
      return in.fail(*table->get("kind"),
                     fmt::format("{} is \"{}\", and the store has no replica: expected [store.redis] replica = true",
                                 in.name("kind"), fault.kind));
    const bool replica = kind->target == FaultTarget::kReplica;
    const bool store = replica || kind->target == FaultTarget::kStore;
    const std::string_view only = replica ? "replica" : "store";
    fault.target = store ? std::string(only) : "owner";
    in.text("target", fault.target);
    if (error) return;
    const bool role = std::find(kRoles.begin(), kRoles.end(), fault.target) != kRoles.end() ||
                      (kind->of_resource && fault.target == kResource);
    const bool named = std::find(names.begin(), names.end(), fault.target) != names.end();
    if (store ? fault.target != only && !is_one_of_several(fault.target, only, out.servers()) : !role && !named)
      return in.fail(
          *table->get("target"),
          store ? fmt::format("{} is \"{}\": {} hits only \"{}\"{}", in.name("target"), fault.target, fault.kind, only,
                              out.servers() > 1
                                  ? fmt::format(" (the first), and \"{0} 1\" to \"{0} {1}\"", only, out.servers())
                                  : std::string())
                : fmt::format("{} is \"{}\": expected owner, next, waiters, all or a contender: {}", in.name("target"),
                              fault.target, fmt::join(names, ", ")));
    read_fault_keys(in, *kind, names, fault);
    out.faults.push_back(std::move(fault));
  }
}

std::string expectation_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  return "";
}

// A list of two times, of two numbers, or of words, by what the key holds.
std::optional<ValidFor> valid_for(const std::string& key, const toml::array& list) {
  ValidFor out{key};
  const ValidKey kind = valid_key_of(key);
  if (kind == ValidKey::kNone || list.empty() || (kind != ValidKey::kWord && list.size() != 2)) return std::nullopt;
  for (const toml::node& node : list) {
    const auto* text = node.as_string();
    const auto* number = node.as_integer();
    if (kind == ValidKey::kNumber ? number == nullptr : text == nullptr) return std::nullopt;
    if (kind == ValidKey::kWord) out.words.push_back(text->get());
    const bool first = &node == &list.front();
    if (kind == ValidKey::kNumber) (first ? out.least : out.most) = number->get();
    if (kind != ValidKey::kTime) continue;
    const auto time = parse_time_expression(text->get());
    if (!time) return std::nullopt;
    (first ? out.from : out.to) = *time;
  }
  return out;
}

// Ends in leases and in seconds may change places under terms that were set: then the file is not wrong.
bool set_otherwise(const toml::table& file) {
  for (const char* key : {"mutex.ttl", "mutex.transition"})
    if (const auto at = file.at_path(key); at && error_at(*at.node(), "").line == 0) return true;
  return false;
}

void read_valid_for(TableReader& in, const toml::table& file, const Scenario& scenario, Expectations& out) {
  const toml::table* table = in.table("valid_for");
  if (table == nullptr) return;
  for (const auto& [key, node] : *table) {
    const std::string name = in.name("valid_for." + std::string(key.str()));
    const toml::array* list = node.as_array();
    const auto valid = list != nullptr ? valid_for(std::string(key.str()), *list) : std::nullopt;
    if (!valid)
      return in.fail(node,
                     fmt::format("{} says nothing: expected \"mutex.ttl\", \"mutex.transition\" or \"duration\" = "
                                 "[\"1s\", \"30s\"], \"contender.0.count\" = [3, 100] or "
                                 "\"contender.0.behaviour\" = [\"4.x\", \"3.1\"]",
                                 name));
    const bool in_leases = valid->from.relative() || valid->to.relative();
    const std::string never = in_leases && set_otherwise(file) ? "" : never_within(*valid, scenario);
    if (!never.empty()) return in.fail(node, name + never);
    out.valid_for.push_back(*valid);
  }
}

// `at` is { value = …, share = … }, or the value alone.
const toml::node* read_share(const toml::node& at, const std::string& path, std::optional<double>& share,
                             MaybeError& error) {
  const toml::table* table = at.as_table();
  if (table == nullptr) return &at;
  TableReader in(*table, path, error);
  const toml::node* value = in.node("value");
  if (const toml::node* given = in.node("share")) {
    share = share_of(*given);
    if (!share || *share == 0)
      in.fail(*given, fmt::format("{}: expected a share above 0 and at most 1, such as 0.9", in.name("share")));
  }
  in.done();
  return value;
}

void read_field(const std::string& path, const std::string& field, const toml::node& node, Expectations& out,
                MaybeError& error) {
  if (error) return;
  if (const toml::table* table = node.as_table(); table != nullptr && !table->contains("value")) {
    for (const auto& [key, inner] : *table) read_field(path, field + "." + std::string(key.str()), inner, out, error);
    return;
  }
  if (!is_expectable(field)) {
    const std::vector<std::string>& known = expectable_fields();
    error = error_at(node, fmt::format("{} is not a field of the summary{}: expected {}", field,
                                       did_you_mean(field, known), fmt::join(known, ", ")));
    return;
  }
  std::optional<double> share;
  const toml::node* value = read_share(node, path + "." + field, share, error);
  if (error) return;
  auto parsed = parse_expectation(field, expectation_text(*value));
  if (!parsed) {
    error = error_at(node, parsed.error());
    return;
  }
  parsed->share = share;
  out.fields[field] = *parsed;
}

void read_expectations(const toml::table* table, const std::string& path, const toml::table& file,
                       const Scenario& scenario, Expectations& out, MaybeError& error) {
  if (table == nullptr) return;
  TableReader in(*table, path, error);
  read_valid_for(in, file, scenario, out);
  const bool of_file = path == "expect";
  if (of_file) in.boolean("enabled", out.enabled);
  for (const auto& [key, node] : *table)
    if (key.str() != "valid_for" && !(of_file && (key.str() == "unfenced" || key.str() == "enabled")))
      read_field(path, std::string(key.str()), node, out, error);
}

void read_all_expectations(TableReader& root, const toml::table& file, Scenario& out, MaybeError& error) {
  const toml::table* expect = root.table("expect");
  if (expect == nullptr) return;
  read_expectations(expect, "expect", file, out, out.expected, error);
  const toml::table* unfenced = TableReader(*expect, "expect", error).table("unfenced");
  read_expectations(unfenced, "expect.unfenced", file, out, out.expected_unfenced, error);
}

// The default behaviour gives up a lease a margin before its end: one that is no longer would never be owned.
void check_margin(const toml::table& file, const Scenario& scenario, MaybeError& error) {
  if (scenario.family() != Family::kLease) return;
  for (const ContenderTable& contender : scenario.contenders) {
    const Duration lease = scenario.terms().lease(), margin = lease_margin(scenario.terms());
    if (contender.behaviour != Behaviour::kLeasescope || lease > margin) continue;
    error =
        error_at(*file.get("mutex")->as_table()->get("ttl"),
                 fmt::format("mutex: the lease (ttl + transition) is {}, and {} stops owning it {} before its end, a "
                             "margin of 1 % and 2ms: expected a longer lease, or another behaviour",
                             format_duration(lease), contender.title(), format_duration(margin)));
    return;
  }
}

void read_replay(TableReader& root, Scenario& out, MaybeError& error) {
  const toml::table* table = root.table("replay");
  if (table == nullptr) return;
  ReplayTable& replay = out.replay.emplace();
  TableReader in(*table, "replay", error);
  read_keys(in, replay_form(), {}, replay);
  in.done();
}

tl::expected<Scenario, InputError> decode(const toml::table& file, const std::string& path) {
  Scenario out;
  MaybeError error;
  out.name = std::filesystem::path(path).stem().string();
  TableReader root(file, "", error);
  if (!file.contains("schema")) root.fail_here("schema is missing: expected schema = 1");
  read_keys(root, file_form(), {}, out);
  read_replay(root, out, error);
  read_mutex(root, file, out, error);
  if (!error) read_systems(root, out);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  read_store(root, folder, out, error);
  if (!error) check_wake_up(file, out, error);
  if (!error) read_contenders(root, folder, out, error);
  if (!error) read_resources(root, folder, out, error);
  if (!error) read_faults(root, out, error);
  if (!error) check_margin(file, out, error);
  read_all_expectations(root, file, out, error);
  root.done();
  if (!error && (out.length() <= Duration::zero() || out.length() > kLongest))
    error = error_at(*file.get("duration"),
                     fmt::format("duration is {}: expected more than 0s and at most a year", out.duration.text));
  if (error) return tl::make_unexpected(*error);
  return out;
}

// The keys of the overrides that make it another scenario than the file's; none where the file alone says none.
std::vector<std::string> edits_of(const toml::table& original, const std::string& path,
                                  const std::vector<std::string>& overrides, const Scenario& changed) {
  std::vector<std::string> out;
  const auto unedited = decode(original, path);
  if (!unedited || judged_alike(changed, *unedited)) return out;
  for (const std::string& text : overrides) {
    toml::table root = original;
    const bool applied = !apply_override(root, text);
    const auto alone = applied ? decode(root, path) : tl::make_unexpected(InputError{});
    if (!alone || !judged_alike(*alone, *unedited)) out.push_back(text.substr(0, text.find('=')));
  }
  return out;
}

}  // namespace

std::string InputError::text() const {
  return line > 0 ? fmt::format("{}:{}:{}: {}", file, line, column, message) : fmt::format("{}: {}", file, message);
}

tl::expected<Scenario, InputError> read_scenario(std::string_view toml, const std::string& file,
                                                 const std::vector<std::string>& overrides) {
  if (auto beyond = beyond_bounds(toml, file)) return tl::make_unexpected(*beyond);
  toml::table root;
  try {
    root = toml::parse(toml, file);
  } catch (const toml::parse_error& error) {
    return tl::make_unexpected(
        InputError{file, static_cast<int>(error.source().begin.line), static_cast<int>(error.source().begin.column),
                   fmt::format("{}: expected a scenario as TOML, such as schema = 1", error.description())});
  }
  const toml::table original = overrides.empty() ? toml::table() : root;
  bool named = false;
  for (const std::string& text : overrides) {
    if (MaybeError error = apply_override(root, text)) return tl::make_unexpected(*error);
    named = named || text.rfind("mutex.name=", 0) == 0;
  }
  auto scenario = decode(root, file);
  if (scenario) scenario->mutex.named = named;
  if (scenario && !overrides.empty()) scenario->edits = edits_of(original, file, overrides, *scenario);
  if (scenario && !overrides.empty()) scenario->replay.reset();  // it is no longer what the file tells of
  return scenario;
}

tl::expected<Scenario, InputError> read_scenario_file(const std::string& path,
                                                      const std::vector<std::string>& overrides) {
  const auto text = path == kStandardInput ? standard_input() : read_text_file(path);
  if (!text) return tl::make_unexpected(InputError{path, 0, 0, text.error()});
  return read_scenario(*text, path, overrides);
}

}  // namespace leasescope
