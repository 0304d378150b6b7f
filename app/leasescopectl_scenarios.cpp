#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "simulator/live/live_refusal.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/form.h"

namespace leasescope::ctl {
namespace {

using Json = nlohmann::ordered_json;

std::string keys_of(const FaultKind& kind) {
  std::vector<std::string> keys{"at", "target"};
  if (kind.lasts) keys.emplace_back("duration");
  if (kind.during_compute) keys.emplace_back("during = compute");
  for (const FaultKey& key : kind.keys)
    keys.push_back(key.type == FaultKeyType::kWord ? fmt::format("{} = {}", key.name, fmt::join(key.words, "|"))
                                                   : std::string(key.name));
  return fmt::format("{}", fmt::join(keys, ", "));
}

// What it may take away by its nature, in words; also what a swarm excuses by it.
std::vector<std::string> may_break_words(const FaultKind& kind) {
  std::vector<std::string> out;
  if (!kind.may_break.empty()) out.emplace_back("the store may grant a mutex twice");
  if (kind.may_break == "fence") out.emplace_back("its tokens may go back");
  if (kind.may_overlap) out.emplace_back("two may believe they own it at once");
  if (kind.may_overtake) out.emplace_back("what was sent earlier may arrive later and end a later term");
  if (out.empty()) out.emplace_back("nothing");
  return out;
}

// Columns of the terminal; in a pipe as many as a page has.
std::size_t columns() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::clamp<std::size_t>(known ? size.ws_col : 100, 60, 160);
}

// The text in lines of the terminal's width, each with that indent but the first.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t room = columns() - indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::size_t width = 0;  // characters, not bytes
    for (const char c : word) width += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (!out.empty() && width + 1 > room) {
      out += '\n';
      out.append(indent, ' ');
      room = columns() - indent;
    } else if (!out.empty()) {
      out += ' ';
      --room;
    }
    out += word;
    room -= std::min(room, width);
  }
  return out;
}

int list_faults(bool json) {
  constexpr std::size_t kIndent = 13;
  Json list = Json::array();
  for (const FaultKind& kind : all_fault_kinds()) {
    if (json) {
      list.push_back({{"kind", kind.name},
                      {"about", kind.about},
                      {"keys", keys_of(kind)},
                      {"worlds", worlds_of(kind)},
                      {"may_break", kind.may_break.empty() ? Json(nullptr) : Json(kind.may_break)},
                      {"may_overlap", kind.may_overlap},
                      {"may_overtake", kind.may_overtake},
                      {"may", may_break_words(kind)}});
      continue;
    }
    say("{}\n  {}\n", kind.name, wrapped(std::string(kind.about), 2));
    say("  keys       {}\n", wrapped(keys_of(kind), kIndent));
    say("  worlds     {}\n", fmt::join(worlds_of(kind), ", "));
    say("  may break  {}\n\n", wrapped(fmt::format("{}", fmt::join(may_break_words(kind), "; ")), kIndent));
  }
  if (json) say("{}\n", list.dump(2));
  return kAsExpected;
}

// Every table there can be, one of each: with the first system all, then what others have beside.
template <class Visit>
void each_form(Visit visit) {
  Scenario of;
  of.contenders.resize(1);
  of.resources.resize(1);
  of.replay.emplace();
  each_table(of, [&](const TableName& table, const auto& form, const auto& values) {
    visit(table, form, values);
    if (table.name != "mutex") return;
    for (const std::string_view system : system_names())
      if (!system_form(system).empty()) visit(TableName{system}, system_form(system), of.system);
  });
  each_model([&]<class Terms>(std::type_identity<Terms>) {
    if (Terms::kName != of.store.model)
      visit(TableName{model_table(Terms::kName)}, model_form(Terms::kName), of.store.terms);
  });
  for (const std::string_view system : system_names()) {
    Form<ContenderTable> beside;
    for (const auto& key : contender_form(system))
      if (key.of_plan) beside.push_back(key);
    if (!beside.empty()) visit(TableName{"contender", 0}, beside, of.contenders.front());
  }
}

int list_keys(bool json) {
  constexpr std::size_t kIndent = 20;
  Json list = Json::array();
  each_form([&](const TableName& table, const auto& form, const auto& values) {
    const bool list_of_tables = table.place >= 0;
    if (!json && table.name.empty()) say("the file itself\n");
    if (!json && !table.name.empty())
      say("{}{}{}\n", list_of_tables ? "[[" : "[", table.name, list_of_tables ? "]]" : "]");
    for (const auto& key : form) {
      const std::string value = key.required ? std::string() : key.write(values);
      if (json) {
        list.push_back({{"table", table.name},
                        {"key", key.name},
                        {"required", key.required},
                        {"default", value.empty() ? Json(nullptr) : Json(value)},
                        {"may_change_at_a_fork", key.forks},
                        {"about", key.about}});
      } else {
        const std::string standard = key.required ? "required" : value.empty() ? "" : "default " + value;
        say("  {:<17} {}\n", key.name,
            wrapped(standard.empty() ? std::string(key.about) : fmt::format("{} ({})", key.about, standard), kIndent));
      }
    }
    if (!json) say("\n");
  });
  if (json) {
    say("{}\n", list.dump(2));
  } else {
    say("[[fault]] has the keys of its kind (leasescopectl scenarios --faults); [expect] is in the README of "
        "simulator/scenario.\n");
  }
  return kAsExpected;
}

}  // namespace

int list_scenarios(bool json, Listing what) {
  if (what == Listing::kFaults) return list_faults(json);
  if (what == Listing::kKeys) return list_keys(json);
  Json list = Json::array();
  for (const BuiltIn& built_in : built_in_scenarios()) {
    const auto scenario = read_scenario(built_in.toml, built_in.name + ".toml");
    if (!scenario) return failed(scenario.error().text());
    const std::vector<std::string> worlds = worlds_of(*scenario);
    if (json) {
      const std::string why = why_not_live(*scenario);
      list.push_back({{"name", built_in.name},
                      {"title", scenario->title},
                      {"about", scenario->about},
                      {"worlds", worlds},
                      {"not_live", why.empty() ? Json(nullptr) : Json(why)}});
      continue;
    }
    constexpr std::size_t kIndent = 22;
    say("{:<21} {}\n", built_in.name,
        wrapped(fmt::format("{} ({})", scenario->title, fmt::join(worlds, ", ")), kIndent));
    if (!scenario->about.empty()) say("{:<21} {}\n", "", wrapped(scenario->about, kIndent));
  }
  if (json) say("{}\n", list.dump(2));
  return kAsExpected;
}

}  // namespace leasescope::ctl
