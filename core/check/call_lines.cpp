#include "core/check/call_lines.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace leasescope::check {
namespace {

// Of moments that are the same neither came first: so who returns then had not returned when another called.
std::vector<CallLine> in_order(const Calls& calls) {
  std::vector<CallLine> out;
  for (const Call& call : calls.calls) {
    out.push_back({CallLine::kBegin, call.called, &call});
    if (call.ending != Ending::kUnknown) out.push_back({CallLine::kEnd, call.returned, &call});
  }
  for (const Annotation& note : calls.annotations) out.push_back({CallLine::kNote, {note.ns, 0}, nullptr, &note});
  std::stable_sort(out.begin(), out.end(), [](const CallLine& a, const CallLine& b) {
    return std::tuple(a.at, a.part == CallLine::kEnd) < std::tuple(b.at, b.part == CallLine::kEnd);
  });
  return out;
}

// The nanoseconds in which a call began after another had returned.
std::set<std::int64_t> times_with_an_order(const std::vector<CallLine>& lines) {
  std::set<std::int64_t> out;
  const CallLine* ended = nullptr;
  for (const CallLine& line : lines) {
    if (line.part == CallLine::kEnd) ended = &line;
    if (line.part == CallLine::kBegin && ended != nullptr && ended->at.ns == line.at.ns) out.insert(line.at.ns);
  }
  return out;
}

// Which lanes have no open call.
class Lanes {
 public:
  std::size_t take(Name process, bool beside = false) {
    Of& of = by_process_[{process.handle, beside}];
    if (of.free.empty()) return of.count++;
    return of.free.extract(of.free.begin()).value();
  }
  void give(Name process, std::size_t lane) { by_process_[{process.handle, false}].free.insert(lane); }

 private:
  struct Of {
    std::size_t count = 0;
    std::set<std::size_t> free;
  };
  std::map<std::pair<std::uint32_t, bool>, Of> by_process_;
};

}  // namespace

std::vector<CallLine> short_lines(const Calls& calls) {
  const std::vector<CallLine> lines = in_order(calls);
  const std::set<std::int64_t> ordered = times_with_an_order(lines);
  const auto whole = [&](const Call& call) {
    return calls.timed && ordered.count(call.called.ns) == 0 && ordered.count(call.returned.ns) == 0;
  };
  Lanes lanes;
  std::map<const Call*, std::size_t> open;
  std::vector<CallLine> out;
  for (CallLine line : lines) {
    const bool begins = line.part == CallLine::kBegin;
    if (line.part == CallLine::kNote) {
      out.push_back(line);
      continue;
    }
    const Name process = line.call->process;
    if (whole(*line.call)) {
      if (!begins) continue;
      line.part = CallLine::kWhole;
      lanes.give(process, line.lane = lanes.take(process));
    } else if (begins) {
      open[line.call] = line.lane = lanes.take(process);
    } else {
      lanes.give(process, line.lane = open.at(line.call));
    }
    out.push_back(line);
    if (line.part != CallLine::kBegin || line.call->ending != Ending::kUnknown) continue;
    line.part = CallLine::kEnd;
    lanes.give(process, line.lane);
    out.push_back(line);
  }
  return out;
}

std::vector<CallLine> paired_lines(const Calls& calls) {
  std::vector<CallLine> out = in_order(calls);
  Lanes lanes;
  std::map<const Call*, std::size_t> open;
  for (CallLine& line : out) {
    if (line.part == CallLine::kNote) continue;
    const bool beside = line.call->f == Operation::kExpire;
    if (line.part == CallLine::kBegin)
      open[line.call] = line.lane = lanes.take(line.call->process, beside);
    else if (line.lane = open.at(line.call); !beside)
      lanes.give(line.call->process, line.lane);
  }
  return out;
}

}  // namespace leasescope::check
