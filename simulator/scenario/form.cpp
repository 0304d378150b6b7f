#include "simulator/scenario/form.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/time/duration_text.h"
#include "core/time/skewed_clock.h"
#include "simulator/scenario/table_reader.h"

namespace leasescope {
namespace {

using std::chrono::milliseconds;

constexpr int kMostContenders = 1'000'000;
constexpr int kMostConnections = 1000;
constexpr Duration kYear = std::chrono::hours(24 * 365);
constexpr double kMillion = 1e6;

std::string written(const toml::node& node) {
  std::ostringstream out;
  out << toml::toml_formatter(node, toml::format_flags::allow_unicode_strings);
  return out.str();
}
std::string written(toml::table table) {
  table.is_inline(true);
  return written(static_cast<const toml::node&>(table));
}

// ---- kinds of values: how one is read and written

struct Text {
  void read(TableReader& in, std::string_view key, std::string& out, bool required, const std::string&) const {
    in.text(key, out, required);
  }
  std::string write(const std::string& text) const { return toml_text(text); }
};
struct TextIfAny : Text {
  std::string write(const std::string& text) const { return text.empty() ? std::string() : toml_text(text); }
};

// A list of texts, in one line; left out where there is none.
struct NamesIfAny {
  void read(TableReader& in, std::string_view key, std::vector<std::string>& out, bool, const std::string&) const {
    const toml::node* const node = in.node(key);
    if (node == nullptr) return;
    const toml::array* const list = node->as_array();
    if (list == nullptr || list->empty())
      return in.fail(*node, fmt::format("{} is no list of names: expected some, such as [\"billing\", \"mailer\"], or "
                                        "leave it out",
                                        in.name(key)));
    out.clear();
    for (const toml::node& name : *list) {
      const auto* const text = name.as_string();
      if (text == nullptr)
        return in.fail(name, fmt::format("{}.{} is no name: expected a text in quotes, such as \"billing\"",
                                         in.name(key), out.size()));
      out.push_back(text->get());
    }
  }
  std::string write(const std::vector<std::string>& names) const {
    if (names.empty()) return {};
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + toml_text(name);
    return fmt::format("[{}]", out);
  }
};

struct Number {
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX;

  template <class Integer>
  void read(TableReader& in, std::string_view key, Integer& out, bool required, const std::string&) const {
    auto number = static_cast<std::int64_t>(out);
    in.integer(key, number, least, most, required);
    out = static_cast<Integer>(number);
  }
  template <class Integer>
  std::string write(Integer number) const {
    return toml_number(static_cast<std::int64_t>(number));
  }
};

struct Truth {
  void read(TableReader& in, std::string_view key, bool& out, bool, const std::string&) const { in.boolean(key, out); }
  std::string write(bool truth) const { return written(toml::value<bool>(truth)); }
};

struct TruthIfAny : Truth {
  std::string write(bool truth) const { return truth ? Truth::write(truth) : std::string(); }
};

struct Span {
  Duration least{};

  void read(TableReader& in, std::string_view key, Duration& out, bool required, const std::string&) const {
    in.duration(key, out, least, required);
  }
  std::string write(Duration span) const { return toml_text(format_duration(span)); }
};

struct Time {
  void read(TableReader& in, std::string_view key, TimeExpression& out, bool required, const std::string&) const {
    in.time(key, out, required);
  }
  void read(TableReader& in, std::string_view key, std::optional<TimeExpression>& out, bool, const std::string&) const {
    if (in.node(key) != nullptr) in.time(key, out.emplace());
  }
  std::string write(const TimeExpression& time) const { return toml_text(time.text); }
  std::string write(const std::optional<TimeExpression>& time) const { return time ? write(*time) : std::string(); }
};

struct Delays {
  void simplest(Distribution& of) const { of = Distribution::constant(milliseconds(1)); }
  void read(TableReader& in, std::string_view key, Distribution& out, bool, const std::string& folder) const {
    in.distribution(key, out, folder);
  }
  void read(TableReader& in, std::string_view key, std::optional<Distribution>& out, bool,
            const std::string& folder) const {
    if (in.node(key) != nullptr) in.distribution(key, out.emplace(), folder);
  }
  std::string write(const std::optional<Distribution>& of) const { return of ? write(*of) : std::string(); }
  std::string write(const Distribution& of) const {
    const std::string first = format_duration(of.first()), second = format_duration(of.second());
    switch (of.shape()) {
      case Distribution::Shape::kConstant:
        return toml_text(first);
      case Distribution::Shape::kUniform:
        return written(toml::table{{"uniform", toml::array{first, second}}});
      case Distribution::Shape::kLogNormal:
        return written(toml::table{{"median", first}, {"p99", second}});
      case Distribution::Shape::kExponential:
        return written(toml::table{{"exponential", first}});
      case Distribution::Shape::kPareto: {
        toml::table pareto{{"min", first}, {"shape", static_cast<double>(of.exponent()) / kMillion}};
        pareto.is_inline(true);
        return written(toml::table{{"pareto", pareto}});
      }
      case Distribution::Shape::kEmpirical:
        return written(toml::table{{"file", of.file()}});
    }
    return {};
  }
};

// A share, kept in millionths.
struct Share {
  void read(TableReader& in, std::string_view key, std::uint32_t& ppm, bool, const std::string&) const {
    const toml::node* const node = in.node(key);
    if (node == nullptr) return;
    const std::optional<double> share = node->is_number() ? node->value<double>() : std::nullopt;
    if (!share || !(*share >= 0 && *share <= 1))
      return in.fail(*node, fmt::format("{}: expected a share from 0 to 1, such as 0.01", in.name(key)));
    ppm = static_cast<std::uint32_t>(std::lround(*share * kMillion));
  }
  std::string write(std::uint32_t ppm) const { return written(toml::value<double>(ppm / kMillion)); }
};

struct Jitter {
  void read(TableReader& in, std::string_view key, JitterRange& out, bool, const std::string&) const {
    const toml::node* const node = in.node(key);
    if (node == nullptr) return;
    const toml::array* const ends = node->as_array();
    std::vector<Duration> range;
    for (std::size_t i = 0; ends != nullptr && i < ends->size(); ++i) {
      const auto* const text = (*ends)[i].as_string();
      if (const auto end = text != nullptr ? parse_duration(text->get()) : tl::make_unexpected(std::string()); end)
        range.push_back(*end);
    }
    if (ends == nullptr || ends->size() != 2 || range.size() != 2)
      return in.fail(
          *node, fmt::format("{} is not a range: expected two durations, such as [\"-200ms\", \"1s\"]", in.name(key)));
    out = {range[0], range[1]};
  }
  std::string write(const JitterRange& range) const {
    return written(toml::array{format_duration(range.min), format_duration(range.max)});
  }
};

struct Clock {
  bool steady = false;

  void read(TableReader& in, std::string_view key, ClockTable& out, bool, const std::string&) const {
    const toml::table* const table = in.table(key);
    if (table == nullptr) return;
    TableReader clock = in.inner(*table, key);
    clock.duration("offset", out.offset, -kYear, false, kYear);
    clock.integer("drift_ppm", out.drift_ppm, kSlowestPpm, -kSlowestPpm);
    if (steady) clock.integer("steady_ppm", out.steady_ppm, kSlowestPpm, -kSlowestPpm);
    clock.done();
  }
  std::string write(const ClockTable& clock) const {
    toml::table out{{"offset", format_duration(clock.offset)}, {"drift_ppm", clock.drift_ppm}};
    if (steady) out.insert("steady_ppm", clock.steady_ppm);
    return written(out);
  }
};

// One of some words, each for a value.
template <class Value>
struct OneOf {
  std::vector<Word<Value>> words;

  void read(TableReader& in, std::string_view key, Value& out, bool, const std::string&) const {
    std::vector<std::string_view> known;
    for (const auto& word : words) known.push_back(word.text);
    std::string said;
    in.word(key, said, known);
    for (const auto& word : words)
      if (word.text == said) out = word.value;
  }
  std::string write(const Value& value) const {
    for (const auto& word : words)
      if (word.value == value) return toml_text(std::string(word.text));
    return {};
  }
};

// Left out where it is the first of them.
template <class Value>
struct OneOfIfAny : OneOf<Value> {
  std::string write(const Value& value) const {
    return value == this->words.front().value ? std::string() : OneOf<Value>::write(value);
  }
};

struct Generations {
  Words<Behaviour> words;

  void read(TableReader& in, std::string_view key, Behaviour& out, bool, const std::string&) const {
    std::string said(text(out));
    in.text(key, said);
    const auto parsed = parse_behaviour(said);
    if (!parsed) return in.fail_at(key, parsed.error());
    out = *parsed;
  }
  std::string write(Behaviour behaviour) const { return toml_text(std::string(text(behaviour))); }
};

// ---- keys

enum Trait : unsigned {
  kPlain = 0,
  kRequired = 1,
  kForks = 2,
  kSimplifies = 4,  // to the default, or what its kind says is simplest
  kLeases = 8,      // of systems of leases alone
};

// `where`: the value in the table.
template <class Table, class Where, class Kind>
Key<Table> key(std::string_view name, Where where, const Kind& kind, unsigned traits, std::string_view about) {
  Key<Table> out;
  out.name = name;
  out.about = about;
  out.required = (traits & kRequired) != 0;
  out.forks = (traits & kForks) != 0;
  out.leases = (traits & kLeases) != 0;
  out.read = [=](TableReader& in, const std::string& folder, Table& into) {
    kind.read(in, name, where(into), (traits & kRequired) != 0, folder);
  };
  out.write = [=](const Table& of) { return kind.write(where(of)); };
  out.same = [=](const Table& a, const Table& b) { return where(a) == where(b); };
  out.take = [=](Table& to, const Table& from) { where(to) = where(from); };
  out.truth = std::is_same_v<Kind, Truth>;
  if constexpr (requires { kind.words; })
    for (const auto& word : kind.words) out.words.push_back(word.text);
  if ((traits & kSimplifies) != 0)
    out.simplify = [=](Table& of) {
      const Table plain;
      where(of) = where(plain);
      if constexpr (requires { kind.simplest(where(of)); }) kind.simplest(where(of));
    };
  return out;
}

// One key, as `table` says: its name, its value's place, its kind, what may be done with it, what it means.
#define KEY(name, place, kind, traits, about) \
  key<Table>(                                 \
      name, [](auto&& table) -> auto& { return table.place; }, kind, traits, about)

// The keys that terms describe, of those within a tuple in each of `Table`.
template <class Table, class Terms, class Where>
struct Described {
  Form<Table>& form;
  Where where;

  template <class Value, class... While>
  void number(std::string_view name, Value Terms::*place, std::int64_t least, std::int64_t most, std::string_view about,
              While... used) {
    add(name, place, Number{least, most}, about, used...);
  }
  template <class... While>
  void truth(std::string_view name, bool Terms::*place, std::string_view about, While... used) {
    add(name, place, Truth{}, about, used...);
  }
  template <class... While>
  void share(std::string_view name, std::uint32_t Terms::*place, std::string_view about, While... used) {
    add(name, place, Share{}, about, used...);
  }
  template <class... While>
  void span(std::string_view name, Duration Terms::*place, Duration least, std::string_view about, While... used) {
    add(name, place, Span{least}, about, used...);
  }
  template <class Value, class... While>
  void word(std::string_view name, Value Terms::*place, const Words<Value>& words, std::string_view about,
            While... used) {
    add(name, place, OneOf<Value>{words}, about, used...);
  }

 private:
  template <class Value, class Kind, class... While>
  void add(std::string_view name, Value Terms::*place, const Kind& kind, std::string_view about, While... used) {
    form.push_back(key<Table>(
        name, [ place, where = where ](auto&& table) -> auto& { return std::get<Terms>(where(table)).*place; }, kind,
        kPlain, about));
    (only_while(form.back(), used), ...);
  }
  template <class System>
  static void only_while(Key<Table>& key, bool (System::*used)() const) {
    key.used = [used](const Scenario& of) { return (std::get<System>(of.system).*used)(); };
  }
};
template <class Terms, class Table, class Where>
void add_described(Form<Table>& form, Where where) {
  Described<Table, Terms, Where> keys{form, where};
  Terms::describe(keys);
}
constexpr auto kItself = [](auto&& table) -> auto& { return table; };

// By the name of a system or a model; made once.
template <class Table, class Make>
const Form<Table>& form_of(std::map<std::string, Form<Table>, std::less<>>& made, std::string_view name, Make make) {
  const auto known = made.find(name);
  if (known != made.end()) return known->second;
  Form<Table> form;
  make(form);
  return made.emplace(name, std::move(form)).first->second;
}

bool of_leases(std::string_view system) {
  bool out = false;
  visit_system(system, [&]<class Terms>(std::type_identity<Terms>) { out = Terms::kFamily == Family::kLease; });
  return out;
}

template <class Table>
Form<Table> without_leases(const Form<Table>& form) {
  Form<Table> out;
  std::copy_if(form.begin(), form.end(), std::back_inserter(out), [](const Key<Table>& key) { return !key.leases; });
  return out;
}

template <class Table>
Words<std::string> words_of(const Table& names) {
  Words<std::string> out;
  for (const std::string_view name : names) out.push_back({name, std::string(name)});
  return out;
}

std::vector<std::string_view> model_names() {
  std::vector<std::string_view> names;
  each_model([&]<class Terms>(std::type_identity<Terms>) { names.push_back(Terms::kName); });
  return names;
}

Words<WakeUp> wake_up_words() {
  Words<WakeUp> out;
  for (const WakeUp mode : {WakeUp::kBroadcast, WakeUp::kQueue, WakeUp::kHandOver}) out.push_back({text(mode), mode});
  return out;
}

Words<Behaviour> behaviour_words() {
  Words<Behaviour> out;
  for (const Behaviour each : {Behaviour::kLeasescope, Behaviour::k4x, Behaviour::k31, Behaviour::k30})
    out.push_back({text(each), each});
  return out;
}

Words<TransferForm> transfer_words() {
  Words<TransferForm> out;
  for (const TransferForm form : {TransferForm::kNaive, TransferForm::kChecked, TransferForm::kIdempotent})
    out.push_back({text(form), form});
  return out;
}

}  // namespace

std::string toml_text(const std::string& text) { return written(toml::value<std::string>(text)); }
std::string toml_number(std::int64_t number) { return written(toml::value<std::int64_t>(number)); }

std::optional<KeyValue> value_at(const Scenario& of, std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::string_view table_path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
  const std::string_view name = dot == std::string_view::npos ? path : path.substr(dot + 1);
  std::optional<KeyValue> found;
  each_table(of, [&](const TableName& table, const auto& form, const auto& values) {
    if (table.path() != table_path) return;
    for (const auto& key : form)
      if (key.name == name) found = KeyValue{key.about, key.write(values)};
  });
  return found;
}

const Form<Scenario>& file_form() {
  using Table = Scenario;
  static const Form<Table> form{
      KEY("schema", schema, (Number{1, 1}), kRequired, "of this form: 1"),
      KEY("title", title, Text{}, kRequired | kForks, "one line"),
      KEY("about", about, TextIfAny{}, kForks, "one or two sentences more"),
      KEY("virtual_only", virtual_only, TextIfAny{}, kForks,
          "why a live store does otherwise: it is run on the model alone"),
      KEY("needs_messages", needs_messages, TruthIfAny{}, kForks,
          "what follows hangs on hearing of grants and releases: a live store that tells nobody of them does "
          "otherwise"),
      KEY("seed", seed, Number{}, kPlain, "of every draw"),
      KEY("duration", duration, Time{}, kRequired | kForks, "how long it runs; in leases or not"),
      KEY("heal", heal, Time{}, kForks, "of a swarm: from then on nothing is disturbed"),
  };
  return form;
}

const Form<ReplayTable>& replay_form() {
  using Table = ReplayTable;
  static const Form<Table> form{
      KEY("version", version, Text{}, kRequired, "of the program that wrote it"),
      KEY("trace_format", trace_format, (Number{1}), kRequired, "of its hash"),
      KEY("hash", hash, Text{}, kRequired, "of its run"),
      KEY("failure", failure, Text{}, kPlain, "what it shows, in words"),
  };
  return form;
}

namespace {

const Form<MutexTable>& lease_mutex_form() {
  using Table = MutexTable;
  static const Form<Table> form{
      KEY("system", system, (OneOfIfAny<std::string>{{words_of(system_names())}}), kPlain,
          "by which it is contended for"),
      KEY("name", name, Text{}, kRequired, "with a count above 1 they are name-1, name-2 …"),
      KEY("count", count, (Number{1, kMostContenders}), kPlain, "mutexes; contenders are dealt to them in turn"),
      KEY("ttl", terms.ttl, Span{milliseconds(1)}, kRequired,
          "nobody else may take it; of a session, how long it lasts without a sign of life"),
      KEY("transition", terms.transition, Span{}, kRequired | kLeases,
          "after the ttl: the owner may still renew, others wait"),
      KEY("jitter", terms.jitter, Jitter{}, kSimplifies | kLeases, "added to the moment at which a waiter wakes"),
      KEY("initial_delay", initial_delay, Span{}, kSimplifies | kLeases, "before a contender's first attempt"),
      KEY("wake_up", wake_up, (OneOfIfAny<WakeUp>{{wake_up_words()}}), kSimplifies | kLeases,
          "by a release: all who wait ask; or who queued up first does; or the release grants to who is next"),
  };
  return form;
}

}  // namespace

const Form<MutexTable>& mutex_form(std::string_view system) {
  static const Form<MutexTable> others = without_leases(lease_mutex_form());
  return of_leases(system) ? lease_mutex_form() : others;
}

const Form<SystemTerms>& system_form(std::string_view system) {
  static std::map<std::string, Form<SystemTerms>, std::less<>> made;
  return form_of(made, system, [&](Form<SystemTerms>& form) {
    visit_system(system, [&]<class Terms>(std::type_identity<Terms>) { add_described<Terms>(form, kItself); });
  });
}

const Form<ModelTerms>& model_form(std::string_view model) {
  static std::map<std::string, Form<ModelTerms>, std::less<>> made;
  return form_of(made, model, [&](Form<ModelTerms>& form) {
    each_model([&]<class Terms>(std::type_identity<Terms>) {
      if (Terms::kName == model) add_described<Terms>(form, kItself);
    });
  });
}

std::string_view system_table(std::string_view system) {
  std::string_view out;
  visit_system(system, [&]<class Terms>(std::type_identity<Terms>) { out = Terms::kSystem; });
  return out;
}

std::string_view model_table(std::string_view model) {
  static const std::map<std::string, std::string, std::less<>> tables = [] {
    std::map<std::string, std::string, std::less<>> out;
    for (const std::string_view name : model_names()) out.emplace(name, fmt::format("store.{}", name));
    return out;
  }();
  const auto known = tables.find(model);
  return known == tables.end() ? std::string_view() : std::string_view(known->second);
}

const Form<StoreTable>& store_form() {
  using Table = StoreTable;
  static const Form<Table> form{
      KEY("model", model, (OneOf<std::string>{words_of(model_names())}), kPlain, "what stands for the store"),
      KEY("latency", latency, Delays{}, kForks | kSimplifies, "one way between a contender and the store"),
      KEY("tells_after", tells_after, Delays{}, kForks | kSimplifies,
          "from a change until the store's message of it leaves, beside its way"),
      KEY("loss", loss_ppm, Share{}, kForks | kSimplifies, "share of the packets that are lost, from 0 to 1"),
      KEY("timeout", timeout, Span{milliseconds(1)}, kPlain, "of a contender's requests, in both worlds"),
      KEY("clock", clock, Clock{}, kSimplifies, "the store's: { offset, drift_ppm }"),
  };
  return form;
}

namespace {

const Form<ContenderTable>& lease_contender_form() {
  using Table = ContenderTable;
  static const Form<Table> form{
      KEY("name", name, Text{}, kPlain, "with a count above 1 they are name1, name2 …"),
      KEY("names", names, NamesIfAny{}, kPlain, "[\"billing\", \"mailer\"]: what the first of them are called"),
      KEY("count", count, (Number{1, kMostContenders}), kPlain, "so many alike"),
      KEY("behaviour", behaviour, Generations{behaviour_words()}, kLeases, "leasescope, 4.x, 3.1 or 3.0"),
      KEY("clock", clock, Clock{true}, kSimplifies, "{ offset, drift_ppm, steady_ppm }"),
      KEY("start", start, Time{}, kSimplifies, "in leases or not"),
      KEY("callback", callback, Span{}, kSimplifies, "how long its on_acquired takes"),
      KEY("latency", latency, Delays{}, kSimplifies, "its own way to the store; else the store's"),
  };
  return form;
}

}  // namespace

const Form<ContenderTable>& contender_form(std::string_view system) {
  static std::map<std::string, Form<ContenderTable>, std::less<>> made;
  return form_of(made, system, [&](Form<ContenderTable>& form) {
    form = of_leases(system) ? lease_contender_form() : without_leases(lease_contender_form());
    visit_system(system, [&]<class Terms>(std::type_identity<Terms>) {
      const std::size_t shared = form.size();
      add_described<typename Terms::Plan>(
          form, [](auto&& table) -> auto& { return table.plan; });
      std::for_each(form.begin() + static_cast<std::ptrdiff_t>(shared), form.end(),
                    [](Key<ContenderTable>& key) { key.of_plan = true; });
    });
  });
}

const Form<ResourceTable>& resource_form() {
  using Table = ResourceTable;
  using Words = OneOf<bool>;
  static const Form<Table> form{
      KEY("name", name, Text{}, kPlain, "what the owner writes to"),
      KEY("kind", bank, (OneOfIfAny<bool>{{{{"ledger", false}, {"bank", true}}}}), kPlain,
          "a ledger takes one write at a time; a bank transfers, each in several steps"),
      KEY("transfer", transfer, (OneOfIfAny<TransferForm>{{transfer_words()}}), kPlain,
          "of a bank: naive steps, steps that ask for the lease before each, or these recorded and idempotent"),
      KEY("write_every", work.write_every, Span{std::chrono::microseconds(1)}, kPlain,
          "from the end of one cycle to the next"),
      KEY("compute", work.compute, Span{}, kPlain, "between the check and the write"),
      KEY("timeout", work.timeout, Span{milliseconds(1)}, kPlain, "a write without an answer by then is given up"),
      KEY("fencing", fencing, Truth{}, kForks, "a token below the highest that was seen is refused"),
      KEY("tokenless", accepts_tokenless, (Words{{{"reject", false}, {"accept", true}}}), kForks,
          "with fencing, what becomes of a write without a token"),
      KEY("latency", latency, Delays{}, kForks, "one way"),
  };
  return form;
}

#undef KEY

}  // namespace leasescope
