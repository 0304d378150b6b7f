#include "simulator/scenario/table_reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/escaped.h"
#include "core/base/nearest_word.h"
#include "core/time/duration_text.h"
#include "simulator/scenario/text_file.h"

namespace leasescope {
namespace {

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return fmt::format("\"{}\"", text->get());
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  return node.is_table() ? "a table" : node.is_array() ? "a list" : "a date";
}

// What stands behind the '=' of a `--set`: 3.0 is a number to TOML, but may be meant as a text.
std::optional<std::string> text_of_override(const toml::node& node) {
  const auto& path = node.source().path;
  if (!path || path->rfind("--set ", 0) != 0 || node.is_table() || node.is_array()) return std::nullopt;
  return path->substr(path->find('=') + 1);
}

}  // namespace

tl::expected<toml::table, InputError> parse_toml(std::string_view text, const std::string& file,
                                                 std::string_view expected) {
  if (const auto beyond = beyond_bounds(text, file, expected)) return tl::unexpected(*beyond);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    InputError out;
    out.file = file;
    out.line = static_cast<int>(error.source().begin.line);
    out.column = static_cast<int>(error.source().begin.column);
    out.message = fmt::format("{}: expected {}", error.description(), expected);
    return tl::unexpected(out);
  }
}

InputError error_at(const toml::node& node, std::string message) {
  const toml::source_region& source = node.source();
  InputError error;
  error.file = source.path ? *source.path : std::string();
  error.message = std::move(message);
  if (error.file.rfind("--set", 0) == 0) return error;
  error.line = static_cast<int>(source.begin.line);
  error.column = static_cast<int>(source.begin.column);
  return error;
}

std::string TableReader::name(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void TableReader::fail(const toml::node& at, std::string message) {
  if (!error_) error_ = error_at(at, std::move(message));
}

void TableReader::fail_at(std::string_view key, std::string message) {
  const toml::node* const node = table_.get(key);
  fail(node != nullptr ? *node : table_, std::move(message));
}

const toml::node* TableReader::node(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return error_ ? nullptr : table_.get(key);
}

void TableReader::text(std::string_view key, std::string& out, bool required) {
  const toml::node* at = node(key);
  if (at == nullptr) {
    if (required) fail(table_, fmt::format("{} is missing: expected a text", name(key)));
    return;
  }
  if (const auto* text = at->as_string()) {
    out = text->get();
  } else if (const auto override_text = text_of_override(*at)) {
    out = *override_text;
  } else {
    return fail(*at, fmt::format("{} is {}: expected a text in quotes", name(key), shown(*at)));
  }
  // It will be printed on somebody's terminal.
  std::string plain = out;
  plain.erase(std::remove(plain.begin(), plain.end(), '\t'), plain.end());
  if (escaped_lines(plain) != plain) fail(*at, fmt::format("{} has a control code: \"{}\"", name(key), escaped(out)));
}

void TableReader::integer(std::string_view key, std::int64_t& out, std::int64_t least, std::int64_t most,
                          bool required) {
  const toml::node* at = node(key);
  if (at == nullptr) {
    if (required)
      fail(table_, fmt::format("{} is missing: expected a whole number from {} to {}", name(key), least, most));
    return;
  }
  const auto* number = at->as_integer();
  if (number == nullptr || number->get() < least || number->get() > most) {
    fail(*at, fmt::format("{} is {}: expected a whole number from {} to {}", name(key), shown(*at), least, most));
    return;
  }
  out = number->get();
}

void TableReader::integer(std::string_view key, int& out, int least, int most) {
  std::int64_t wide = out;
  integer(key, wide, static_cast<std::int64_t>(least), static_cast<std::int64_t>(most));
  out = static_cast<int>(wide);
}

void TableReader::boolean(std::string_view key, bool& out) {
  const toml::node* at = node(key);
  if (at == nullptr) return;
  if (const auto* truth = at->as_boolean()) {
    out = truth->get();
  } else {
    fail(*at, fmt::format("{} is {}: expected true or false", name(key), shown(*at)));
  }
}

void TableReader::duration(std::string_view key, Duration& out, Duration least, bool required, Duration most) {
  const toml::node* at = node(key);
  if (at == nullptr) {
    if (required) fail(table_, fmt::format("{} is missing: expected a duration such as \"5s\"", name(key)));
    return;
  }
  const auto* text = at->as_string();
  if (text == nullptr) {
    fail(*at,
         fmt::format("{} is {}: expected a duration in quotes with a unit, such as \"5s\"", name(key), shown(*at)));
    return;
  }
  const auto parsed = parse_duration(text->get());
  if (!parsed) {
    fail(*at, fmt::format("{}: {}", name(key), parsed.error()));
  } else if (*parsed < least) {
    fail(*at, fmt::format("{} is {}: expected {} or more", name(key), text->get(), format_duration(least)));
  } else if (*parsed > most) {
    fail(*at, fmt::format("{} is {}: expected {} or less", name(key), text->get(),
                          most == kLongest ? "ten years" : format_duration(most)));
  } else {
    out = *parsed;
  }
}

void TableReader::time(std::string_view key, TimeExpression& out, bool required) {
  TimeExpression read = out;
  signed_time(key, read, required);
  if (error_) return;
  if (read.negative) return fail(*table_.get(key), fmt::format("{} is {}: expected 0s or more", name(key), read.text));
  out = read;
}

void TableReader::signed_time(std::string_view key, TimeExpression& out, bool required) {
  const toml::node* at = node(key);
  if (at == nullptr) {
    if (required)
      fail(table_, fmt::format("{} is missing: expected a time such as \"5s\" or \"1.7 lease\"", name(key)));
    return;
  }
  const auto* text = at->as_string();
  if (text == nullptr) {
    fail(*at,
         fmt::format("{} is {}: expected a time in quotes, such as \"5s\" or \"1.7 lease\"", name(key), shown(*at)));
    return;
  }
  const auto parsed = parse_time_expression(text->get());
  if (parsed) {
    out = *parsed;
  } else {
    fail(*at, fmt::format("{}: {}", name(key), parsed.error()));
  }
}

void TableReader::word(std::string_view key, std::string& out, const std::vector<std::string_view>& words,
                       bool required) {
  const toml::node* at = node(key);
  if (at == nullptr) {
    if (required) fail(table_, fmt::format("{} is missing: expected {}", name(key), fmt::join(words, ", ")));
    return;
  }
  const auto* text = at->as_string();
  if (text == nullptr || std::find(words.begin(), words.end(), text->get()) == words.end()) {
    fail(*at, fmt::format("{} is {}: expected {}", name(key), shown(*at), fmt::join(words, ", ")));
    return;
  }
  out = text->get();
}

void TableReader::uniform(const toml::node& at, Distribution& out) {
  const toml::array* ends = at.as_array();
  if (ends != nullptr && ends->size() == 2 && (*ends)[0].is_string() && (*ends)[1].is_string()) {
    const auto from = parse_duration((*ends)[0].as_string()->get()), to = parse_duration((*ends)[1].as_string()->get());
    if (from && to && *from >= Duration::zero() && *to >= *from && *to <= kLongest) {
      out = Distribution::uniform(*from, *to);
      return;
    }
  }
  fail(at, fmt::format("{} is no range: expected two durations of 0s or more, such as [\"1ms\", \"5ms\"]",
                       name("uniform")));
}

void TableReader::pareto(const toml::table& form, Distribution& out) {
  TableReader in(form, path_ + ".pareto", error_);
  Duration min{};
  in.duration("min", min, Duration(1), true);
  const toml::node* at = in.node("shape");
  const double shape = at != nullptr ? at->value<double>().value_or(0) : 0;
  if (!failed() && !(shape >= 0.1 && shape <= 100))
    fail(at != nullptr ? *at : form,
         fmt::format("{}: expected a number from 0.1 to 100, such as 1.5", in.name("shape")));
  in.done();
  if (!failed()) out = Distribution::pareto(min, std::llround(shape * 1e6));
}

// One delay a line; empty lines and those that begin with # are passed over.
void TableReader::measured(const toml::table& form, const std::string& folder, Distribution& out) {
  std::string file;
  text("file", file, true);
  if (failed()) return;
  const std::string path = (std::filesystem::path(folder) / file).string();
  std::error_code code;
  std::ifstream in(path);
  if (!in || std::filesystem::is_directory(path, code))
    return fail(*form.get("file"), fmt::format("{} cannot be read: expected a file with a delay a line", path));
  std::vector<Duration> delays;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::size_t begin = line.find_first_not_of(" \t\r"), end = line.find_last_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    const auto delay = parse_duration(std::string_view(line).substr(begin, end - begin + 1));
    if (!delay || *delay < Duration::zero() || *delay > kLongest) {
      error_ = InputError{path, number, static_cast<int>(begin) + 1,
                          fmt::format("\"{}\" is no delay: expected one of 0s or more with a unit, such as 1.5ms",
                                      line.substr(begin, end - begin + 1))};
      return;
    }
    delays.push_back(*delay);
  }
  if (delays.empty()) return fail(*form.get("file"), fmt::format("{} has no delays: expected one a line", path));
  // The whole path: what is written of this scenario, a replay for one, lies in another folder.
  out = Distribution::empirical(std::move(delays), std::filesystem::absolute(path).lexically_normal().string());
}

void TableReader::distribution(std::string_view key, Distribution& out, const std::string& folder) {
  const toml::node* at = node(key);
  if (at == nullptr) return;
  if (const auto* text = at->as_string()) {
    const auto value = parse_duration(text->get());
    if (!value || *value < Duration::zero() || *value > kLongest) {
      fail(*at, fmt::format("{} is {}: expected a duration from 0s to ten years", name(key), shown(*at)));
    } else {
      out = Distribution::constant(*value);
    }
    return;
  }
  const toml::table* form = at->as_table();
  if (form == nullptr) {
    fail(*at, fmt::format("{} is not a distribution: expected \"3ms\", {{ median = \"500us\", p99 = \"3ms\" }}, "
                          "{{ uniform = [\"1ms\", \"5ms\"] }}, {{ exponential = \"2ms\" }}, "
                          "{{ pareto = {{ min = \"1ms\", shape = 1.5 }} }} or {{ file = \"delays.csv\" }}",
                          name(key)));
    return;
  }
  TableReader in(*form, name(key), error_);
  if (form->contains("uniform")) {
    in.uniform(*in.node("uniform"), out);
  } else if (form->contains("pareto")) {
    if (const toml::table* terms = in.table("pareto")) in.pareto(*terms, out);
  } else if (form->contains("file")) {
    in.measured(*form, folder, out);
  } else if (form->contains("exponential")) {
    Duration mean{};
    in.duration("exponential", mean, Duration(1), true);
    if (!failed()) out = Distribution::exponential(mean);
  } else {
    Duration median{}, p99{};
    in.duration("median", median, Duration(1), true);
    in.duration("p99", p99, median, true);
    if (!failed()) out = Distribution::log_normal(median, p99);
  }
  in.done();
}

const toml::table* TableReader::table(std::string_view key) {
  const toml::node* at = node(key);
  if (at == nullptr) return nullptr;
  if (const toml::table* table = at->as_table()) return table;
  fail(*at, fmt::format("{} is {}: expected a table, [{}]", name(key), shown(*at), name(key)));
  return nullptr;
}

std::vector<const toml::table*> TableReader::tables(std::string_view key) {
  std::vector<const toml::table*> out;
  const toml::node* at = node(key);
  if (at == nullptr) return out;
  const toml::array* list = at->as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    if (const toml::table* table = (*list)[i].as_table()) out.push_back(table);
  if (list == nullptr || out.size() != list->size())
    fail(*at, fmt::format("{} is {}: expected a list of tables, [[{}]]", name(key), shown(*at), name(key)));
  return out;
}

void TableReader::done(std::string_view of) {
  if (error_) return;
  for (const auto& [key, value] : table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    InputError error = error_at(value, fmt::format("{} is not a key of {}{}: expected {}", name(key.str()), of,
                                                   did_you_mean(key.str(), known_), fmt::join(known_, ", ")));
    if (error.line != 0) {  // the key, not its value
      error.line = static_cast<int>(key.source().begin.line);
      error.column = static_cast<int>(key.source().begin.column);
    }
    error_ = error;
    return;
  }
}

}  // namespace leasescope
