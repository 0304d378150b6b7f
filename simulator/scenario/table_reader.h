// Reads one TOML table key by key; the first thing that is wrong is kept with its place, and the rest is skipped.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "simulator/scenario/distribution.h"
#include "simulator/scenario/reader.h"

namespace leasescope {

using MaybeError = std::optional<InputError>;

// The place of a node: its file, line and column, or the `--set` it came from.
InputError error_at(const toml::node& node, std::string message);

// A file's text as TOML, within the bounds of what is read at all; the error says what was `expected`, and where there
// is an example of it.
tl::expected<toml::table, InputError> parse_toml(std::string_view text, const std::string& file,
                                                 std::string_view expected);

class TableReader {
 public:
  static constexpr Duration kLongest = std::chrono::hours(24 * 365 * 10);

  // `path` is how the table is called in messages: "mutex", "contender.0", "" for the file.
  TableReader(const toml::table& table, std::string path, MaybeError& error)
      : table_(table), path_(std::move(path)), error_(error) {}

  void text(std::string_view key, std::string& out, bool required = false);
  void integer(std::string_view key, std::int64_t& out, std::int64_t least, std::int64_t most, bool required = false);
  void integer(std::string_view key, int& out, int least, int most);
  void boolean(std::string_view key, bool& out);
  void duration(std::string_view key, Duration& out, Duration least, bool required = false, Duration most = kLongest);
  // Not negative; a step of a clock, which may be, is read as a signed time.
  void time(std::string_view key, TimeExpression& out, bool required = false);
  void signed_time(std::string_view key, TimeExpression& out, bool required = false);
  // `folder`: what a file of measured delays is relative to.
  void distribution(std::string_view key, Distribution& out, const std::string& folder);
  void word(std::string_view key, std::string& out, const std::vector<std::string_view>& words, bool required = false);
  const toml::node* node(std::string_view key);
  const toml::table* table(std::string_view key);
  // Tables of a list, [[key]]; empty where there is none.
  std::vector<const toml::table*> tables(std::string_view key);

  // Anything not asked for is an unknown key of that.
  void done(std::string_view of = "a scenario");

  bool failed() const { return error_.has_value(); }
  void fail(const toml::node& at, std::string message);
  void fail_here(std::string message) { fail(table_, std::move(message)); }
  // At that key, where it is given.
  void fail_at(std::string_view key, std::string message);
  // Of a table within this one.
  TableReader inner(const toml::table& table, std::string_view key) const { return {table, name(key), error_}; }
  std::string name(std::string_view key) const;

 private:
  void uniform(const toml::node& at, Distribution& out);
  void pareto(const toml::table& form, Distribution& out);
  void measured(const toml::table& form, const std::string& folder, Distribution& out);

  const toml::table& table_;
  std::string path_;
  MaybeError& error_;
  std::vector<std::string> known_;
};

}  // namespace leasescope
