#include "simulator/live/toxics/plan.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest_word.h"
#include "simulator/scenario/table_reader.h"
#include "simulator/scenario/text_file.h"

namespace leasescope {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr std::string_view kOf = "a plan";

std::vector<std::string> kind_names() {
  std::vector<std::string> out;
  for (const ToxicKind& kind : all_toxic_kinds()) out.emplace_back(kind.name);
  return out;
}

std::int64_t read_value(TableReader& in, const ToxicKey& key) {
  std::int64_t value = key.unsaid;
  switch (key.type) {
    case ToxicKey::Type::kTime: {
      Duration time(value);
      in.duration(key.name, time, Duration::zero(), key.required);
      return time.count();
    }
    case ToxicKey::Type::kNumber:
      in.integer(key.name, value, key.least, key.most, key.required);
      return value;
    case ToxicKey::Type::kWord: {
      std::string word(key.words[static_cast<std::size_t>(value)]);
      in.word(key.name, word, key.words);
      const auto found = std::find(key.words.begin(), key.words.end(), word);
      return found - key.words.begin();
    }
  }
  return value;
}

LinkDirection read_direction(TableReader& in, const ToxicKind& kind) {
  if (kind.directions.empty()) return LinkDirection::kBoth;
  std::string word(kind.directions.front());
  in.word("direction", word, kind.directions);
  return word == "to_store"     ? LinkDirection::kToStore
         : word == "from_store" ? LinkDirection::kFromStore
                                : LinkDirection::kBoth;
}

ToxicRow read_row(TableReader& in, const toml::table& table, int number) {
  ToxicRow row;
  row.number = number;
  std::string name;
  in.duration("at", row.at, Duration::zero());
  in.text("kind", name, true);
  if (in.failed()) return row;
  row.kind = find_toxic_kind(name);
  if (row.kind == nullptr) {
    const std::vector<std::string> names = kind_names();
    in.fail(*table.get("kind"), fmt::format("{} is \"{}\"{}: expected {}", in.name("kind"), name,
                                            did_you_mean(name, names), fmt::join(names, ", ")));
    return row;
  }
  if (row.kind->lasts) in.duration("duration", row.lasts, Duration(1));
  row.direction = read_direction(in, *row.kind);
  std::size_t place = 0;
  for (const ToxicKey& key : row.kind->keys) row.values[place++] = read_value(in, key);
  in.done(kOf);
  return row;
}

}  // namespace

const ToxicRow* ToxicPlan::reads_frames() const {
  const auto found = std::find_if(rows.begin(), rows.end(), [](const ToxicRow& row) { return row.kind->reads_frames; });
  return found == rows.end() ? nullptr : &*found;
}

std::string ToxicPlan::place(const ToxicRow& row) const {
  return fmt::format("{}:{}", file, lines[static_cast<std::size_t>(row.number - 1)]);
}

tl::expected<ToxicPlan, InputError> read_toxic_plan(std::string_view toml, const std::string& file) {
  const auto root = parse_toml(
      toml, file,
      "a plan of toxics as TOML: schema = 1, then a table [[toxic]] for each, as in simulator/live/README.md");
  if (!root) return tl::unexpected(root.error());
  ToxicPlan plan;
  plan.file = file;
  MaybeError error;
  TableReader in(*root, "", error);
  std::int64_t schema = 0;
  in.integer("schema", schema, kSchema, kSchema, true);
  for (const toml::table* table : in.tables("toxic")) {
    if (error) break;
    const int number = static_cast<int>(plan.rows.size()) + 1;
    TableReader row(*table, fmt::format("toxic.{}", number - 1), error);
    plan.rows.push_back(read_row(row, *table, number));
    plan.lines.push_back(static_cast<int>(table->source().begin.line));
  }
  in.done(kOf);
  if (!error && plan.rows.empty()) in.fail_here("there is nothing to do: expected at least one table [[toxic]]");
  if (error) return tl::unexpected(*error);
  return plan;
}

// ---- carried out

ToxicSchedule::ToxicSchedule(Loop& loop, FaultProxy& proxy, const ToxicPlan& plan, std::uint64_t seed, Log log)
    : loop_(&loop), proxy_(&proxy), log_(std::move(log)), timer_(loop) {
  for (const ToxicRow& row : plan.rows) {
    entries_.push_back({row.kind->make(row, seed)});
    entries_.back().toxic->told = log_.told;
  }
}

void ToxicSchedule::begin() {
  for (Entry& entry : entries_) {
    const ToxicRow& row = entry.toxic->row;
    entry.begins = loop_->now() + row.at;
    if (row.lasts > Duration::zero()) entry.ends = entry.begins + row.lasts;
    if (!row.kind->lasts) entry.ends = entry.begins;
  }
  act();
}

void ToxicSchedule::act() {
  const TrueTime now = loop_->now();
  std::vector<std::shared_ptr<Toxic>> armed, disarmed;
  TrueTime next = TrueTime::max();
  for (Entry& entry : entries_) {
    const bool begins = !entry.armed && !entry.over && entry.begins <= now;
    if (begins) armed.push_back(entry.toxic);
    entry.armed = entry.armed || begins;
    if (entry.armed && entry.ends <= now) {
      disarmed.push_back(entry.toxic);
      entry.armed = false;
      entry.over = true;
    }
    if (!entry.over) next = std::min(next, entry.armed ? entry.ends : entry.begins);
  }
  for (const auto& toxic : armed)
    if (log_.changed) log_.changed(toxic->row, true);
  if (!armed.empty()) proxy_->arm(armed);
  for (const auto& toxic : disarmed)
    if (log_.changed && toxic->row.kind->lasts) log_.changed(toxic->row, false);
  if (!disarmed.empty()) proxy_->disarm(disarmed);
  if (next != TrueTime::max()) timer_.arm(std::max(Duration(1), next - loop_->now()), [this] { act(); });
}

}  // namespace leasescope
