#include "core/store/postgres/table.h"

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

// What calls need of their table.
struct Needed {
  std::string_view columns;  // a row each: name, and whether it is text (S) or a whole number (N)
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
     or case needed.category when 'S' then t.typname not in ('varchar', 'text') else t.typname <> 'int8' end
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

std::string missing(const std::string& error, const StoreUrl& url, Family family) {
  return fmt::format(
      "{}: the table {} is missing, and {} may not make it: let it (grant create on schema public to {}), or "
      "have it made by somebody who may: {}",
      error, table_name(family), url.user.empty() ? "this user" : url.user, url.user.empty() ? "it" : url.user,
      words_for_the_table(url, family));
}

Done make(Asker& server, const StoreUrl& url, Family family) {
  const auto made = server.ask(kAlone + table_sql(family) + "; commit");
  if (made) return {};
  const std::string error = made.error().substr(0, made.error().find(" LINE "));  // which shows the statement
  const bool denied = error.find("permission denied") != std::string::npos ||
                      error.find("no schema has been selected") != std::string::npos;
  if (denied) return tl::unexpected(missing(error, url, family));
  return tl::unexpected(fmt::format("{}: {}", error, advice(error, url, family)));
}

}  // namespace

Done prepare_table(Asker& server, const StoreUrl& url, Family family) {
  const auto failed = [&](const std::string& error) {
    return tl::unexpected(fmt::format("{}: {}", error, advice(error, url, family)));
  };
  const std::string_view name = table_name(family);
  const Needed& needed = family == Family::kRegister ? kRegisters : kLeases;
  const auto there = server.ask(fmt::format(kThere, name));
  if (!there) return failed(there.error());
  if (first_text(*there).empty()) return make(server, url, family);
  const auto amiss = server.ask(fmt::format(kAmiss, name, needed.columns, needed.texts, needed.key, needed.keyless));
  if (!amiss) return failed(amiss.error());
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

}  // namespace leasescope::postgres
