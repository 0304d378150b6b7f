// completion, man, and what is said to wrong usage: all from the table that --help prints.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_reports.h"
#include "core/base/build.h"
#include "core/base/nearest_word.h"
#include "core/check/model.h"
#include "core/store/types/types.h"
#include "simulator/fault/kind.h"
#include "simulator/scenario/catalogue.h"

namespace leasescope::ctl {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* command : commands_of(app)) out.push_back(command->get_name());
  return out;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

// ---- bash completion

int print_completion(const CLI::App& app, const std::string& shell) {
  if (shell != "bash") return bad_input(fmt::format("completion {}: expected bash", shell));
  std::vector<std::string> scenarios;
  for (const BuiltIn& built_in : built_in_scenarios()) scenarios.push_back(built_in.name);
  std::vector<std::string_view> stores;
  for (const StoreType* type : store_types()) stores.push_back(type->name());
  std::string cases, groups;
  for (const CLI::App* command : commands_of(app)) {
    // Of a group all options of its commands: which of them is meant stands somewhere before.
    std::vector<std::string> options = option_names(*command);
    for (const CLI::App* part : commands_of(*command))
      for (const std::string& option : option_names(*part))
        if (std::find(options.begin(), options.end(), option) == options.end()) options.push_back(option);
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), fmt::join(options, " "));
    if (const auto parts = command_names(*command); !parts.empty())
      groups += fmt::format("      {}) words=\"{}\" ;;\n", command->get_name(), fmt::join(parts, " "));
  }
  say(R"(# bash completion of leasescopectl: source <(leasescopectl completion bash)
_leasescopectl() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}" -- "$word"))
    return
  fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    case $before in
{}    esac
    if [ -n "$words" ]; then
      COMPREPLY=($(compgen -W "$words" -- "$word"))
      return
    fi
  fi
  case $before in
    --store) words="model {}" ;;
    --without) words="{}" ;;
    --model) words="{}" ;;
    {} | --out | --output | --hashes | --csv | --against | --plan) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --seed | --seeds | --jobs | --set | --until | --fork-at | --from | --to | --n | --eps | --timeout) return ;;
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "{}" -- "$word") $(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _leasescopectl leasescopectl
)",
      fmt::join(command_names(app), " "), groups, fmt::join(stores, " "), fmt::join(fault_kind_names(), " "),
      fmt::join(check::model_words(), " "), fmt::join(report_options(), " | "), cases, fmt::join(scenarios, " "));
  return kAsExpected;
}

// ---- man pages

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
  return out;
}

std::string options_roff(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    std::string value;
    if (!option->get_lnames().empty() && option->get_items_expected_max() > 0) value = " \\fIVALUE\\fR";
    out += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option->get_name(false, true)), value,
                       roff(option->get_description()));
  }
  return out;
}

// What stands below the options, line by line.
std::string footer_roff(const CLI::App& app) {
  std::string out;
  std::istringstream lines(app.get_footer());
  for (std::string line; std::getline(lines, line);) out += roff(line) + "\n";
  return out.empty() ? out : ".PP\n.nf\n" + out + ".fi\n";
}

void say_command(const CLI::App& command, const std::string& name) {
  say(".SS {}\n{}\n{}{}", roff(name), roff(command.get_description()), options_roff(command), footer_roff(command));
}

int print_man(const CLI::App& app) {
  say(".TH LEASESCOPECTL 1 \"\" \"leasescope {}\"\n.SH NAME\nleasescopectl \\- {}\n", roff(build_text()),
      roff(app.get_description()));
  say(".SH SYNOPSIS\n.B leasescopectl\n\\fICOMMAND\\fR [\\fIOPTION\\fR ...]\n.SH COMMANDS\n");
  for (const CLI::App* command : commands_of(app)) {
    say_command(*command, command->get_name());
    for (const CLI::App* part : commands_of(*command)) say_command(*part, command->get_name() + " " + part->get_name());
  }
  say(".SH OPTIONS\n{}", options_roff(app));
  say(".SH EXIT STATUS\nOf contend: that of its command; 124 when the wait ran out, 125 when the mutex was lost.\nOf "
      "the others:\n.TP\n0\nas expected, or not judged\n.TP\n1\nfailed at run time\n.TP\n2\nbad usage or bad "
      "input: "
      "the message says where, and what was expected\n.TP\n3\nthe run finished and what its scenario declares did not "
      "happen\n");
  return kAsExpected;
}

}  // namespace

void add_help_commands(CLI::App& app, int& exit) {
  auto shell = std::make_shared<std::string>("bash");
  CLI::App* completion =
      app.add_subcommand("completion", "Completion for a shell: source <(leasescopectl completion bash)");
  completion->add_option("SHELL", *shell, "bash");
  completion->callback([&app, &exit, shell] { exit = print_completion(app, *shell); });
  CLI::App* man = app.add_subcommand("man", "The manual page: leasescopectl man | man -l -");
  man->callback([&app, &exit] { exit = print_man(app); });
}

std::string usage_hint(const CLI::App& app, const std::vector<std::string>& unexpected) {
  std::vector<std::string> known = command_names(app);
  std::string help = "--help";
  for (const CLI::App* command : app.get_subcommands()) {
    known = option_names(*command);
    help = command->get_name() + " --help";
    if (!command_names(*command).empty()) known = command_names(*command);
    for (const CLI::App* part : command->get_subcommands()) {
      known = option_names(*part);
      help = command->get_name() + " " + part->get_name() + " --help";
    }
  }
  std::string out;
  for (const std::string& word : unexpected)
    if (out.empty()) out = did_you_mean(word.substr(0, word.find('=')), known);
  return fmt::format("{}: leasescopectl {} lists what there is", out, help);
}

}  // namespace leasescope::ctl
