#include "core/store/postgres/table.h"

#include <vector>

#include <fmt/format.h>

#include "core/store/postgres/advice.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

using Done = tl::expected<void, std::string>;

// Asked for first, because a table that is there needs no right to make one.
constexpr const char* kThere = "select 1 from pg_class where oid = to_regclass('{}')";
// Two programs may come at the same moment.
constexpr const char* kAlone = "begin; select pg_advisory_xact_lock(hashtext('leasescope')); ";

// What calls need of one of their tables.
struct Needed {
  std::string_view columns;  // a row each: name, and whether it is text (S), a whole number (N) or a truth (B)
  std::string_view texts;    // which of them equal bytes alone make equal
  std::string_view key;      // in the order of the alphabet
  std::string_view keyless;
};

constexpr Needed kLeases{
    "('mutex', 'S'), ('owner_id', 'S'), ('acquired_at', 'N'), ('ttl_at', 'N'), ('transition_at', 'N'), "
    "('version', 'N'), ('fencing_token', 'N')",
    "'mutex', 'owner_id'", "mutex", "its column mutex is no key"};
constexpr Needed kRegisters{
    "('mutex', 'S'), ('owner_id', 'S'), ('cell', 'N'), ('version', 'N'), ('mode', 'N'), ('stamped_by', 'N'), "
    "('fencing_token', 'N'), ('stamp', 'N')",
    "'mutex', 'owner_id'", "cell mutex", "its columns mutex and cell are no key"};
// In the order of table_names().
const std::vector<Needed>& needed_by(Family family) {
  static const std::vector<Needed> leases{kLeases}, registers{kRegisters},
      fenced{{"('session', 'N'), ('mutex', 'S'), ('owner_id', 'S'), ('ttl', 'N'), ('expires', 'N'), ('version', 'N')",
              "'mutex', 'owner_id'", "session", "its column session is no key"},
             {"('mutex', 'S'), ('session', 'N'), ('thread', 'N'), ('fence', 'N'), ('held', 'N')", "'mutex'", "mutex",
              "its column mutex is no key"},
             {"('session', 'N'), ('thread', 'N'), ('mutex', 'S'), ('uid', 'N'), ('fence', 'N'), ('gives_up', 'N')",
              "'mutex'", "session thread", "its columns session and thread are no key"},
             {"('session', 'N'), ('thread', 'N'), ('uid', 'N'), ('acquires', 'B'), ('answer', 'N'), ('fence', 'N'), "
              "('held', 'N')",
              "''", "acquires session thread uid", "its columns session, thread, uid and acquires are no key"}};
  return family == Family::kRegister ? registers : family == Family::kSession ? fenced : leases;
}

// What of it is not as the calls need it, a sentence each; empty when all is well. Without the key two rows would stand
// for one mutex, and under a collation that takes different texts for equal one owner for another.
constexpr const char* kAmiss = R"(
select string_agg(what, ', ' order by place) from (
  select 0 as place, 'it is no ordinary table' as what
  from pg_class where oid = to_regclass('{0}') and relkind not in ('r', 'p')
  union all
  select 1, format('its column %s is %s', needed.name,
                   case when a.attname is null then 'missing' else format_type(a.atttypid, a.atttypmod) end)
  from (values {1}) as needed (name, category)
  left join pg_attribute a on a.attrelid = to_regclass('{0}') and a.attname = needed.name
                           and a.attnum > 0 and not a.attisdropped
  left join pg_type t on t.oid = a.atttypid
  where a.attname is null
     or case needed.category when 'S' then t.typname not in ('varchar', 'text')
                             when 'B' then t.typname <> 'bool' else t.typname <> 'int8' end
  union all
  select 2, format('its column %s takes different texts for equal', a.attname)
  from pg_attribute a join pg_collation c on c.oid = a.attcollation
  where a.attrelid = to_regclass('{0}') and a.attname in ({2}) and not c.collisdeterministic
  union all
  select 3, '{4}'
  where not exists (
    select 1 from pg_index i
    where i.indrelid = to_regclass('{0}') and i.indisunique and i.indimmediate and i.indisvalid
      and i.indpred is null and i.indexprs is null
      and '{3}' = (select string_agg(a.attname::text, ' ' order by a.attname::text)
                   from pg_attribute a where a.attrelid = i.indrelid
                     and a.attnum::text = any ((string_to_array(i.indkey::text, ' '))[1:i.indnkeyatts])))) as amiss)";

std::string missing(const std::string& error, std::string_view table, const StoreUrl& url, Family family) {
  return fmt::format(
      "{}: the table {} is missing, and {} may not make it: let it (grant create on schema public to {}), or "
      "have it made by somebody who may: {}",
      error, table, url.user.empty() ? "this user" : url.user, url.user.empty() ? "it" : url.user,
      words_for_the_table(url, family));
}

Done make(Asker& server, std::string_view table, const StoreUrl& url, Family family) {
  const auto made = server.ask(kAlone + table_sql(family) + "; commit");
  if (made) return {};
  const std::string error = made.error().substr(0, made.error().find(" LINE "));  // which shows the statement
  const bool denied = error.find("permission denied") != std::string::npos ||
                      error.find("no schema has been selected") != std::string::npos;
  if (denied) return tl::unexpected(missing(error, table, url, family));
  return tl::unexpected(fmt::format("{}: {}", error, advice(error, url, family)));
}

// The first of them that is not there; empty when all are.
tl::expected<std::string_view, std::string> first_missing(Asker& server, Family family) {
  std::vector<std::string_view> names = table_names(family);
  if (const std::string_view sequence = sequence_name(family); !sequence.empty()) names.push_back(sequence);
  for (const std::string_view name : names) {
    const auto there = server.ask(fmt::format(kThere, name));
    if (!there) return tl::unexpected(there.error());
    if (first_text(*there).empty()) return name;
  }
  return std::string_view();
}

Done check(Asker& server, std::string_view name, const Needed& needed, const StoreUrl& url, Family family) {
  const auto amiss = server.ask(fmt::format(kAmiss, name, needed.columns, needed.texts, needed.key, needed.keyless));
  if (!amiss) return tl::unexpected(fmt::format("{}: {}", amiss.error(), advice(amiss.error(), url, family)));
  const std::string what = first_text(*amiss);
  if (what.empty()) return {};
  if (family == Family::kLease && what == "its column fencing_token is missing")
    return tl::unexpected<std::string>(
        "its table simba_mutex has no column fencing_token: alter table simba_mutex add column fencing_token bigint "
        "not null default 0");
  return tl::unexpected(
      fmt::format("a table {} is there, but is not ours: {}. Name another database or schema "
                  "(?options=-csearch_path%3D…), "
                  "or make it anew: {}",
                  name, what, words_for_the_table(url, family)));
}

}  // namespace

Done prepare_table(Asker& server, const StoreUrl& url, Family family) {
  const auto missing = first_missing(server, family);
  if (!missing) return tl::unexpected(fmt::format("{}: {}", missing.error(), advice(missing.error(), url, family)));
  if (!missing->empty())
    if (Done made = make(server, *missing, url, family); !made) return made;
  const std::vector<std::string_view>& names = table_names(family);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (Done checked = check(server, names[i], needed_by(family)[i], url, family); !checked) return checked;
  return {};
}

}  // namespace leasescope::postgres
