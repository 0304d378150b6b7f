#include "ui/timeline/paint/chrome_trace.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ui/timeline/lanes/lease_words.h"

namespace leasescope {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// 1 234 567 ns are 1234.567 us.
std::string micros(Duration d) {
  const std::int64_t ns = d.count(), whole = ns / 1000, rest = std::abs(ns % 1000);
  return fmt::format("{}{}.{:03}", ns < 0 && whole == 0 ? "-" : "", whole, rest);
}

// The threads of a process, from 1: what a contender believes, and what it holds.
int believing(int contender) { return 2 * contender + 1; }
int holding(int contender) { return 2 * contender + 2; }

class Trace {
 public:
  Trace(ByteSink& out, const ChartData& data, TrueTime from, TrueTime to)
      : out_(out), data_(data), from_(from), to_(to), all_(most_steps(data)) {}

  void write() && {
    const RunFacts& facts = data_.facts();
    out_.put(fmt::format(
        "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"scenario\":{},\"seed\":\"{}\"}},\"traceEvents\":[\n",
        quoted(facts.scenario), facts.seed));
    name_rows();
    for (std::size_t i = 0; i < data_.contenders().size(); ++i) add_contender(static_cast<int>(i));
    for (std::size_t i = 0; i < data_.mutexes().size(); ++i) add_hand_offs(static_cast<int>(i));
    for (const BandSpan& band : data_.store_bands()) add_async(band.label, "store", 0, band.begin, band.end, {});
    for (const BandSpan& band : data_.unobserved()) add_async("not observed", "store", 0, band.begin, band.end, {});
    for (const ResourceRow& resource : data_.resources()) add_writes(resource);
    for (const IncidentMark& incident : data_.incidents()) add_incident(incident);
    out_.put("\n]}\n");
  }

 private:
  // Leases twice, once for what they were and once for whom they were handed to, and incidents: the rest is few.
  static std::uint64_t most_steps(const ChartData& data) {
    std::uint64_t out = data.incidents().size();
    for (const ContenderRow& row : data.contenders()) out += row.believed.size() + row.held.size();
    for (const MutexRow& mutex : data.mutexes()) out += mutex.held.size();
    return out;
  }
  // One more is looked at; false: it is wanted no more.
  bool step() {
    constexpr std::uint64_t kGrain = 1024;
    if (++steps_ % kGrain == 0 && !out_.go_on(std::min(steps_, all_), all_)) wanted_ = false;
    return wanted_;
  }

  bool within(TrueTime at) const { return at >= from_ && at < to_; }
  int process_of(int mutex) const { return mutex + 1; }
  std::string who(int contender) const {
    return fmt::format("{} {}", data_.letter(contender), data_.contenders()[static_cast<std::size_t>(contender)].name);
  }

  void add(const std::string& event) {
    if (!wanted_) return;
    if (!first_) out_.put(",\n");
    first_ = false;
    wanted_ = out_.put(event);
  }
  void add_name(const char* what, int process, int thread, const std::string& name) {
    add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"name":{}}}}})", process, thread, what,
                    quoted(name)));
  }

  // In the chart's order.
  void name_rows() {
    add_name("process_name", 0, 0, "store, resources and incidents");
    for (std::size_t i = 0; i < data_.mutexes().size(); ++i)
      add_name("process_name", process_of(static_cast<int>(i)), 0, data_.mutexes()[i].name);
    for (std::size_t i = 0; i < data_.contenders().size(); ++i) {
      const int place = static_cast<int>(i), process = process_of(data_.contenders()[i].mutex);
      for (const auto& [thread, words] :
           {std::pair{believing(place), "believes"}, std::pair{holding(place), "holds"}}) {
        add_name("thread_name", process, thread, fmt::format("{} {}", who(place), words));
        add(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})",
                        process, thread, thread));
      }
    }
  }

  void add_contender(int place) {
    const ContenderRow& row = data_.contenders()[static_cast<std::size_t>(place)];
    const int process = process_of(row.mutex);
    add_leases(row.believed, "believes", process, believing(place));
    add_leases(row.held, "holds", process, holding(place));
    for (const BandSpan& band : row.bands)
      add_async(fmt::format("{} of {}", band.label, who(place)), "fault", process, band.begin,
                band.lasts ? band.end : band.begin, {});
  }

  void add_leases(const SpanTrack& leases, const char* category, int process, int thread) {
    for (std::size_t i = leases.first_starting_at(from_); i < leases.size() && leases.start(i) < to_; ++i) {
      if (!step()) return;
      const LeaseSpan lease = leases[i];
      const TrueTime end = std::max(held_until(data_, lease), lease.start.hi);
      const std::string name = lease.token == kNoToken ? "no token" : fmt::format("#{}", lease.token);
      add(fmt::format(
          R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":"{}","cat":"{}","args":{{"begins by":"{}","ends":"{}"}}}})",
          process, thread, micros(lease.start.hi.time_since_epoch()), micros(end - lease.start.hi), name, category,
          lease.renewal ? "renewal" : "grant", ending_text(lease.ending).toStdString()));
    }
  }

  // A grant that follows another's lease. A flow leaves within the lease that ends.
  void add_hand_offs(int mutex) {
    const SpanTrack& held = data_.mutexes()[static_cast<std::size_t>(mutex)].held;
    for (std::size_t i = std::max<std::size_t>(1, held.first_starting_at(from_)); i < held.size(); ++i) {
      if (!step()) return;
      const LeaseSpan before = held[i - 1], after = held[i];
      if (after.start.hi >= to_) break;
      if (after.renewal || before.contender == after.contender || before.end.hi > after.start.hi) continue;
      if (!within(before.start.hi) || before.contender < 0 || after.contender < 0) continue;
      const TrueTime leaves = std::max(before.start.hi, before.end.hi - Duration(1));
      const int id = ++flows_;
      const auto flow = [&](const char* phase, int contender, TrueTime at) {
        add(fmt::format(R"({{"ph":"{}","pid":{},"tid":{},"ts":{},"id":{},"name":"hand-off","cat":"hand-off"{}}})",
                        phase, process_of(data_.contenders()[static_cast<std::size_t>(contender)].mutex),
                        holding(contender), micros(at.time_since_epoch()), id, *phase == 'f' ? R"(,"bp":"e")" : ""));
      };
      flow("s", before.contender, leaves);
      flow("f", after.contender, after.start.hi);
    }
  }

  void add_async(const std::string& name, const char* category, int process, TrueTime begin, TrueTime end,
                 const std::string& about) {
    if (!within(begin)) return;
    const TrueTime until = end == kOpenEnd ? data_.now() : end;
    const int id = ++asyncs_;
    const auto half = [&](const char* phase, TrueTime at) {
      const bool tells = *phase == 'b' && !about.empty();
      add(fmt::format(R"({{"ph":"{}","pid":{},"tid":0,"ts":{},"id":{},"name":{},"cat":"{}"{}}})", phase, process,
                      micros(at.time_since_epoch()), id, quoted(name), category,
                      tells ? fmt::format(R"(,"args":{{"cause":{}}})", quoted(about)) : ""));
    };
    half("b", begin);
    half("e", std::max(until, begin));
  }

  // Those that went wrong: what was accepted as it should be is far too many.
  void add_writes(const ResourceRow& resource) {
    for (const std::uint32_t place : resource.wrong) {
      const WriteMark& write = resource.writes[place];
      if (!within(write.at)) continue;
      const bool refused = write.result == EventKind::kWriteRejected;
      const std::string name =
          fmt::format("{} {} of {}", resource.name, refused ? "refused a write" : "took a stale write",
                      write.writer < 0 ? "somebody" : who(write.writer));
      add(fmt::format(R"({{"ph":"i","s":"p","pid":0,"tid":0,"ts":{},"name":{},"cat":"write"}})",
                      micros(write.at.time_since_epoch()), quoted(name)));
    }
  }

  void add_incident(const IncidentMark& incident) {
    if (!step()) return;
    add_async(std::string(title(incident.kind)), "incident", 0, incident.start, incident.end, incident.cause);
  }

  ByteSink& out_;
  const ChartData& data_;
  const TrueTime from_, to_;
  const std::uint64_t all_;
  std::uint64_t steps_ = 0;
  bool wanted_ = true, first_ = true;
  int flows_ = 0, asyncs_ = 0;
};

}  // namespace

void write_chrome_trace(ByteSink& out, const ChartData& data, TrueTime from, TrueTime to) {
  Trace(out, data, from, to).write();
}

}  // namespace leasescope
