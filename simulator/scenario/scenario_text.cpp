#include "simulator/scenario/scenario_text.h"

#include <fmt/format.h>

#include "core/time/duration_text.h"
#include "simulator/scenario/validity.h"

namespace leasescope {
namespace {

// Not "quoted": the standard library has one, which newer compilers find first.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string in_quotes(Duration d) { return in_quotes(format_duration(d)); }
std::string in_quotes(const TimeExpression& time) { return in_quotes(time.text); }

std::string written(const Distribution& of) {
  switch (of.shape()) {
    case Distribution::Shape::kConstant:
      return in_quotes(of.first());
    case Distribution::Shape::kUniform:
      return fmt::format("{{ uniform = [{}, {}] }}", in_quotes(of.first()), in_quotes(of.second()));
    case Distribution::Shape::kLogNormal:
      return fmt::format("{{ median = {}, p99 = {} }}", in_quotes(of.first()), in_quotes(of.second()));
    case Distribution::Shape::kExponential:
      return fmt::format("{{ exponential = {} }}", in_quotes(of.first()));
    case Distribution::Shape::kPareto:
      return fmt::format("{{ pareto = {{ min = {}, shape = {}.{:06} }} }}", in_quotes(of.first()),
                         of.exponent() / 1'000'000, of.exponent() % 1'000'000);
    case Distribution::Shape::kEmpirical:
      return fmt::format("{{ file = {} }}", in_quotes(of.file()));
  }
  return {};
}

std::string written(const ValidFor& valid) {
  switch (valid_key_of(valid.key)) {
    case ValidKey::kNumber:
      return fmt::format("{}, {}", valid.least, valid.most);
    case ValidKey::kWord: {
      std::string words;
      for (const std::string& word : valid.words) words += (words.empty() ? "" : ", ") + in_quotes(word);
      return words;
    }
    default:
      return fmt::format("{}, {}", in_quotes(valid.from), in_quotes(valid.to));
  }
}

class Writer {
 public:
  std::string text() const { return out_; }

  void table(std::string_view name) { out_ += fmt::format("\n[{}]\n", name); }
  void entry(std::string_view name) { out_ += fmt::format("\n[[{}]]\n", name); }
  // `value` as TOML writes it.
  void raw(std::string_view key, std::string_view value) { out_ += fmt::format("{} = {}\n", key, value); }
  template <class T>
  void text(std::string_view key, const T& value) {
    raw(key, in_quotes(value));
  }
  void number(std::string_view key, std::int64_t value) { raw(key, fmt::format("{}", value)); }
  void truth(std::string_view key, bool value) { raw(key, value ? "true" : "false"); }

 private:
  std::string out_;
};

void write_mutex(Writer& out, const MutexTable& mutex) {
  out.table("mutex");
  out.text("name", mutex.name);
  out.number("count", mutex.count);
  out.text("ttl", mutex.terms.ttl);
  out.text("transition", mutex.terms.transition);
  out.raw("jitter", fmt::format("[{}, {}]", in_quotes(mutex.terms.jitter.min), in_quotes(mutex.terms.jitter.max)));
  out.text("initial_delay", mutex.initial_delay);
}

void write_store(Writer& out, const StoreTable& store) {
  out.table("store");
  out.text("model", store.model);
  out.raw("latency", written(store.latency));
  out.raw("loss", fmt::format("{}.{:06}", store.loss_ppm / 1'000'000, store.loss_ppm % 1'000'000));
  out.text("timeout", store.timeout);
  out.raw("clock",
          fmt::format("{{ offset = {}, drift_ppm = {} }}", in_quotes(store.clock.offset), store.clock.drift_ppm));
  if (store.model == "redis") {
    out.table("store.redis");
    out.truth("persistence", store.redis.persistence);
    out.truth("replica", store.redis.replica);
    out.text("replication_lag", store.redis.replication_lag);
  }
  if (store.model == "sql") {
    out.table("store.sql");
    out.text("statement", text(store.sql.statement));
    out.text("now", text(store.sql.now));
    out.number("pool", store.sql.pool);
  }
}

void write_contender(Writer& out, const ContenderTable& contender) {
  out.entry("contender");
  out.text("name", contender.name);
  out.number("count", contender.count);
  out.text("behaviour", text(contender.behaviour));
  out.raw("clock", fmt::format("{{ offset = {}, drift_ppm = {}, steady_ppm = {} }}", in_quotes(contender.clock.offset),
                               contender.clock.drift_ppm, contender.clock.steady_ppm));
  out.text("start", contender.start);
  out.text("callback", contender.callback);
  if (contender.latency) out.raw("latency", written(*contender.latency));
}

void write_resource(Writer& out, const ResourceTable& resource) {
  out.entry("resource");
  out.text("name", resource.name);
  out.text("write_every", resource.work.write_every);
  out.text("compute", resource.work.compute);
  out.text("timeout", resource.work.timeout);
  out.truth("fencing", resource.fencing);
  out.text("tokenless", resource.accepts_tokenless ? "accept" : "reject");
  out.raw("latency", written(resource.latency));
}

// What the kind does not need and nobody set is left out.
void write_fault(Writer& out, const FaultTable& fault) {
  const FaultKind* kind = find_fault_kind(fault.kind);
  if (!fault.enabled || kind == nullptr) return;
  out.entry("fault");
  out.text("at", fault.at);
  out.text("kind", fault.kind);
  out.text("target", fault.target);
  if (kind->lasts) out.text("duration", fault.duration);
  if (fault.during_compute) out.text("during", "compute");
  for (const auto& [key, time] : fault.times) out.text(key, time);
  for (const auto& [key, word] : fault.words)
    if (!word.empty()) out.text(key, word);
  for (const FaultKey& key : kind->keys) {
    const auto number = fault.numbers.find(std::string(key.name));
    if (number == fault.numbers.end() || number->second < key.least || number->second > key.most) continue;
    out.number(key.name, number->second);
  }
}

void write_expectations(Writer& out, std::string_view name, const Expectations& expectations) {
  if (expectations.empty() && expectations.valid_for.empty()) return;
  out.table(name);
  for (const auto& [field, expectation] : expectations.fields) {
    const std::string value = in_quotes(expectation.text);
    out.raw(in_quotes(field),
            expectation.share ? fmt::format("{{ value = {}, share = {} }}", value, *expectation.share) : value);
  }
  if (expectations.valid_for.empty()) return;
  std::string ranges;
  for (const ValidFor& valid : expectations.valid_for)
    ranges += fmt::format("{}{} = [{}]", ranges.empty() ? "" : ", ", in_quotes(valid.key), written(valid));
  out.raw("valid_for", "{ " + ranges + " }");
}

}  // namespace

std::string scenario_text(const Scenario& scenario) {
  Writer out;
  out.number("schema", 1);
  out.text("title", scenario.title);
  if (!scenario.about.empty()) out.text("about", scenario.about);
  out.number("seed", static_cast<std::int64_t>(scenario.seed));
  out.text("duration", scenario.duration);
  if (scenario.heal) out.text("heal", *scenario.heal);
  if (scenario.replay) {
    out.table("replay");
    out.text("version", scenario.replay->version);
    out.number("trace_format", scenario.replay->trace_format);
    out.text("hash", scenario.replay->hash);
    out.text("failure", scenario.replay->failure);
  }
  write_mutex(out, scenario.mutex);
  write_store(out, scenario.store);
  for (const ContenderTable& contender : scenario.contenders) write_contender(out, contender);
  for (const ResourceTable& resource : scenario.resources) write_resource(out, resource);
  for (const FaultTable& fault : scenario.faults) write_fault(out, fault);
  write_expectations(out, "expect", scenario.expected);
  write_expectations(out, "expect.unfenced", scenario.expected_unfenced);
  return out.text();
}

}  // namespace leasescope
