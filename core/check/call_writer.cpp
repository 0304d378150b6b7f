#include "core/check/call_writer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

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

// What the history of Knossos consists of.
struct Line {
  Moment at;
  bool end = false;
  const Call* call = nullptr;  // null: an annotation
  const Annotation* annotation = nullptr;
  std::uint64_t process = 0;
};

std::vector<Line> lines_of(const Calls& calls) {
  std::vector<Line> out;
  for (const Call& call : calls.calls) {
    out.push_back({call.called, false, &call});
    if (call.ending != Ending::kUnknown) out.push_back({call.returned, true, &call});
  }
  for (const Annotation& note : calls.annotations) out.push_back({{note.ns, 0}, false, nullptr, &note});
  std::stable_sort(out.begin(), out.end(),
                   [](const Line& a, const Line& b) { return std::tie(a.at, a.end) < std::tie(b.at, b.end); });
  return out;
}

// A number for each process, and a new one after a call without an end.
void number_processes(std::vector<Line>& lines) {
  std::map<std::uint32_t, std::uint64_t> numbers;
  std::map<const Call*, std::uint64_t> of_call;
  std::uint64_t next = 0;
  for (Line& line : lines) {
    if (line.call == nullptr) continue;
    if (!line.end) {
      // What the store does, it does beside the calls of whom it concerns.
      const bool own = line.call->f == Operation::kExpire;
      const auto found = own ? numbers.end() : numbers.find(line.call->process.handle);
      const std::uint64_t number = found == numbers.end() ? next++ : found->second;
      of_call[line.call] = number;
      if (!own) numbers[line.call->process.handle] = number;
      if (!own && line.call->ending == Ending::kUnknown) numbers.erase(line.call->process.handle);
    }
    line.process = of_call[line.call];
  }
}

std::string fields(const Calls& calls, const Call& call, bool end) {
  std::string out = fmt::format("{{:client {}", in_quotes(calls.text(call.client)));
  const auto put = [&](std::string_view key, const auto& value) {
    fmt::format_to(std::back_inserter(out), ", :{} {}", key, value);
  };
  if (!call.uid.empty()) put("uid", in_quotes(calls.text(call.uid)));
  if (call.permits != 1) put("permits", call.permits);
  if (end && call.fence != kNoToken) put("fence", call.fence);
  if (call.ttl) put("ttl", *call.ttl);
  if (call.deadline) put("deadline", *call.deadline);
  if (!end && call.clock) put("clock", *call.clock);
  return out + "}";
}

}  // namespace

std::string json_lines(const Calls& calls) {
  std::string out;
  for (const Call& call : calls.calls) {
    fmt::format_to(std::back_inserter(out), R"({{"process":{},"type":"{}","f":"{}","mutex":{},"client":{})",
                   in_quotes(calls.text(call.process)), type_of(call.ending), text(call.f),
                   in_quotes(calls.text(call.mutex)), in_quotes(calls.text(call.client)));
    if (call.fence != kNoToken) add(out, "fence", call.fence);
    if (!call.uid.empty()) add(out, "uid", in_quotes(calls.text(call.uid)));
    if (call.permits != 1) add(out, "permits", call.permits);
    if (call.ttl) add(out, "ttl", *call.ttl);
    if (call.deadline) add(out, "deadline", *call.deadline);
    add(out, "t_call", call.called.ns);
    if (call.ending != Ending::kUnknown) add(out, "t_return", call.returned.ns);
    if (call.clock) add(out, "clock", *call.clock);
    out += "}\n";
  }
  for (const Annotation& note : calls.annotations)
    fmt::format_to(std::back_inserter(out),
                   R"({{"process":"nemesis","type":"info","f":{},"t_call":{}}})"
                   "\n",
                   in_quotes(note.what), note.ns);
  return out;
}

std::string edn(const Calls& calls) {
  std::vector<Line> lines = lines_of(calls);
  number_processes(lines);
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    fmt::format_to(std::back_inserter(out), "{{:index {}, :time {}, ", i, line.at.ns);
    if (line.call == nullptr) {
      fmt::format_to(std::back_inserter(out), ":process :nemesis, :type :info, :f :fault, :value {}}}\n",
                     in_quotes(line.annotation->what));
      continue;
    }
    const std::string_view type = line.end ? type_of(line.call->ending) : "invoke";
    fmt::format_to(std::back_inserter(out), ":process {}, :type :{}, :f :{}, :mutex {}, :value {}}}\n", line.process,
                   type, knossos_word(line.call->f), in_quotes(calls.text(line.call->mutex)),
                   fields(calls, *line.call, line.end));
  }
  return out;
}

}  // namespace leasescope::check
