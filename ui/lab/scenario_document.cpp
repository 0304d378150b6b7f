#include "ui/lab/scenario_document.h"

#include <QElapsedTimer>
#include <QSaveFile>
#include <QUndoCommand>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/time/duration_text.h"
#include "simulator/scenario/differences.h"
#include "simulator/scenario/fault_fields.h"
#include "simulator/scenario/form.h"
#include "simulator/scenario/scenario_text.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

constexpr int kMostSteps = 500;
constexpr qint64 kOneStretchMs = 1500;  // who pauses for longer begins another step

// "resource.fencing" means the first of the list.
TextPath whole_path(const std::string& key) {
  TextPath path = text_path(key);
  const bool list = path.front() == "contender" || path.front() == "resource" || path.front() == "fault";
  if (list && path.size() > 1 && path[1].find_first_not_of("0123456789") != std::string::npos)
    path.insert(path.begin() + 1, "0");
  // A field of the summary may have a point in its name: "incidents.belief_overlap".
  if (path.front() == "expect")
    for (std::size_t part = 1; part + 1 < path.size(); ++part)
      if (path[part] == "incidents") {
        path[part] += "." + path[part + 1];
        path.resize(part + 1);
      }
  return path;
}

// As TOML writes what that key came to; empty: it is left out. None where the form does not have it.
std::optional<std::string> written_value(const Scenario& of, const TextPath& path) {
  if (path.front() == "expect") return std::nullopt;
  if (path.front() != "fault") {
    const auto value = value_at(of, fmt::format("{}", fmt::join(path, ".")));
    return value ? std::optional(value->value) : std::nullopt;
  }
  const std::size_t row = path.size() == 3 ? std::stoul(path[1]) : of.faults.size();
  if (row >= of.faults.size()) return std::nullopt;
  for (const FaultField& field : fault_fields(of, of.faults[row]))
    if (field.name == path[2]) return field.value;
  return std::nullopt;
}

// What an expectation is given: numbers and truths as such, the rest as a text.
std::string expected_value(const std::string& text) {
  const bool plain = text == "true" || text == "false" || text.find_first_not_of("0123456789") == std::string::npos ||
                     text.front() == '{' || text.front() == '"';
  return plain ? text : toml_text(text);
}

// What was told in leases is so still, in thousandths of one.
std::string written_like(const TimeExpression& old, Duration now, const LeaseTerms& terms) {
  const bool in_leases = old.leases != 0 && old.fixed == Duration::zero() && old.ttls == 0 && old.transitions == 0;
  if (!in_leases) return format_duration(now);
  const auto thousandths =
      std::llround(static_cast<double>(now.count()) * 1000 / static_cast<double>(terms.lease().count()));
  return fmt::format("{} lease", static_cast<double>(thousandths) / 1000);
}

QString stepText(const std::string& key, const std::string& value) {
  if (key.rfind("fault.", 0) == 0 && key.size() > 8 && key.substr(key.size() - 8) == ".enabled")
    return value == "true" ? ScenarioDocument::tr("fault on") : ScenarioDocument::tr("fault off");
  return QStringLiteral("%1 = %2").arg(fromText(key), shownText(value));
}

}  // namespace

// Goes back to the text before; texts that several steps have in common are kept once.
class DocumentCommand : public QUndoCommand {
 public:
  DocumentCommand(ScenarioDocument& document, ScenarioDocument::State before, ScenarioDocument::State after,
                  const QString& text, bool typed)
      : QUndoCommand(text), document_(document), before_(std::move(before)), after_(std::move(after)), typed_(typed) {
    since_.start();
  }
  void undo() override { document_.restore(before_); }
  void redo() override { document_.restore(after_); }
  int id() const override { return typed_ ? 1 : -1; }
  bool mergeWith(const QUndoCommand* other) override {
    // What is typed into the filter of rows is a step of the same stack, and no part of this one.
    const auto* next = dynamic_cast<const DocumentCommand*>(other);
    if (next == nullptr) return false;
    const bool line = next->after_.text.count('\n') != next->before_.text.count('\n');
    if (line || since_.elapsed() > kOneStretchMs || next->before_.text != after_.text) return false;
    after_ = next->after_;
    since_.restart();
    return true;
  }

 private:
  ScenarioDocument& document_;
  ScenarioDocument::State before_, after_;
  bool typed_;
  QElapsedTimer since_;
};

ScenarioDocument::ScenarioDocument(QObject* parent) : QObject(parent) { undo_.setUndoLimit(kMostSteps); }

tl::expected<void, InputError> ScenarioDocument::open(const LabSource& source) {
  const LabValues values{QByteArray::fromStdString(source.toml), values_.store};
  auto scenario = readScenario(source, values);
  if (!scenario) return tl::make_unexpected(scenario.error());
  source_ = source;
  values_ = values;
  text_ = values.toml;
  error_.reset();
  scenario_ = std::make_unique<Scenario>(std::move(*scenario));
  undo_.clear();
  emit opened();
  emit textChanged();
  return {};
}

void ScenarioDocument::close() {
  scenario_.reset();
  source_ = {};
  text_.clear();
  values_.toml.clear();
  error_.reset();
  undo_.clear();
  emit opened();
  emit textChanged();
}

QString ScenarioDocument::errorText() const {
  if (!error_) return {};
  const QString message = fromText(error_->message);
  return error_->line > 0 ? tr("line %1, column %2: %3").arg(error_->line).arg(error_->column).arg(message) : message;
}

// ---- steps

void ScenarioDocument::restore(const State& state) {
  const bool texts = text_ != state.text, values = !(values_ == state.values);
  text_ = state.text;
  values_ = state.values;
  error_.reset();
  if (text_ != values_.toml)
    if (const auto read = readScenario(source_, {text_, values_.store}); !read) error_ = read.error();
  if (values)
    if (auto scenario = readScenario(source_, values_)) *scenario_ = std::move(*scenario);
  if (texts || values) emit textChanged();
  if (values) emit valuesChanged();
}

void ScenarioDocument::take(const LabValues& values) { restore({values.toml, values}); }

ScenarioDocument::Edited ScenarioDocument::push(State after, const QString& what) {
  if (after.text == text_ && after.values == values_) return {};
  undo_.push(new DocumentCommand(*this, state(), std::move(after), what, false));
  return {};
}

// A text that is refused is none: what the form and the chart make is a scenario always.
ScenarioDocument::Edited ScenarioDocument::change(const EditedText& text, const QString& what) {
  if (!isOpen()) return {};
  if (!text) return tl::make_unexpected(fromText(text.error()));
  const LabValues values{QByteArray::fromStdString(*text), values_.store};
  if (const auto read = readScenario(source_, values); !read)
    return tl::make_unexpected(fromText(read.error().message));
  return push({values.toml, values}, what);
}

void ScenarioDocument::type(const QByteArray& text) {
  if (!isOpen() || text == text_) return;
  State after{text, values_};
  if (readScenario(source_, {text, values_.store})) after.values.toml = text;
  undo_.push(new DocumentCommand(*this, state(), std::move(after), tr("typing"), true));
}

void ScenarioDocument::setStore(const std::string& store, const QString& what) {
  if (!isOpen()) {
    values_.store = store;
    return;
  }
  State after = state();
  after.values.store = store;
  (void)push(std::move(after), what);
}

void ScenarioDocument::revert() {
  const QByteArray text = savedText();
  (void)push({text, {text, values_.store}}, tr("values as in the file"));
}

// ---- one key

ScenarioDocument::Edited ScenarioDocument::edit(const std::string& key, const std::string& value) {
  if (!isOpen()) return {};
  const TextPath path = whole_path(key);
  const bool expectation = path.front() == "expect";
  const std::string given = expectation ? expected_value(value) : value;
  // As `--set` would: it refuses what the file would be refused for, in the words of the value and not of its place.
  auto scenario = expectation ? readScenario(source_, values_)
                              : read_scenario(asText(), source_.name, {fmt::format("{}={}", key, value)});
  if (!scenario && scenario.error().line > 0)
    return tl::make_unexpected(
        tr("The text has an error in line %1: mend it there, or undo").arg(scenario.error().line));
  if (!scenario) return tl::make_unexpected(fromText(scenario.error().message));
  const std::string written = written_value(*scenario, path).value_or(given);
  const EditedText text = written.empty() ? remove_from_text(asText(), path) : set_in_text(asText(), path, written);
  if (text || expectation) return change(text, stepText(key, value));
  emit commentsLost();
  return change(EditedText(scenario_text(*scenario)), stepText(key, value));
}

ScenarioDocument::Edited ScenarioDocument::remove(const std::string& key) {
  return change(remove_from_text(asText(), whole_path(key)), tr("without %1").arg(fromText(key)));
}

// ---- lists

tl::expected<int, QString> ScenarioDocument::addFault(const std::string& kind, Duration at, Duration lasts,
                                                      const std::string& target) {
  const FaultKind* const known = find_fault_kind(kind);
  if (known == nullptr || !isOpen()) return tl::make_unexpected(tr("there is no fault %1").arg(fromText(kind)));
  const std::string lines = fault_lines(scenario(), *known, at, lasts, target);
  const int row = static_cast<int>(scenario().faults.size());
  const Edited done = change(add_table_to_text(asText(), "fault", lines), tr("add %1").arg(fromText(kind)));
  if (!done) return tl::make_unexpected(done.error());
  return row;
}

ScenarioDocument::Edited ScenarioDocument::removeFault(int row) {
  return change(remove_table_from_text(asText(), "fault", static_cast<std::size_t>(row)), tr("remove fault"));
}

// What such lines say, in this scenario.
tl::expected<FaultTable, QString> ScenarioDocument::rowOf(const std::string& lines) const {
  Scenario alone = scenario();
  alone.faults.clear();
  const auto read = read_scenario(scenario_text(alone) + "\n[[fault]]\n" + lines, source_.name);
  if (!read) return tl::make_unexpected(fromText(read.error().message));
  return read->faults.back();
}

ScenarioDocument::Edited ScenarioDocument::setFaultKind(int row, const std::string& kind) {
  const FaultKind* const known = find_fault_kind(kind);
  if (!isOpen() || known == nullptr || row < 0 || static_cast<std::size_t>(row) >= scenario().faults.size()) return {};
  const FaultTable& old = scenario().faults[static_cast<std::size_t>(row)];
  const LeaseTerms& terms = scenario().terms();
  const Duration lasts = old.duration.under(terms) > Duration::zero() ? old.duration.under(terms) : terms.lease();
  const std::string place = std::to_string(row);
  const auto made = rowOf(fault_lines(scenario(), *known, old.at.under(terms), lasts, old.target));
  if (!made) return tl::make_unexpected(made.error());
  FaultTable fresh = *made;
  if (old.duration.under(terms) > Duration::zero()) fresh.duration = old.duration;
  fresh.at = old.at;
  fresh.enabled = old.enabled;
  EditedText text = asText();
  const std::vector<FaultField> after = fault_fields(scenario(), fresh);
  for (const FaultField& field : fault_fields(scenario(), old)) {
    const auto same = [&](const FaultField& other) { return other.name == field.name; };
    const TextPath path{"fault", place, std::string(field.name)};
    if (text && std::none_of(after.begin(), after.end(), same)) text = remove_from_text(*text, path);
  }
  for (const FaultField& field : after) {
    const TextPath path{"fault", place, std::string(field.name)};
    if (text && !field.value.empty()) text = set_in_text(*text, path, field.value);
  }
  return change(text, tr("fault %1").arg(fromText(kind)));
}

ScenarioDocument::Edited ScenarioDocument::moveFault(int row, Duration at, std::optional<Duration> lasts) {
  if (!isOpen() || row < 0 || static_cast<std::size_t>(row) >= scenario().faults.size()) return {};
  const FaultTable& old = scenario().faults[static_cast<std::size_t>(row)];
  const std::string place = std::to_string(row);
  EditedText text = asText();
  if (at != old.at.under(scenario().terms()))
    text = set_in_text(*text, {"fault", place, "at"}, toml_text(written_like(old.at, at, scenario().terms())));
  if (text && lasts)
    text = set_in_text(*text, {"fault", place, "duration"},
                       toml_text(written_like(old.duration, *lasts, scenario().terms())));
  return change(text, tr("move fault"));
}

ScenarioDocument::Edited ScenarioDocument::addContender() {
  if (!isOpen()) return {};
  std::vector<std::string> names;
  for (const ContenderTable& table : scenario().contenders) {
    names.push_back(table.name);
    names.insert(names.end(), table.names.begin(), table.names.end());
  }
  std::string name = "d";
  while (std::find(names.begin(), names.end(), name) != names.end() && name.front() < 'z') ++name.front();
  EditedText text = asText();
  // Without a table there are three all the same, and one more table would take their place.
  if (asText().find("[[contender]]") == std::string::npos)
    text = add_table_to_text(*text, "contender", fmt::format("count = {}\n", scenario().contender_count()));
  if (text) text = add_table_to_text(*text, "contender", fmt::format("name = {}\ncount = 1\n", toml_text(name)));
  return change(text, tr("add contenders"));
}

ScenarioDocument::Edited ScenarioDocument::removeContender(int row) {
  return change(remove_table_from_text(asText(), "contender", static_cast<std::size_t>(row)), tr("remove contenders"));
}

// ---- its file

tl::expected<void, QString> ScenarioDocument::save(const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(text_) != text_.size() || !file.commit())
    return tl::make_unexpected(file.errorString());
  source_ = {path.toStdString(), asText(), false};
  if (auto scenario = readScenario(source_, values_)) *scenario_ = std::move(*scenario);
  emit textChanged();
  return {};
}

}  // namespace leasescope
