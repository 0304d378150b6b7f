#include "core/history/team/schema.h"

#include <optional>

#include <fmt/format.h>

#include "core/base/embedded.h"
#include "core/base/escaped.h"

namespace leasescope::embedded {
std::vector<File> team_texts();
}

namespace leasescope::team {
namespace {

using Kind = SqlError::Kind;

constexpr std::int64_t kTurn = 0x4c736348'00000001;  // "LscH": of the server's advisory locks one that is ours

struct Found {
  int form = 0;
  std::string program;
};

Done from(Connection::Answer answer) {
  if (answer) return {};
  return tl::unexpected(std::move(answer.error()));
}

tl::expected<bool, SqlError> is_there(Connection& database, const char* sql) {
  const auto answer = database.ask({sql, {}, std::nullopt});
  if (!answer) return tl::unexpected(answer.error());
  return answer->size() == 1 && answer->yes(0, 0);
}

// The catalogue itself is asked: what to_regclass knows may be what it found before it waited for its turn.
constexpr const char* kIsMade =
    "select exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace "
    "where n.nspname = 'leasescope_history' and c.relname = 'form')";
constexpr const char* kHasSchema =
    "select exists (select from pg_catalog.pg_namespace where nspname = 'leasescope_history')";

// None: nothing has been made there.
tl::expected<std::optional<Found>, SqlError> look(Connection& database) {
  const auto there = is_there(database, kIsMade);
  if (!there) return tl::unexpected(there.error());
  if (!*there) return std::nullopt;
  const auto row = database.ask({"select number, program from leasescope_history.form", {}, std::nullopt});
  if (!row) return tl::unexpected(row.error());
  Found out;
  out.form = static_cast<int>(row->number(0, 0));
  out.program = row->text(0, 1);
  return out;
}

Done expect_known(const Found& found) {
  if (found.form <= current_form()) return {};
  return tl::unexpected(SqlError{
      Kind::kRefused,
      fmt::format("its history is of form {}, and this program knows none above {}: use leasescope {} or a newer one",
                  found.form, current_form(), escaped(found.program, 40)),
      "form"});
}

Done make(Connection& database, const std::string& program) {
  if (auto turn = take_turn(database); !turn) return turn;
  // Somebody else may have been quicker.
  auto found = look(database);
  if (!found) return tl::unexpected(found.error());
  if (*found)
    if (auto known = expect_known(**found); !known) return known;
  const auto schema = is_there(database, kHasSchema);
  if (!schema) return tl::unexpected(schema.error());
  if (!*schema)
    if (auto made = database.say("create schema leasescope_history"); !made) return tl::unexpected(made.error());
  const auto& forms = embedded::team_texts();
  for (int form = *found ? (*found)->form : 0; form < current_form(); ++form)
    if (auto made = database.say(forms[static_cast<std::size_t>(form)].text); !made)
      return tl::unexpected(made.error());
  return from(database.ask({"update leasescope_history.form set number = $1, program = $2 where number < $1",
                            {SqlValue(std::int64_t{current_form()}), SqlValue(program)},
                            std::nullopt}));
}

}  // namespace

int current_form() { return static_cast<int>(embedded::team_texts().size()); }

Done take_turn(Connection& database) {
  return from(database.ask({"select pg_advisory_xact_lock($1::bigint)", {SqlValue(kTurn)}, std::nullopt}));
}

Done expect_readable(Connection& database) {
  const auto found = look(database);
  if (!found) return tl::unexpected(found.error());
  if (*found) return expect_known(**found);
  return tl::unexpected(SqlError{
      Kind::kRefused, "holds no team's history: expected a database that watch --record has written to", "form"});
}

Done bring_up_to_date(Connection& database, const std::string& program) {
  const auto found = look(database);
  if (!found) return tl::unexpected(found.error());
  if (*found) {
    if (auto known = expect_known(**found); !known) return known;
    if ((*found)->form == current_form()) return {};
  }
  if (auto begun = database.say("begin"); !begun) return tl::unexpected(begun.error());
  if (auto made = make(database, program); !made) {
    database.say("rollback");
    return made;
  }
  return from(database.say("commit"));
}

}  // namespace leasescope::team
