// check: judges a history of calls by a model of the lock.
#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/leasescopectl.h"
#include "app/leasescopectl_files.h"
#include "core/base/escaped.h"
#include "core/base/nearest_word.h"
#include "core/check/call_reader.h"
#include "core/check/call_writer.h"
#include "core/check/check.h"
#include "core/time/duration_text.h"
#include "simulator/scenario/text_file.h"

namespace leasescope::ctl {
namespace {

using check::Call;
using check::Calls;
using check::Judgement;
using check::LockVerdict;
using check::Model;
using check::ModelKind;
using check::Verdict;
using Json = nlohmann::ordered_json;

struct CheckCommand {
  std::string history;
  std::string model;
  std::uint32_t n = 2;
  std::string eps = "0s";
  std::string timeout = "60s";
  std::string out;
  bool json = false;
};

std::string model_help() {
  std::string out;
  for (int i = 0; i < check::kModels; ++i)
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", check::text(static_cast<ModelKind>(i)),
                       check::about(static_cast<ModelKind>(i)));
  return out;
}

// Not negative; the error is for the user.
tl::expected<Duration, std::string> length_of(const char* option, const std::string& text) {
  const auto parsed = parse_duration(text == "0" ? "0s" : text);
  if (!parsed) return tl::make_unexpected(fmt::format("{}: {}", option, parsed.error()));
  if (*parsed < Duration::zero()) return tl::make_unexpected(fmt::format("{} {}: expected 0s or more", option, text));
  return *parsed;
}

std::string when(const Calls& calls, check::Moment moment) {
  if (moment == check::kNever) return "?";
  return calls.timed ? format_seconds(Duration(moment.ns), 6) : fmt::format("{}", moment.place);
}

std::string what(const Calls& calls, const Call& call) {
  std::string out = fmt::format("{} {}", escaped(calls.text(call.client), 40), text(call.f));
  if (call.process != call.client) out = fmt::format("{} by {}", out, escaped(calls.text(call.process), 40));
  if (call.permits != 1) out += fmt::format(" of {}", call.permits);
  if (call.fence != kNoToken) out += fmt::format(" #{}", call.fence);
  if (call.ttl) out += fmt::format(" for {}", format_duration(Duration(*call.ttl)));
  if (call.deadline) out += fmt::format(" until {} s", format_seconds(Duration(*call.deadline)));
  return out;
}

void print_offence(const Calls& calls, const LockVerdict& lock) {
  constexpr std::size_t kShown = 20;
  say("  {} that no order allows, whatever became of the others{}:\n", counted(lock.offence.size(), "call"),
      lock.shortest ? "; no fewer do" : " (time was up before a smaller set was found or ruled out)");
  say("  {:>16}   {:<16} {}\n", calls.timed ? "called, s" : "called at", calls.timed ? "returned, s" : "returned at",
      "call");
  const std::size_t skipped = lock.offence.size() > kShown ? lock.offence.size() - kShown : 0;
  if (skipped > 0) say("  {:>16}   … {} before\n", "", skipped);
  for (std::size_t i = skipped; i < lock.offence.size(); ++i) {
    const Call& call = calls.calls[lock.offence[i]];
    say("  {:>16} … {:<16} {}{}\n", when(calls, call.called), when(calls, call.returned), what(calls, call),
        i + 1 == lock.offence.size() ? "   ← " + escaped(lock.why) : std::string());
  }
}

void print(const Calls& calls, const Judgement& judged, const Model& model) {
  for (const LockVerdict& lock : judged.locks) {
    const auto name = calls.text(lock.mutex);
    say("{}: {} by the model {}: {}{}\n", name.empty() ? "the lock" : escaped(name), check::text(lock.verdict),
        check::text(model.kind), counted(lock.calls, "call"),
        lock.unknown == 0 ? std::string() : fmt::format(", {} of unknown outcome", lock.unknown));
    if (lock.verdict == Verdict::kIllegal) print_offence(calls, lock);
  }
}

Json call_json(const Calls& calls, const Call& call) {
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json out{{"process", calls.text(call.process)}, {"client", calls.text(call.client)}, {"f", text(call.f)}};
  out["fence"] = call.fence == kNoToken ? Json(nullptr) : Json(call.fence);
  out["permits"] = call.permits;
  out["ttl"] = or_null(call.ttl);
  out["deadline"] = or_null(call.deadline);
  out["t_call"] = call.called.ns;
  out["t_return"] = call.returned == check::kNever ? Json(nullptr) : Json(call.returned.ns);
  return out;
}

std::string as_json(const Calls& calls, const Judgement& judged, const Model& model) {
  Json out{{"verdict", check::text(judged.verdict)},
           {"model", check::text(model.kind)},
           {"n", model.n},
           {"eps_ns", model.eps},
           {"locks", Json::array()}};
  for (const LockVerdict& lock : judged.locks) {
    Json of{{"mutex", calls.text(lock.mutex)},
            {"verdict", check::text(lock.verdict)},
            {"calls", lock.calls},
            {"unknown", lock.unknown},
            {"searched", !lock.sorted},
            {"offence", Json::array()}};
    for (const std::size_t place : lock.offence) of["offence"].push_back(call_json(calls, calls.calls[place]));
    of["shortest"] = lock.verdict == Verdict::kIllegal ? Json(lock.shortest) : Json(nullptr);
    of["why"] = lock.verdict == Verdict::kIllegal ? Json(lock.why) : Json(nullptr);
    out["locks"].push_back(std::move(of));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

tl::expected<Model, std::string> model_from(const CheckCommand& command) {
  const auto kind = check::model_of(command.model);
  if (!kind)
    return tl::make_unexpected(fmt::format("--model {}: expected one of {}{}", command.model,
                                           fmt::join(check::model_words(), ", "),
                                           did_you_mean(command.model, check::model_words())));
  if (command.n == 0) return tl::make_unexpected(std::string("--n 0: expected 1 or more"));
  const auto eps = length_of("--eps", command.eps);
  if (!eps) return tl::make_unexpected(eps.error());
  return Model{*kind, command.n, eps->count()};
}

// With the file's name, line and column in front.
tl::expected<Calls, std::string> calls_from(const CheckCommand& command, const Model& model) {
  const bool standard = command.history == kStandardInput;
  const std::string name = standard ? "standard input" : command.history;
  const auto text = standard ? standard_input() : read_text_file(command.history, "the file of a history");
  if (!text) return tl::make_unexpected(fmt::format("{}: {}", name, text.error()));
  auto calls = check::read_calls(*text, model.kind == ModelKind::kLease);
  const auto wrong = [&](const check::ReadError& error) {
    return tl::make_unexpected(fmt::format("{}:{}:{}: {}", name, error.place.line, error.place.column, error.what));
  };
  if (!calls) return wrong(calls.error());
  if (const auto misfit = check::misfit(model, *calls)) return wrong(*misfit);
  return std::move(*calls);
}

std::string wrong_ending(const std::string& out) {
  const auto ending = std::filesystem::path(out).extension();
  return out.empty() || ending == ".edn" || ending == ".jsonl"
             ? std::string()
             : fmt::format("{}: expected a file ending in .edn or .jsonl", out);
}

int judge(const CheckCommand& command) {
  const auto model = model_from(command);
  if (!model) return bad_input(model.error());
  const auto timeout = length_of("--timeout", command.timeout);
  if (!timeout) return bad_input(timeout.error());
  for (const std::string& problem : {wrong_ending(command.out), unwritable(command.out)})
    if (!problem.empty()) return bad_input(problem);
  const auto calls = calls_from(command, *model);
  if (!calls) return bad_input(calls.error());
  if (!command.out.empty()) {
    const bool edn = std::filesystem::path(command.out).extension() == ".edn";
    if (const std::string error = write_file(command.out, edn ? check::edn(*calls) : check::json_lines(*calls));
        !error.empty())
      return failed(error);
  }
  // A moment so far off does not fit, but what has passed does.
  const auto begin = std::chrono::steady_clock::now();
  const Judgement judged =
      check::judge(*model, *calls, [&] { return std::chrono::steady_clock::now() - begin >= *timeout; });
  if (command.json)
    put(as_json(*calls, judged, *model));
  else
    print(*calls, judged, *model);
  if (judged.verdict == Verdict::kIllegal) return kNotAsExpected;
  if (judged.verdict == Verdict::kOk) return kAsExpected;
  return failed(fmt::format("undecided after {}: give it more with --timeout", command.timeout));
}

}  // namespace

void add_check_command(CLI::App& app, int& exit) {
  auto asked = std::make_shared<CheckCommand>();
  CLI::App* command = app.add_subcommand(
      "check",
      "Whether a lock may have answered like that: judges a history of calls by a model of it. Exit code 0: "
      "legal; 3: illegal, with the fewest calls that show it; 1: undecided in time; 2: unreadable, or the "
      "model does not fit");
  command
      ->add_option("HISTORY", asked->history,
                   "JSON lines of calls, EDN as Knossos has it, the history of a run, or - for standard input")
      ->required();
  command->add_option("--model", asked->model, model_help())->required();
  command->add_option("--n", asked->n, "reentrant: how often its owner may hold it; semaphore: permits (2)");
  command->add_option("--eps", asked->eps, "lease: so much before its deadline it may end (0s)");
  command->add_option("--timeout", asked->timeout, "Undecided after so long (60s)");
  command->add_option("--out", asked->out, "Also write the calls there: FILE.edn for Knossos, FILE.jsonl");
  command->add_flag("--json", asked->json, "Print one JSON object");
  command->callback([asked, &exit] { exit = judge(*asked); });
}

}  // namespace leasescope::ctl
