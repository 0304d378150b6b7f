#include "simulator/scenario/fault_fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/scenario/form.h"

namespace leasescope {
namespace {

using Type = FaultFieldType;

// Of a fleet nobody reads a list of every name.
constexpr int kMostNames = 64;

std::vector<std::string> names_of(const Scenario& of) {
  return of.contender_count() <= kMostNames ? of.contender_names() : std::vector<std::string>{};
}

std::vector<std::string> kinds_for(const Scenario& of) {
  std::vector<std::string> out;
  for (const FaultKind& kind : all_fault_kinds())
    if (can_have(of.store, kind)) out.emplace_back(kind.name);
  return out;
}

std::vector<std::string> targets_for(const Scenario& of, const FaultKind& kind) {
  if (kind.target != FaultTarget::kContender) {
    const std::string only = kind.target == FaultTarget::kReplica ? "replica" : "store";
    std::vector<std::string> out{only};
    for (int place = 1; place <= of.servers() && of.servers() > 1; ++place)
      out.push_back(fmt::format("{} {}", only, place));
    return out;
  }
  std::vector<std::string> out{"owner", "next", "waiters", "all"};
  if (kind.of_resource) out.emplace_back("resource");
  for (std::string& name : names_of(of)) out.push_back(std::move(name));
  return out;
}

FaultField own(const Scenario& of, const FaultTable& row, const FaultKey& key) {
  FaultField out{key.name, Type::kTime, "", {}, "", key.required};
  const std::string name(key.name);
  switch (key.type) {
    case FaultKeyType::kTime:
      if (const auto time = row.times.find(name); time != row.times.end()) out.value = toml_text(time->second.text);
      break;
    case FaultKeyType::kNumber:
      out.type = Type::kNumber;
      if (const auto number = row.numbers.find(name);
          number != row.numbers.end() && number->second >= key.least && number->second <= key.most)
        out.value = toml_number(number->second);
      break;
    case FaultKeyType::kWord:
    case FaultKeyType::kContender:
      out.type = key.type == FaultKeyType::kWord ? Type::kWord : Type::kContender;
      out.words =
          key.type == FaultKeyType::kWord ? std::vector<std::string>(key.words.begin(), key.words.end()) : names_of(of);
      if (const auto word = row.words.find(name); word != row.words.end() && !word->second.empty())
        out.value = toml_text(word->second);
      break;
  }
  return out;
}

// As a reader would have written it: a value that the key allows.
std::string first_value(const Scenario& of, const FaultKey& key) {
  switch (key.type) {
    case FaultKeyType::kTime:
      return toml_text("500ms");
    case FaultKeyType::kNumber:
      return toml_number(std::clamp(key.draw.from, key.least, key.most));
    case FaultKeyType::kWord:
      return toml_text(std::string(key.words.front()));
    case FaultKeyType::kContender:
      return toml_text(of.contender_count() > 0 ? of.contender_names().back() : std::string());
  }
  return {};
}

}  // namespace

std::vector<FaultField> fault_fields(const Scenario& of, const FaultTable& row) {
  std::vector<FaultField> out;
  out.push_back({"at", Type::kTime, "when it begins, in leases or not", {}, toml_text(row.at.text), true});
  out.push_back({"kind", Type::kKind, "what it does", kinds_for(of), toml_text(row.kind), true});
  const FaultKind* const kind = find_fault_kind(row.kind);
  out.push_back({"target", Type::kTarget, "whom it hits", kind ? targets_for(of, *kind) : std::vector<std::string>{},
                 toml_text(row.target)});
  if (kind != nullptr && kind->lasts)
    out.push_back(
        {"duration", Type::kTime, "how long it lasts, in leases or not", {}, toml_text(row.duration.text), true});
  if (kind != nullptr && kind->during_compute)
    out.push_back({"during",
                   Type::kWord,
                   "compute: it begins between the owner's check and its write",
                   {"", "compute"},
                   row.during_compute ? toml_text("compute") : std::string()});
  // In the order of their names, times before words before numbers.
  for (const FaultKeyType type :
       {FaultKeyType::kTime, FaultKeyType::kWord, FaultKeyType::kContender, FaultKeyType::kNumber})
    for (const FaultKey& key : kind != nullptr ? kind->keys : std::vector<FaultKey>{})
      if (key.type == type) out.push_back(own(of, row, key));
  out.push_back({"enabled",
                 Type::kTruth,
                 "false: the row is passed over",
                 {},
                 row.enabled ? std::string() : std::string("false")});
  return out;
}

std::string fault_lines(const Scenario& of, const FaultKind& kind, Duration at, Duration lasts,
                        const std::string& target) {
  std::string out =
      fmt::format("at = {}\nkind = {}\n", toml_text(format_duration(at)), toml_text(std::string(kind.name)));
  const std::vector<std::string> known = targets_for(of, kind);
  const bool fits = std::find(known.begin(), known.end(), target) != known.end();
  out += fmt::format("target = {}\n", toml_text(fits ? target : known.front()));
  if (kind.lasts) out += fmt::format("duration = {}\n", toml_text(format_duration(lasts)));
  for (const FaultKey& key : kind.keys)
    if (key.required) out += fmt::format("{} = {}\n", key.name, first_value(of, key));
  return out;
}

}  // namespace leasescope
