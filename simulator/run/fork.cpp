#include "simulator/run/fork.h"

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/run/bare_run.h"
#include "simulator/scenario/form.h"

namespace leasescope {
namespace {

template <class Table>
void take_back(const Form<Table>& form, Table& changed, const Table& of) {
  for (const Key<Table>& key : form)
    if (key.forks) key.take(changed, of);
}

// `changed`, with all that a fork may change taken back.
Scenario what_must_stay(const Scenario& changed, const Scenario& of) {
  Scenario out = changed;
  out.name = of.name;
  out.mutex.named = of.mutex.named;
  take_back(file_form(), out, of);
  take_back(mutex_form(of.mutex.system), out.mutex, of.mutex);
  take_back(store_form(), out.store, of.store);
  for (std::size_t i = 0; i < std::min(out.contenders.size(), of.contenders.size()); ++i)
    take_back(contender_form(of.mutex.system), out.contenders[i], of.contenders[i]);
  for (std::size_t i = 0; i < std::min(out.resources.size(), of.resources.size()); ++i)
    take_back(resource_form(), out.resources[i], of.resources[i]);
  out.faults = of.faults;
  out.expected = of.expected;
  out.expected_unfenced = of.expected_unfenced;
  out.replay = of.replay;
  out.edits = of.edits;
  return out;
}

// The first key in which they differ; empty: in none of that table.
template <class Table>
std::string difference(const TableName& table, const Form<Table>& form, const Table& a, const Table& b) {
  for (const Key<Table>& key : form)
    if (!key.same(a, b))
      return table.name.empty() ? std::string(key.name) : fmt::format("{}.{}", table.path(), key.name);
  return {};
}

template <class Table>
std::string difference(std::string_view name, const Form<Table>& form, const std::vector<Table>& a,
                       const std::vector<Table>& b) {
  std::string out = a.size() == b.size() ? "" : fmt::format("the number of {}s", name);
  for (std::size_t i = 0; i < a.size() && out.empty(); ++i)
    out = difference(TableName{name, static_cast<int>(i)}, form, a[i], b[i]);
  return out;
}

std::string first_difference(const Scenario& a, const Scenario& b) {
  for (const std::string& found :
       {difference(TableName{}, file_form(), a, b),
        difference(TableName{"mutex"}, mutex_form(a.mutex.system), a.mutex, b.mutex),
        difference(TableName{a.mutex.system}, system_form(a.mutex.system), a.system, b.system),
        difference(TableName{"store"}, store_form(), a.store, b.store),
        difference(TableName{model_table(a.store.model)}, model_form(a.store.model), a.store.terms, b.store.terms),
        difference("contender", contender_form(a.mutex.system), a.contenders, b.contenders),
        difference("resource", resource_form(), a.resources, b.resources)})
    if (!found.empty()) return found;
  return "something";
}

// "fault, store.latency, …": what a fork may change.
std::string what_may_change(const Scenario& of) {
  std::string out = "fault";
  each_table(of, [&](const TableName& table, const auto& form, const auto&) {
    if (table.name.empty() || table.place > 0) return;
    for (const auto& key : form)
      if (key.forks) out += fmt::format(", {}.{}", table.name, key.name);
  });
  return out + " or duration";
}

}  // namespace

tl::expected<void, std::string> check_fork(const Scenario& of, const Scenario& changed) {
  const Scenario same = what_must_stay(changed, of);
  if (same == of) return {};
  return tl::make_unexpected(fmt::format("{} cannot change at a fork: expected changes of {}",
                                         first_difference(of, same), what_may_change(of)));
}

tl::expected<BareRun, std::string> fork(const BareRun& run, const Scenario& of, const Scenario& changed, TrueTime at) {
  if (auto may = check_fork(of, changed); !may) return tl::make_unexpected(may.error());
  if (TrueTime{} + changed.length() < at)
    return tl::make_unexpected(fmt::format("duration is {}: expected to end after the fork at {} s",
                                           format_duration(changed.length()), format_seconds(at.time_since_epoch())));
  BareRun out = run;
  if (auto done = out.change_course(changed, at); !done) return tl::make_unexpected(done.error());
  return out;
}

}  // namespace leasescope
