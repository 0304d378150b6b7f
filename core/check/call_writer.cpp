#include "core/check/call_writer.h"

#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/check/call_lines.h"
#include "core/history/history_lines.h"

namespace leasescope::check {
namespace {

template <class T>
void add(std::string& out, std::string_view key, const T& value) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":{}", key, value);
}

std::string_view knossos_word(Operation f) {
  switch (f) {
    case Operation::kLock:
    case Operation::kTryLock:
      return "acquire";
    case Operation::kUnlock:
      return "release";
    case Operation::kReadLock:
      return "read-lock";
    case Operation::kReadUnlock:
      return "read-unlock";
    case Operation::kWriteLock:
      return "write-lock";
    case Operation::kWriteUnlock:
      return "write-unlock";
    default:
      return text(f);
  }
}

// Who calls, in JSON: a process by its name, and what it has open beside that by another that nobody has.
class ProcessNames {
 public:
  explicit ProcessNames(const Calls& calls) : calls_(calls), taken_{std::string(kNemesis)} {
    for (const Call& call : calls.calls) taken_.emplace(calls.text(call.process));
  }
  const std::string& of(Name process, std::size_t lane) {
    std::string& name = names_[{process.handle, lane}];
    if (!name.empty()) return name;
    const std::string_view itself = calls_.text(process);
    const bool plain = lane == 0 && itself != kNemesis;
    std::string made(itself);
    for (std::size_t n = lane + 1; !plain && !taken_.insert(made = fmt::format("{} #{}", itself, n)).second;) ++n;
    return name = in_quotes(made);
  }

 private:
  const Calls& calls_;
  std::set<std::string> taken_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::string> names_;  // in quotes
};

// Who calls, in EDN: a number for each lane.
class ProcessNumbers {
 public:
  std::size_t of(const CallLine& line) {
    const bool beside = line.call->f == Operation::kExpire;
    return numbers_.try_emplace({line.call->process.handle, beside, line.lane}, numbers_.size()).first->second;
  }

 private:
  std::map<std::tuple<std::uint32_t, bool, std::size_t>, std::size_t> numbers_;
};

void add_call(std::string& out, const Calls& calls, const Call& call) {
  fmt::format_to(std::back_inserter(out), R"(,"mutex":{},"client":{})", in_quotes(calls.text(call.mutex)),
                 in_quotes(calls.text(call.client)));
  if (!call.uid.empty()) add(out, "uid", in_quotes(calls.text(call.uid)));
  if (call.permits != 1) add(out, "permits", call.permits);
  if (call.ttl) add(out, "ttl", *call.ttl);
  if (call.deadline) add(out, "deadline", *call.deadline);
  if (calls.timed) add(out, "t_call", call.called.ns);
  if (call.clock) add(out, "clock", *call.clock);
}

void add_end(std::string& out, const Calls& calls, const Call& call) {
  if (call.fence != kNoToken) add(out, "fence", call.fence);
  if (calls.timed && call.ending != Ending::kUnknown) add(out, "t_return", call.returned.ns);
}

std::string fields(const Calls& calls, const Call& call, bool end) {
  std::string out = fmt::format("{{:client {}", in_quotes(calls.text(call.client)));
  const auto put = [&](std::string_view key, const auto& value) {
    fmt::format_to(std::back_inserter(out), ", :{} {}", key, value);
  };
  if (!call.uid.empty()) put("uid", in_quotes(calls.text(call.uid)));
  if (call.permits != 1) put("permits", call.permits);
  if ((end || call.ending == Ending::kUnknown) && call.fence != kNoToken) put("fence", call.fence);
  if (call.ttl) put("ttl", *call.ttl);
  if (call.deadline) put("deadline", *call.deadline);
  if (!end && call.clock) put("clock", *call.clock);
  return out + "}";
}

}  // namespace

std::string json_lines(const Calls& calls) {
  std::string out;
  ProcessNames names(calls);
  for (const CallLine& line : short_lines(calls)) {
    if (line.part == CallLine::kNote) {
      fmt::format_to(std::back_inserter(out), R"({{"process":"{}","type":"info","f":{})", kNemesis,
                     in_quotes(line.note->what));
      if (calls.timed) add(out, "t_call", line.note->ns);
    } else {
      const Call& call = *line.call;
      fmt::format_to(std::back_inserter(out), R"({{"process":{},"type":"{}","f":"{}")",
                     names.of(call.process, line.lane), line.part == CallLine::kBegin ? "invoke" : type_of(call.ending),
                     text(call.f));
      if (line.part != CallLine::kEnd) add_call(out, calls, call);
      if (line.part != CallLine::kBegin) add_end(out, calls, call);
    }
    out += "}\n";
  }
  return out;
}

std::string edn(const Calls& calls) {
  std::string out;
  ProcessNumbers numbers;
  std::size_t index = 0;
  for (const CallLine& line : paired_lines(calls)) {
    fmt::format_to(std::back_inserter(out), "{{:index {}, ", index++);
    if (calls.timed) fmt::format_to(std::back_inserter(out), ":time {}, ", line.at.ns);
    if (line.part == CallLine::kNote) {
      fmt::format_to(std::back_inserter(out), ":process :{}, :type :info, :f :{}, :value {}}}\n", kNemesis, kFault,
                     in_quotes(line.note->what));
      continue;
    }
    const bool end = line.part == CallLine::kEnd;
    fmt::format_to(std::back_inserter(out), ":process {}, :type :{}, :f :{}, :mutex {}, :value {}}}\n",
                   numbers.of(line), end ? type_of(line.call->ending) : "invoke", knossos_word(line.call->f),
                   in_quotes(calls.text(line.call->mutex)), fields(calls, *line.call, end));
  }
  return out;
}

}  // namespace leasescope::check
